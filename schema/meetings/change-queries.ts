import { and, eq, sql } from 'drizzle-orm';
import { readable } from '../calendar-accounts/blocking-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { connections } from '../connections/table.ts';
import type { Db } from '../db.ts';
import { rulesOfUser } from '../standing-rules/queries.ts';
import { users } from '../users/table.ts';
import { other, requester } from './list-queries.ts';
import { meetingPeople, meetings } from './table.ts';

/** SQL condition that is true if an attendee of a meeting is currently connected to the meeting's platform. */
const isConnected = sql`exists (
  select 1 from ${connections} c
  where c.user_id = ${meetingPeople.userId} and c.platform_id = ${meetings.platformId} and c.disconnected_at is null)`;

type ConnectionStatus = (typeof calendarAccounts.$inferSelect)['status'];

/**
 * Finds a meeting's current state, from which a change of the meeting starts. `isOwn` is false for a meeting of another
 * platform.
 */
export async function findSnapshot(db: Db, { platformId, id }: { platformId: string; id: string }) {
  const [snapshot] = await db
    .select({
      isOwn: sql<boolean>`${meetings.platformId} = ${platformId}`,
      status: meetings.status,
      leaseUntil: meetings.leaseUntil,
      version: meetings.version,
      start: meetings.startsAt,
      end: meetings.endsAt,
      metadata: meetings.metadata,
      providerEventId: meetings.providerEventId,
      organizerId: meetings.organizerId,
      otherId: other.userId,
      organizer: requester.email,
      other: other.email,
      /**
       * Start times of the earlier meetings in the chain of replacements that led to this meeting, in epoch
       * milliseconds.
       */
      earlierStarts: sql<number[]>`coalesce((
        with recursive earlier as (
          select ${meetings.rescheduledFrom} as id
          union all select m.rescheduled_from from meetings m join earlier e on m.id = e.id)
        select jsonb_agg(round(extract(epoch from m.starts_at) * 1000)) from meetings m join earlier e on m.id = e.id
      ), '[]'::jsonb)`,
      /** Time zones of the two attendees, the requester's first, from their preferences or their calendars. */
      timeZones: sql<string[]>`array(
        select coalesce(u.preferences ->> 'timezone', u.calendar_time_zone) from ${meetingPeople} p
        join ${users} u on u.id = p.user_id where p.meeting_id = ${meetings.id} order by p.position)`,
      /** Attendees who are not currently connected to the meeting's platform. */
      disconnected: sql<string[]>`array(
        select ${meetingPeople.email} from ${meetingPeople}
        where ${meetingPeople.meetingId} = ${meetings.id} and not ${isConnected} order by ${meetingPeople.position})`,
    })
    .from(meetings)
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)))
    .where(eq(meetings.id, id));
  return snapshot;
}

export type Snapshot = NonNullable<Awaited<ReturnType<typeof findSnapshot>>>;

/**
 * Builds a statement that lists the two people of a meeting, the requester first. `status` is `disconnected` for a
 * person who is not connected to the meeting's platform, even if they are connected to others.
 */
export const listMeetingPeople = (db: Db, { meetingId }: { meetingId: string }) =>
  db
    .select({
      id: users.id,
      email: meetingPeople.email,
      calendarTimeZone: users.calendarTimeZone,
      preferences: users.preferences,
      weights: users.weights,
      rules: rulesOfUser,
      status: sql<ConnectionStatus>`case when ${isConnected} then ${calendarAccounts.status} else 'disconnected' end`,
      ...readable,
    })
    .from(meetingPeople)
    .innerJoin(meetings, eq(meetings.id, meetingPeople.meetingId))
    .innerJoin(users, eq(users.id, meetingPeople.userId))
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(meetingPeople.meetingId, meetingId))
    .orderBy(meetingPeople.position);
