import { and, eq, inArray, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import type { OnlyIf } from '../deliveries/queries.ts';
import { holds } from '../holds/table.ts';
import { lockPeople } from '../people/queries.ts';
import { settlements } from '../settlements/table.ts';
import { type Hold, mine } from './claim-queries.ts';
import { meetingPeople, meetings } from './table.ts';

export interface Successor {
  id: string;
  /** The meeting it takes the place of, in this writer's hands. */
  from: Hold;
  start: number;
  end: number;
  now: number;
}

/**
 * Promises a meeting at another time of the same event, with the same two people; a taken time fails the batch by
 * `holds_no_overlap` or `hold_is_free`. Its old meeting's fence is its own.
 */
export function insertSuccessor(db: Db, { id, from, start, end, now }: Successor) {
  const during = sql`tstzrange(${at(start)}, ${at(end)})`;
  return [
    db.execute(sql`
      insert into ${meetings} (id, platform_id, organizer_id, status, title, description, location, starts_at, ends_at,
        meet_link, provider_event_id, guarded, rescheduled_from, created_at, updated_at)
      select ${id}::text, m.platform_id, m.organizer_id, 'pending', m.title, m.description, m.location, ${at(start)}, ${at(end)},
        m.meet_link, m.provider_event_id, true, m.id, ${at(now)}, ${at(now)}
      from ${meetings} m where m.id = ${from.id} and m.owner = ${from.owner} and m.lease_until is not null`),
    db.execute(sql`
      insert into ${meetingPeople} (meeting_id, user_id, email, position, response_status)
      select n.id, p.user_id, p.email, p.position, p.response_status
      from ${meetings} n join ${meetingPeople} p on p.meeting_id = n.rescheduled_from where n.id = ${id}`),
    lockPeople(db, { meetingId: id }),
    db.execute(sql`
      insert into ${holds} (meeting_id, user_id, event_id, during, guarded, conflicts)
      select n.id, p.user_id, n.provider_event_id, ${during}, true, (
        select count(*) from ${holds} h
        where h.user_id = p.user_id and h.during && ${during} and h.event_id <> n.provider_event_id)
      from ${meetings} n join ${meetingPeople} p on p.meeting_id = n.id where n.id = ${id} order by p.user_id`),
  ] as const;
}

/** The event has its new time: the old meeting is `rescheduled`, for the owner only. */
export const replaceMeetingRow = (db: Db, { now, ...hold }: Hold & { now: number }) =>
  db
    .update(meetings)
    .set({ status: 'rescheduled', updatedAt: now, leaseUntil: null, version: sql`${meetings.version} + 1` })
    .where(mine(hold))
    .returning({ id: meetings.id });

interface Pending {
  id: string;
  from: string;
  now: number;
  onlyIf: OnlyIf;
}

const pending = ({ id, from, onlyIf }: Pending) =>
  and(eq(meetings.id, id), eq(meetings.rescheduledFrom, from), eq(meetings.status, 'pending'), onlyIf);

/** The promised meeting is `scheduled`. */
export const confirmSuccessor = (db: Db, { meetLink, ...successor }: Pending & { meetLink: string | null }) =>
  db.update(meetings).set({ status: 'scheduled', meetLink, updatedAt: successor.now }).where(pending(successor));

/** The promised meeting never came to be; another may take the old one's place. */
export const abandonSuccessor = (db: Db, successor: Pending) =>
  db
    .update(meetings)
    .set({ status: 'failed', rescheduledFrom: null, updatedAt: successor.now })
    .where(pending(successor));

/** What is still to be looked after goes over to the new meeting. */
export const passOnSettlements = (db: Db, { id, from, onlyIf }: Omit<Pending, 'now'>) =>
  db
    .update(settlements)
    .set({ meetingId: id })
    .where(and(eq(settlements.meetingId, from), inArray(settlements.kind, ['link', 'recheck']), onlyIf));
