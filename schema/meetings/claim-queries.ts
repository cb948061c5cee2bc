import { and, eq, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import type { OnlyIf } from '../deliveries/queries.ts';
import { platforms } from '../platforms/table.ts';
import { settlements } from '../settlements/table.ts';
import { meetings } from './table.ts';

/** Who works on a meeting: its id and the writer's token. */
export interface Hold {
  id: string;
  owner: string;
}

/** Where the meeting is still in this writer's hands: the fence of every change that was begun. */
export const mine = ({ id, owner }: Hold): SQL =>
  sql`${meetings.id} = ${id} and ${meetings.owner} = ${owner} and ${meetings.leaseUntil} is not null`;

/** The same as a condition for statements on other tables. */
export const isMine = ({ id, owner }: Hold): OnlyIf =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.owner = ${owner} and m.lease_until is not null)`;

/** True in a later statement of the same batch exactly when this writer's finishing change went in. */
export const isFinishedBy = ({ id, owner }: Hold): OnlyIf =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.owner = ${owner} and m.lease_until is null)`;

/** Lets go of a meeting that is as it should be. */
export const releaseMeeting = (db: Db, hold: Hold) =>
  db.update(meetings).set({ leaseUntil: null }).where(mine(hold)).returning({ id: meetings.id });

/** Lets others take over a meeting whose work is not done. */
export const endLease = (db: Db, { now, ...hold }: Hold & { now: number }) =>
  db.update(meetings).set({ leaseUntil: now }).where(mine(hold));

export type Overdue = Awaited<ReturnType<typeof claimOverdue>>[number];

/** Work on a meeting that is itself at rest; it waits for a change that is not settled. */
const AFTERWARDS = ['link', 'recheck'];

/**
 * Takes over meetings with work that is due and in nobody's hands; each goes to one settler. With `id`, that meeting's
 * only, whose unfinished change need not be due.
 */
export const claimOverdue = (
  db: Db,
  { owner, now, leaseUntil, limit, id }: { owner: string; now: number; leaseUntil: number; limit: number; id?: string },
) =>
  db
    .update(meetings)
    .set({ owner, leaseUntil })
    .from(settlements)
    .innerJoin(platforms, sql`true`)
    .where(
      and(
        eq(settlements.meetingId, meetings.id),
        eq(platforms.id, meetings.platformId),
        sql`(${settlements.meetingId}, ${settlements.kind}) in (
          select s.meeting_id, s.kind from settlements s join meetings m on m.id = s.meeting_id
          where ${id === undefined ? sql`s.due_at <= ${at(now)}` : sql`s.meeting_id = ${id} and (s.kind not in ${AFTERWARDS} or s.due_at <= ${at(now)})`}
            and (m.lease_until is null or m.lease_until <= ${at(now)})
            and (s.kind not in ${AFTERWARDS} or not exists (
              select 1 from settlements o where o.meeting_id = m.id and o.kind not in ${AFTERWARDS}))
          order by s.due_at limit ${limit} for update of m skip locked)`,
      ),
    )
    .returning({
      id: meetings.id,
      platformId: meetings.platformId,
      plan: platforms.plan,
      status: meetings.status,
      title: meetings.title,
      location: meetings.location,
      start: meetings.startsAt,
      end: meetings.endsAt,
      meetLink: meetings.meetLink,
      providerEventId: meetings.providerEventId,
      usageMonth: meetings.usageMonth,
      kind: settlements.kind,
      intent: settlements.intent,
      attempts: settlements.attempts,
      settlementCreatedAt: settlements.createdAt,
    });

/** The link came after the booking; the meeting is let go. */
export const setMeetLink = (db: Db, { meetLink, now, ...hold }: Hold & { meetLink: string | null; now: number }) =>
  db
    .update(meetings)
    .set({ meetLink, leaseUntil: null, updatedAt: now })
    .where(mine(hold))
    .returning({ id: meetings.id });

/** True for a booking that was given up. */
export const isFailed = (id: string): OnlyIf =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.status = 'failed')`;

/** True for a meeting that takes place. */
export const isLive = (id: string): OnlyIf =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.status in ('scheduled', 'updated'))`;
