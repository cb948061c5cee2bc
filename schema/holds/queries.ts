import { and, eq, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import type { Lease } from '../meetings/lease-queries.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { connectedUser } from '../people/queries.ts';
import { holds } from './table.ts';

/** What a person's own rules ask of a meeting that is to be exclusive. */
export interface Limits {
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  /** The day on the person's clock on which the meeting starts, epoch milliseconds. */
  day: { start: number; end: number };
}

const span = (start: number, end: number) => sql`tstzrange(${at(start)}, ${at(end)})`;

interface NewHolds {
  meetingId: string;
  start: number;
  end: number;
  /** The requester's and the other's, for an exclusive meeting; only after `lockPeople` in the batch are they exact. */
  limits: [Limits, Limits] | undefined;
}

/**
 * Holds the time of a meeting that the same batch inserts, for its two people. With limits, a time that meets another or
 * comes nearer to it than the buffer fails the batch by `hold_is_free`, a day that is full by `hold_within_day`.
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
  const rows = limits.map(({ bufferMinutes, maxMeetingsPerDay, day }, position) => {
    const bufferMs = bufferMinutes * 60_000;
    return sql`(${position}::int, ${span(start - bufferMs, end + bufferMs)}, ${maxMeetingsPerDay}::int, ${span(day.start, day.end)})`;
  });
  return db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts, left_on_day)
    select m.id, p.user_id, m.provider_event_id, ${during}, true, (
      select count(*) from ${holds} h where ${others} and h.during && l.reach
    ), l.most - 1 - (
      select count(distinct h.event_id) from ${holds} h where ${others} and h.during && l.day and lower(h.during) <@ l.day)
    ${from} join (values ${sql.join(rows, sql`, `)}) l (position, reach, most, day) on l.position = p.position
    where m.id = ${meetingId} order by p.user_id`);
}

/** Frees all time of a meeting. */
export const deleteHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.delete(holds).where(and(eq(holds.meetingId, meetingId), guard));

/** Holds the time a meeting has by now for its two people, where it was put there in the calendar: free or not. */
export const insertOwnHolds = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, (
      select count(*) from ${holds} h
      where h.user_id = p.user_id and h.during && tstzrange(m.starts_at, m.ends_at) and h.event_id <> m.provider_event_id)
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
    where m.id = ${meetingId} and ${guard} order by p.user_id
    on conflict do nothing`);

/** Frees what a meeting holds beside its own time of its own two people: what a change held, or left behind. */
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
 * Holds the time a caller chose for a meeting in this writer's hands, beside the time it has. A second attendee who is
 * neither that already nor connected with the platform is a null that fails the batch.
 */
export function insertMoveHolds(db: Db, { lease, platformId, other, start, end }: MoveHolds) {
  const during = sql`tstzrange(${at(start)}, ${at(end)})`;
  const second = (isOther: SQL) =>
    sql`(select q.user_id from ${meetingPeople} q where q.meeting_id = ${lease.id} and q.position = 1 and ${isOther})`;
  return db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, p.user_id, m.provider_event_id, ${during}, false, (
      select count(*) from ${holds} h
      where h.user_id = p.user_id and h.during && ${during} and h.event_id <> m.provider_event_id)
    from ${meetings} m, (
      select user_id from ${meetingPeople} where meeting_id = ${lease.id} and position = 0
      union all
      select ${other === undefined ? second(sql`true`) : sql`coalesce(${second(sql`q.email = ${other}`)}, ${connectedUser(platformId, other)})`}
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
