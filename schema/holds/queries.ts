import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import type { Lease } from '../meetings/lease-queries.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { connectedUser } from '../people/queries.ts';
import { proposals } from '../proposals/table.ts';
import { orRefuse } from '../refusals.ts';
import { MINUTE } from '../units.ts';
import { holds } from './table.ts';

/**
 * Limits that a person's own rules set for a meeting that may not overlap others: the buffer and the number of meetings
 * per day.
 */
export interface Limits {
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  /** Local day of the person on which the meeting starts, as its start and end in epoch milliseconds. */
  day: { start: number; end: number };
}

const span = (start: number, end: number) => sql`tstzrange(${at(start)}, ${at(end)})`;

interface NewHolds {
  meetingId: string;
  start: number;
  end: number;
  /**
   * Limits of the requester and of the other person, for a meeting that may not overlap others. The limits are certain
   * to hold only if `lockPeople` runs earlier in the batch.
   */
  limits: [Limits, Limits] | undefined;
}

/**
 * Builds a statement that reserves the time of a meeting for its two people, in the batch that inserts the meeting.
 * With limits, the batch fails by `hold_is_free` if the time overlaps another reserved time or is closer to it than the
 * buffer. It fails by `hold_within_day` if a person accepts no more meetings that day.
 */
export function insertHolds(db: Db, { meetingId, start, end, limits }: NewHolds) {
  const during = span(start, end);
  const others = sql`h.user_id = p.user_id and h.event_id <> m.provider_event_id`;
  const from = sql`from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id`;
  if (limits === undefined)
    return db.execute(sql`
      insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
      select m.id, p.user_id, m.provider_event_id, ${during}, false, (
        select count(*) from ${holds} h where ${others} and h.during && ${during})
      ${from} where m.id = ${meetingId} order by p.user_id`);
  return db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts, left_on_day)
    select m.id, p.user_id, m.provider_event_id, l.during, true, ${countsAgainst(others)}
    ${from} join ${limitRows([{ start, end, limits }])} on l.position = p.position
    where m.id = ${meetingId} order by p.user_id`);
}

/** A time, with the limits of the requester and of the other person on its day. */
interface LimitedTime {
  start: number;
  end: number;
  limits: [Limits, Limits];
}

/** Returns SQL for a table `l` with a row for each time and each of its two people. */
function limitRows(times: LimitedTime[]): SQL {
  const rows = times.flatMap(({ start, end, limits }) =>
    limits.map(({ bufferMinutes, maxMeetingsPerDay, day }, position) => {
      const bufferMs = bufferMinutes * MINUTE;
      return sql`(${position}::int, ${span(start, end)}, ${span(start - bufferMs, end + bufferMs)}, ${maxMeetingsPerDay}::int, ${span(day.start, day.end)})`;
    }),
  );
  return sql`(values ${sql.join(rows, sql`, `)}) l (position, during, reach, most, day)`;
}

/**
 * Returns SQL for an exclusive hold's `conflicts` and `left_on_day`. `others` is the condition for the holds that count,
 * called `h`.
 */
const countsAgainst = (others: SQL): SQL => sql`
  (select count(*) from ${holds} h where ${others} and h.during && l.reach),
  l.most - 1 - (
    select count(distinct h.event_id) from ${holds} h where ${others} and h.during && l.day and lower(h.during) <@ l.day)`;

/**
 * Builds a statement that reserves the times of a proposal for its two people, in the batch that inserts the proposal.
 * The batch fails by the constraints of `insertHolds` if one of the times is not free. The proposal's own times never
 * conflict with each other, and the proposal counts as one meeting of each day. The limits are certain to hold only if
 * `lockPeople` runs earlier in the batch.
 */
export const insertProposalHolds = (db: Db, { proposalId, times }: { proposalId: string; times: LimitedTime[] }) =>
  db.execute(sql`
    insert into ${holds} (proposal_id, user_id, event_id, during, exclusive, conflicts, left_on_day)
    select r.id, p.user_id, r.id, l.during, true, ${countsAgainst(sql`h.user_id = p.user_id and h.event_id <> r.id`)}
    from ${proposals} r
    cross join lateral (values (0, r.requester_id), (1, r.other_id)) p (position, user_id)
    join ${limitRows(times)} on l.position = p.position
    where r.id = ${proposalId} order by p.user_id`);

/** Builds a statement that frees all times that a proposal holds and that no meeting has taken over. */
export const deleteProposalHolds = (db: Db, { proposalId, guard }: { proposalId: string; guard: Guard }) =>
  db.delete(holds).where(and(eq(holds.proposalId, proposalId), isNull(holds.meetingId), guard));

/** Builds a statement that frees all times reserved for a meeting. */
export const deleteHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(holds).where(and(eq(holds.meetingId, meetingId), guard));

/**
 * Builds a statement that reserves a meeting's current time for its two people, even if the time is not free, because
 * somebody moved the meeting there in the calendar.
 */
export const insertOwnHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, (
      select count(*) from ${holds} h
      where h.user_id = p.user_id and h.during && tstzrange(m.starts_at, m.ends_at) and h.event_id <> m.provider_event_id)
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
    where m.id = ${meetingId} and ${guard} order by p.user_id
    on conflict do nothing`);

/**
 * Builds a statement that deletes the reserved times of a meeting, except those for its current time and its two
 * people. A change of the meeting may have left the other reservations behind.
 */
export const trimHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(holds).where(
    and(
      eq(holds.meetingId, meetingId),
      guard,
      sql`not exists (
        select 1 from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
        where m.id = ${holds.meetingId} and p.user_id = ${holds.userId} and ${holds.during} = tstzrange(m.starts_at, m.ends_at))`,
    ),
  );

/**
 * Builds a statement that reserves the new time that a caller chose for a meeting. The meeting keeps its current time
 * reserved too. The writer must have leased the meeting. It refuses the batch as `not_connected` if a new second
 * attendee is not connected to the platform.
 */
export function insertMoveHolds(db: Db, { lease, platformId, other, start, end }: MoveHolds) {
  const during = sql`tstzrange(${at(start)}, ${at(end)})`;
  const second = (isOther: SQL) =>
    sql`(select q.user_id from ${meetingPeople} q where q.meeting_id = ${lease.id} and q.position = 1 and ${isOther})`;
  const attendee =
    other === undefined
      ? second(sql`true`)
      : orRefuse(
          sql`coalesce(${second(sql`q.email = ${other}`)}, ${connectedUser(platformId, other)})`,
          'not_connected',
        );
  return db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, p.user_id, m.provider_event_id, ${during}, false, (
      select count(*) from ${holds} h
      where h.user_id = p.user_id and h.during && ${during} and h.event_id <> m.provider_event_id)
    from ${meetings} m, (
      select user_id from ${meetingPeople} where meeting_id = ${lease.id} and position = 0
      union all
      select ${attendee}
    ) p
    where m.id = ${lease.id} and m.owner = ${lease.owner} and m.lease_until is not null
    order by p.user_id
    on conflict do nothing`);
}

interface MoveHolds {
  lease: Lease;
  platformId: string;
  other?: string | undefined;
  start: number;
  end: number;
}
