import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readable } from '../access/calendar-accounts.ts';
import { rulesOfUser } from '../access/learning.ts';
import { isConnectedTo, mayBeAbsent, type PairOfPlatform } from '../access/people.ts';
import { pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { meetingPeople, meetings, SPAN } from '../tables/meetings.ts';
import { users } from '../tables/users.ts';
import { other, requester } from './list.ts';

const isConnected = isConnectedTo(sql`${meetingPeople.userId}`, sql`${meetings.platformId}`);

/** Makes a table `line` of this meeting and all earlier ones that it replaced through reschedules. */
const LINE = sql`
        with recursive line as (
          select ${meetings.id} as id, ${meetings.rescheduledFrom} as earlier
          union all select m.id, m.rescheduled_from from meetings m join line l on m.id = l.earlier)`;

type ConnectionStatus = (typeof calendarAccounts.$inferSelect)['status'];

export async function findSnapshot(db: Db, of: { platformId: string; id: string }) {
  const [snapshot] = await selectSnapshot(db, of);
  return snapshot;
}

/** A change of the meeting starts from it. `isOwn` is false for a meeting of another platform. */
export const selectSnapshot = (db: Db, { platformId, id }: { platformId: string; id: string | SQL }) =>
  db
    .select({
      isOwn: sql<boolean>`${meetings.platformId} = ${platformId}`,
      ...pick(meetings, 'status', 'leaseUntil', 'version'),
      ...SPAN,
      ...pick(meetings, 'title', 'description', 'location', 'metadata', 'providerEventId', 'organizerId'),
      otherId: other.userId,
      organizer: requester.email,
      other: other.email,
      earlierStarts: sql<number[]>`coalesce((
        with recursive earlier as (
          select ${meetings.rescheduledFrom} as id
          union all select m.rescheduled_from from meetings m join earlier e on m.id = e.id)
        select jsonb_agg(round(extract(epoch from m.starts_at) * 1000)) from meetings m join earlier e on m.id = e.id
      ), '[]'::jsonb)`,
      /** Proposals that offered these were declined. Those to move an earlier meeting that it replaced count too. */
      declinedStarts: sql<number[]>`coalesce((
        ${LINE}
        select jsonb_agg(round(extract(epoch from t.starts_at) * 1000)) from proposal_times t
        join proposals r on r.id = t.proposal_id join line l on l.id = r.moves_meeting_id where r.status = 'declined'
      ), '[]'::jsonb)`,
      /** Number of proposals that Tandem made because an attendee declined this meeting, or one that it replaced. */
      offersAfterDecline: sql<number>`(
        ${LINE}
        select count(*)::int from proposals r join line l on l.id = r.moves_meeting_id where r.is_for_decline)`,
      /** The zones are from preferences or calendars. Without a connection it is the guest's own, or empty. */
      timeZones: sql<string[]>`array(
        select case when not ${isConnectedTo(sql`p.user_id`, sql`p.platform_id`)} then coalesce(p.guest_time_zone, '')
          else coalesce(u.preferences ->> 'timezone', u.calendar_time_zone) end from ${meetingPeople} p
        join ${users} u on u.id = p.user_id where p.meeting_id = ${meetings.id} order by p.position)`,
      isOtherGuest: sql<boolean>`${other.isGuest} and not ${isConnectedTo(sql`${other.userId}`, sql`${other.platformId}`)}`,
      disconnected: sql<string[]>`array(
        select ${meetingPeople.email} from ${meetingPeople}
        where ${meetingPeople.meetingId} = ${meetings.id} and not ${isConnected}
          and not ${mayBeAbsent('meeting_people')} order by ${meetingPeople.position})`,
    })
    .from(meetings)
    .innerJoin(requester, and(eq(requester.meetingId, meetings.id), eq(requester.position, 0)))
    .innerJoin(other, and(eq(other.meetingId, meetings.id), eq(other.position, 1)))
    .where(eq(meetings.id, id));

/** Both addresses are null for a meeting of another platform. */
export const attendeesOfMeeting = ({ platformId, id }: { platformId: string; id: string }): PairOfPlatform => {
  const at = (position: 0 | 1) => sql`(
    select p.email from meeting_people p
    where p.meeting_id = ${id} and p.platform_id = ${platformId} and p.position = ${sql.raw(String(position))})`;
  return { platformId, emails: [at(0), at(1)] };
};

export type Snapshot = Awaited<ReturnType<typeof selectSnapshot>>[number];

/**
 * Lists the requester first. `status` is `disconnected` without a connection to this platform, whatever others have.
 * `isGuest` is true for a guest while they are not connected.
 */
export const listMeetingPeople = (db: Db, { meetingId }: { meetingId: string }) =>
  db
    .select({
      id: users.id,
      email: meetingPeople.email,
      ...pick(users, 'calendarTimeZone', 'preferences', 'weights'),
      rules: rulesOfUser,
      status: sql<ConnectionStatus>`case when ${isConnected} then ${calendarAccounts.status} else 'disconnected' end`,
      ...readable,
      isGuest: sql<boolean>`${meetingPeople.isGuest} and not ${isConnected}`,
      guestTimeZone: meetingPeople.guestTimeZone,
    })
    .from(meetingPeople)
    .innerJoin(meetings, eq(meetings.id, meetingPeople.meetingId))
    .innerJoin(users, eq(users.id, meetingPeople.userId))
    .leftJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(meetingPeople.meetingId, meetingId))
    .orderBy(meetingPeople.position);

/** `withPeopleOf` in `lib/meetings/protocol/meeting.ts` parses it. */
export type MeetingPersonRow = Awaited<ReturnType<typeof listMeetingPeople>>[number];
