import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { AFTERWARDS, pendingOperations } from '../pending-operations/table.ts';
import { platforms } from '../platforms/table.ts';
import { inTurn } from '../turns.ts';
import { LIVE_STATUSES } from './status.ts';
import { meetings } from './table.ts';

/** A meeting in one writer's hands: its id and the writer's token. Nobody else changes it while `lease_until` is set. */
export interface Lease {
  id: string;
  owner: string;
}

/** Where the meeting is still in this writer's hands: the fence of whatever was begun under the lease. */
export const isHeld = ({ id, owner }: Lease): SQL =>
  sql`${meetings.id} = ${id} and ${meetings.owner} = ${owner} and ${meetings.leaseUntil} is not null`;

/** The same as a condition for statements on other tables. */
export const isHeldBy = ({ id, owner }: Lease): Guard =>
  sql`exists (select 1 from meetings m where m.id = ${id} and m.owner = ${owner} and m.lease_until is not null)`;

/**
 * Takes a live meeting that is unlocked, at this version when one is given. It may match nothing, which
 * `insertPendingChange` later in the batch makes the batch fail for.
 */
export const claimMeeting = (
  db: Db,
  { id, owner, platformId, leaseUntil, version }: Lease & Claim & { version?: number | undefined },
) =>
  db
    .update(meetings)
    .set({ owner, leaseUntil })
    .where(
      and(
        eq(meetings.id, id),
        eq(meetings.platformId, platformId),
        inArray(meetings.status, LIVE_STATUSES),
        isNull(meetings.leaseUntil),
        version === undefined ? undefined : eq(meetings.version, version),
      ),
    )
    .returning({
      id: meetings.id,
      platformId: meetings.platformId,
      start: meetings.startsAt,
      end: meetings.endsAt,
      location: meetings.location,
      meetLink: meetings.meetLink,
      metadata: meetings.metadata,
      providerEventId: meetings.providerEventId,
    });

interface Claim {
  platformId: string;
  leaseUntil: number;
}

export type ClaimedMeeting = Awaited<ReturnType<typeof claimMeeting>>[number];

const unleased = (leaseUntil: SQL | typeof meetings.leaseUntil, now: number): SQL =>
  sql`(${leaseUntil} is null or ${leaseUntil} <= ${at(now)})`;

interface Takeover {
  owner: string;
  now: number;
  leaseUntil: number;
  limit: number;
  ahead?: number | undefined;
  id?: string | undefined;
  /** How many of one platform, and of which platforms none. */
  each?: number | undefined;
  except?: string[] | undefined;
}

/** Work that may be taken up, in its platforms' lines. */
function lineOf({ now, limit, ahead = 0, id, each = limit, except = [] }: Takeover): SQL {
  const isOpen = sql`exists (select 1 from ${meetings} m where m.id = w.meeting_id and ${unleased(sql`m.lease_until`, now)})
    and (w.kind not in ${AFTERWARDS} or not exists (
      select 1 from ${pendingOperations} o where o.meeting_id = w.meeting_id and o.kind not in ${AFTERWARDS}))`;
  const isDue = sql`w.due_at <= ${at(now)}`;
  if (id !== undefined)
    return sql`select w.meeting_id, w.kind, w.due_at as since, row_number() over (order by w.due_at) as place
      from ${pendingOperations} w where w.meeting_id = ${id} and (w.kind not in ${AFTERWARDS} or ${isDue}) and ${isOpen}`;
  return inTurn({
    table: sql`${pendingOperations}`,
    owner: sql`w.platform_id`,
    indexed: except.length === 0 ? sql`true` : sql`w.platform_id not in ${except}`,
    where: isDue,
    open: isOpen,
    since: sql`w.due_at`,
    columns: sql`w.meeting_id, w.kind`,
    each: each + ahead,
  });
}

/**
 * Takes over meetings with work that is due and in nobody's hands, every platform's longest waiting first, then every
 * platform's second; each goes to one taker. With `id`, that meeting's only, whose unfinished change need not be due.
 * Up to `ahead` more are taken that a dead writer left locked in any case: nobody can use those meetings meanwhile.
 */
export const claimOverdue = (db: Db, takeover: Takeover) => {
  const { owner, now, leaseUntil, limit, ahead = 0 } = takeover;
  // The work is locked with its meeting, and read as it is then: a writer may finish it while this statement looks for it.
  const taken = db.$with('taken').as(
    db
      .select({
        meetingId: pendingOperations.meetingId,
        kind: pendingOperations.kind,
        intent: pendingOperations.intent,
        attempts: pendingOperations.attempts,
        dueAt: pendingOperations.dueAt,
        createdAt: pendingOperations.createdAt,
      })
      .from(pendingOperations)
      .innerJoin(meetings, eq(meetings.id, pendingOperations.meetingId))
      .innerJoin(
        sql`(select line.*, row_number() over (order by line.place, line.since) as turn from (${lineOf(takeover)}) line) due`,
        sql`(due.meeting_id, due.kind) = (${pendingOperations.meetingId}, ${pendingOperations.kind})`,
      )
      .where(
        and(
          unleased(meetings.leaseUntil, now),
          sql`(due.turn <= ${limit}::int or ${pendingOperations.kind} not in ${AFTERWARDS})`,
        ),
      )
      .orderBy(sql`due.turn`)
      .limit(limit + ahead)
      .for('update', { of: [pendingOperations, meetings], skipLocked: true }),
  );
  return db
    .with(taken)
    .update(meetings)
    .set({ owner, leaseUntil })
    .from(taken)
    .innerJoin(platforms, sql`true`)
    .where(and(eq(meetings.id, taken.meetingId), eq(platforms.id, meetings.platformId)))
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
      metadata: meetings.metadata,
      providerEventId: meetings.providerEventId,
      usageMonth: meetings.usageMonth,
      kind: taken.kind,
      intent: taken.intent,
      attempts: taken.attempts,
      dueAt: taken.dueAt,
      pendingSince: taken.createdAt,
    });
};

export type Overdue = Awaited<ReturnType<typeof claimOverdue>>[number];

/** Lets others take over a meeting whose work is not done; what follows in the batch asks `isHeldBy`. */
export const endLease = (db: Db, { now, ...lease }: Lease & { now: number }) =>
  db.update(meetings).set({ leaseUntil: now }).where(isHeld(lease));
