import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { isConnectedTo } from '../access/people-guest.ts';
import { LIVE_STATUSES } from '../api/states.ts';
import { isOneOf } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { busySnapshots } from '../tables/calendar-accounts.ts';
import { holds } from '../tables/holds.ts';
import { eventAnswers, isCurrent, meetingPeople, meetings, type Response } from '../tables/meetings.ts';
import { users } from '../tables/users.ts';
import { DAY } from '../units.ts';

/**
 * Lists live ones, and bookings whose outcome is not known yet, that did not end more than a day ago. Leaves out
 * platforms to which the user is not connected, because such a platform learns of no change. `people` are the two
 * attendees, and a person whom an unfinished update invites.
 */
export const listOnCalendar = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .select({
      id: meetings.id,
      platformId: meetings.platformId,
      eventId: meetings.providerEventId,
      isLive: sql<boolean>`${isOneOf(meetings.status, LIVE_STATUSES)}`,
      start: meetings.startsAt,
      end: meetings.endsAt,
      meetLink: meetings.meetLink,
      eventEtag: meetings.eventEtag,
      people: sql<{ userId: string; email: string; response: Response }[]>`(
        select jsonb_agg(jsonb_build_object('userId', u.id, 'email', coalesce(p.email, u.email), 'response',
          coalesce(a.response_status, case when p.position = 0 then 'accepted' else 'needsAction' end)))
        from (
          select q.user_id from ${meetingPeople} q where q.meeting_id = meetings.id
          union select h.user_id from ${holds} h where h.meeting_id = meetings.id) invited
        join ${users} u on u.id = invited.user_id
        left join ${meetingPeople} p on p.meeting_id = meetings.id and p.user_id = u.id
        left join ${eventAnswers} a on a.event_id = meetings.provider_event_id and a.user_id = u.id)`,
    })
    .from(meetings)
    .where(
      and(
        eq(meetings.organizerId, userId),
        gt(meetings.endsAt, now - DAY),
        inArray(meetings.status, ['pending', ...LIVE_STATUSES]),
        isConnectedTo(sql`${meetings.organizerId}`, sql`${meetings.platformId}`),
        isCurrent(meetings),
      ),
    );

export type OnCalendar = Awaited<ReturnType<typeof listOnCalendar>>[number];

/**
 * Builds the statements that give a meeting, and those that it replaced, another calendar event, because a person made
 * their event a series and the meeting is one occurrence of it. They belong at the end of a batch, because the other
 * tables know the meeting by its event. The first one locks the calendar, as `saveEventToken` does, so that nothing is
 * stored under the former event meanwhile.
 */
export const switchEvent = (
  db: Db,
  { id, from, to, guard }: { id: string; from: string; to: string; guard: Guard },
) => [
  db.execute(sql`
    select 1 from ${busySnapshots} where user_id = (select m.organizer_id from ${meetings} m where m.id = ${id}) for update`),
  ...['event_answers', 'pending_operations', 'holds'].map((table) =>
    db.execute(sql`update ${sql.identifier(table)} set event_id = ${to} where event_id = ${from} and ${guard}`),
  ),
  db
    .update(meetings)
    .set({ providerEventId: to })
    .where(and(eq(meetings.providerEventId, from), guard)),
];

/** Comes first in the batch that handled the changes. Does nothing if another process has stored a newer one. */
export const saveEventToken = (
  db: Db,
  { userId, former, token }: { userId: string; former: string | null; token: string },
) =>
  db
    .update(busySnapshots)
    .set({ eventToken: token })
    .where(and(eq(busySnapshots.userId, userId), sql`${busySnapshots.eventToken} is not distinct from ${former}`))
    .returning({ userId: busySnapshots.userId });

/** Otherwise another process has read the changes, and the later statements do nothing. */
export const isTokenSaved = ({ userId, token }: { userId: string; token: string }): Guard =>
  sql`exists (select 1 from busy_snapshots s where s.user_id = ${userId} and s.event_token = ${token})`;
