import { and, eq, type SQL, sql } from 'drizzle-orm';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import { type Db, type Guard, refuse } from '../db.ts';
import { meetings } from '../tables/meetings.ts';
import { proposals } from '../tables/proposals.ts';
import type { Interval } from '../units.ts';

export type MovedMeeting = Interval & { meetingId: string };

/** It must be live, at its time and with its two people. True for a proposal that books a new meeting. */
export const isMeetingAsBefore: Guard = sql`(proposals.moves_from is null or exists (
  select 1 from meetings m where m.id = proposals.moves_meeting_id and ${isOneOf(sql`m.status`, LIVE_STATUSES)}
    and tstzrange(m.starts_at, m.ends_at) = proposals.moves_from
    and array(select q.user_id from meeting_people q where q.meeting_id = m.id order by q.position)
      = array[proposals.requester_id, proposals.other_id]))`;

/** Refuses as `not_in_hand` unless the meeting is live, has its time, and nobody is changing it. */
export const lockMoved = (db: Db, { platformId, meetingId, start, end }: MovedMeeting & { platformId: string }) => [
  db.select({ id: meetings.id }).from(meetings).where(eq(meetings.id, meetingId)).for('no key update'),
  db.execute(sql`
    select case when not exists (
      select 1 from ${meetings} m where m.id = ${meetingId} and m.platform_id = ${platformId} and m.lease_until is null
        and ${isOneOf(sql`m.status`, LIVE_STATUSES)} and (m.starts_at, m.ends_at) = (${at(start)}, ${at(end)}))
      then ${refuse('not_in_hand')} end`),
];

/** The meeting has ended, or has another time or people by now. The sweep ends the proposal within a minute. */
export const expireMove = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) =>
  db
    .update(proposals)
    .set({ expiresAt: sql`least(${proposals.expiresAt}, ${at(now)})` })
    .where(
      and(eq(proposals.movesMeetingId, meetingId), eq(proposals.status, 'open'), sql`not ${isMeetingAsBefore}`, guard),
    );

/** A person at a proposal's page asked for them, for any meeting of this event. */
export const asksFor = (eventId: SQL): SQL<number> => sql<number>`(
  select count(*)::int from proposals asked join meetings moved on moved.id = asked.moves_meeting_id
  where moved.provider_event_id = ${eventId} and asked.counter_of is not null)`;

/** The open proposal that moves a meeting, with its page's token, encrypted, and its expiry in epoch milliseconds. */
export const openMoveOf = (meetingId: SQL) => sql<{ id: string; token: string | null; expiresAt: number } | null>`(
  select jsonb_build_object('id', o.id, 'token', o.token, 'expiresAt', round(extract(epoch from o.expires_at) * 1000))
  from proposals o where o.moves_meeting_id = ${meetingId} and o.status = 'open')`;

export async function findOpenMove(db: Db, { meetingId }: { meetingId: string }) {
  const [found] = await db
    .select({ id: proposals.id })
    .from(proposals)
    .where(and(eq(proposals.movesMeetingId, meetingId), eq(proposals.status, 'open')));
  return found;
}
