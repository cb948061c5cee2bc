import { and, eq, inArray, sql } from 'drizzle-orm';
import { readable } from '../calendar-accounts/blocking-queries.ts';
import { isAccountHeldBy } from '../calendar-accounts/lease-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at, unleased } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds } from '../holds/table.ts';
import { hasUpcoming } from '../meetings/follow-queries.ts';
import { meetingPeople } from '../meetings/table.ts';
import { type Readable, readableIds } from '../people/queries.ts';
import { inTurn } from '../turns.ts';
import { users } from '../users/table.ts';
import { isWatched, needsWatch } from '../watch-channels/queries.ts';
import { busySnapshots } from './table.ts';

/**
 * Builds a statement that marks the user's stored busy times as stale and makes them due for a read now. The background
 * sweep then reads the calendar. The sweep takes the platforms in turn, so that none waits for another's people.
 */
export const renewSnapshot = (
  db: Db,
  { userId, platformId, now }: { userId: string; platformId: string | undefined; now: number },
) =>
  db
    .insert(busySnapshots)
    .values({ userId, turnOf: platformId ?? userId, usedAt: now, dueAt: now, watchAt: now })
    .onConflictDoUpdate({
      target: busySnapshots.userId,
      set: {
        ...(platformId !== undefined && { turnOf: platformId }),
        dirtyGen: sql`${busySnapshots.dirtyGen} + 1`,
        failures: 0,
        usedAt: now,
        dueAt: now,
        watchAt: now,
      },
    });

/** Builds a statement that deletes the stored busy times of a user whose account `owner` has leased. */
export const deleteSnapshotOf = (db: Db, { userId, owner }: { userId: string; owner: string }) =>
  db.delete(busySnapshots).where(and(eq(busySnapshots.userId, userId), isAccountHeldBy(userId, owner)));

/**
 * Builds a statement to run after a change to a meeting's calendar event. For everybody who has time reserved for the
 * meeting, it marks the stored busy times as stale and makes them due for a read.
 */
export const markMeetingDirty = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) =>
  db.execute(sql`
    update ${busySnapshots} set dirty_gen = dirty_gen + 1, due_at = least(due_at, ${at(now)})
    where ${guard} and user_id in (
      select b.user_id from ${busySnapshots} b where b.user_id in (
        select p.user_id from ${meetingPeople} p where p.meeting_id = ${meetingId}
        union select h.user_id from ${holds} h where h.meeting_id = ${meetingId})
      order by b.user_id for update)`);

/**
 * Builds a statement that lists the stored busy times of people whose times the request may read, with the facts that
 * say if the busy times are current.
 */
export const listBusySnapshots = (db: Db, { who, now }: { who: Readable; now: number }) =>
  db
    .select({
      email: users.email,
      busy: busySnapshots.busy,
      coversFrom: busySnapshots.coversFrom,
      coversUntil: busySnapshots.coversUntil,
      readAt: busySnapshots.readAt,
      isCurrent: sql<boolean>`${busySnapshots.syncedGen} = ${busySnapshots.dirtyGen}`,
      isWatched: isWatched(busySnapshots.userId, now),
    })
    .from(busySnapshots)
    .innerJoin(users, eq(users.id, busySnapshots.userId))
    .where(sql`${busySnapshots.userId} = any(${readableIds(who)})`);

export type BusySnapshot = Awaited<ReturnType<typeof listBusySnapshots>>[number];

/**
 * Takes snapshots of busy times that are due for a read: every platform's longest waiting first, then every platform's
 * second. A snapshot that is not read by `again` becomes due again at that time.
 */
export async function takeDueSnapshots(
  db: Db,
  { now, again, limit, each }: { now: number; again: number; limit: number; each: number },
): Promise<{ userId: string; turnOf: string }[]> {
  const isDue = sql`w.due_at <= ${at(now)}`;
  const due = inTurn({
    table: sql`${busySnapshots}`,
    tenant: sql`w.turn_of`,
    indexed: sql`true`,
    where: isDue,
    open: sql`exists (select 1 from ${calendarAccounts} a where a.user_id = w.user_id and a.status = 'connected')`,
    since: sql`w.due_at`,
    columns: sql`w.user_id`,
    each,
  });
  const { rows } = await db.execute<{ user_id: string; turn_of: string }>(sql`
    update ${busySnapshots} set due_at = ${at(again)}
    where user_id in (
      select w.user_id from (${due}) due join ${busySnapshots} w using (user_id)
      where ${isDue} order by due.place, due.since limit ${limit}::int for update of w skip locked)
    returning user_id, turn_of`);
  return rows.map(({ user_id: userId, turn_of: turnOf }) => ({ userId, turnOf }));
}

/**
 * Makes snapshots that `takeDueSnapshots` took due again at once. Leaves out snapshots whose next read has been
 * rescheduled since.
 */
export const releaseDueSnapshots = (
  db: Db,
  { userIds, again, now }: { userIds: string[]; again: number; now: number },
) =>
  db
    .update(busySnapshots)
    .set({ dueAt: now })
    .where(and(inArray(busySnapshots.userId, userIds), eq(busySnapshots.dueAt, again)));

interface SnapshotLease {
  userId: string;
  owner: string;
}

/**
 * Leases one user's snapshot of busy times for a read, if the snapshot is not leased and is either stale or was read
 * before `olderThan`. Returns the data that a read needs, and the generation number under which to save the result.
 */
export async function leaseSnapshot(
  db: Db,
  { userId, owner, now, leaseUntil, olderThan }: SnapshotLease & { now: number; leaseUntil: number; olderThan: number },
) {
  const [leased] = await db
    .update(busySnapshots)
    .set({ owner, leaseUntil })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      and(
        eq(busySnapshots.userId, userId),
        eq(users.id, busySnapshots.userId),
        eq(calendarAccounts.status, 'connected'),
        unleased(busySnapshots.leaseUntil, now),
        sql`(${busySnapshots.dirtyGen} > ${busySnapshots.syncedGen} or ${busySnapshots.readAt} < ${at(olderThan)})`,
      ),
    )
    .returning({
      id: users.id,
      email: users.email,
      status: calendarAccounts.status,
      ...readable,
      generation: busySnapshots.dirtyGen,
      syncedGen: busySnapshots.syncedGen,
      former: busySnapshots.busy,
      coversFrom: busySnapshots.coversFrom,
      readAt: busySnapshots.readAt,
      usedAt: busySnapshots.usedAt,
      isSecondLook: busySnapshots.isSecondLook,
      failures: busySnapshots.failures,
      isWatched: isWatched(busySnapshots.userId, now),
      needsWatch: needsWatch(busySnapshots.userId, now),
      watchAt: busySnapshots.watchAt,
      eventToken: busySnapshots.eventToken,
      hasUpcoming: hasUpcoming(busySnapshots.userId, now),
    });
  return leased;
}

export type LeasedSnapshot = NonNullable<Awaited<ReturnType<typeof leaseSnapshot>>>;

const mine = ({ userId, owner }: SnapshotLease) =>
  and(eq(busySnapshots.userId, userId), eq(busySnapshots.owner, owner));

interface Read {
  busy: number[];
  coversFrom: number;
  coversUntil: number;
  readAt: number;
}

/**
 * Times of a calendar's next read. One is for a calendar that a platform asked for since `usedSince`, the other for an
 * idle calendar.
 */
export interface NextReads {
  usedSince: number;
  ifUsed: { dueAt: number; isSecondLook: boolean };
  ifIdle: { dueAt: number };
}

const isUsed = (since: number) => sql`${busySnapshots.usedAt} > ${at(since)}`;

/**
 * Saves the busy times from a read, unless another reader has taken over the lease. They count as current only while
 * the snapshot's generation number is still the one from the start of the read. `isDirty` is true if the number has
 * risen since, so that the calendar must be read again.
 */
export async function saveSnapshot(
  db: Db,
  { generation, next, ...read }: SnapshotLease & Read & { generation: number; next: NextReads },
) {
  const { userId, owner, ...written } = read;
  const { usedSince, ifUsed, ifIdle } = next;
  const [saved] = await db
    .update(busySnapshots)
    .set({
      ...written,
      syncedGen: generation,
      failures: 0,
      isSecondLook: sql`${ifUsed.isSecondLook}::boolean and ${isUsed(usedSince)}`,
      dueAt: sql`case when ${busySnapshots.dirtyGen} > ${generation} then ${at(read.readAt)}
        when ${isUsed(usedSince)} then ${at(ifUsed.dueAt)} else ${at(ifIdle.dueAt)} end`,
      owner: null,
      leaseUntil: null,
    })
    .where(mine({ userId, owner }))
    .returning({ isDirty: sql<boolean>`${busySnapshots.dirtyGen} > ${busySnapshots.syncedGen}` });
  return saved;
}

/**
 * Releases the lease of a snapshot without a read of the calendar. The snapshot is due for a read at `dueAt`, or at
 * once if a platform has asked for the person's times meanwhile.
 */
export const releaseSnapshot = (
  db: Db,
  { usedSince, dueAt, now, ...lease }: SnapshotLease & { usedSince: number; dueAt: number; now: number },
) =>
  db
    .update(busySnapshots)
    .set({
      dueAt: sql`case when ${isUsed(usedSince)} then ${at(now)} else ${at(dueAt)} end`,
      owner: null,
      leaseUntil: null,
    })
    .where(mine(lease));

/** Records a failed read of a calendar. The stored busy times stay, but they are no longer current. */
export const failSnapshot = (db: Db, { dueAt, ...lease }: SnapshotLease & { dueAt: number }) =>
  db
    .update(busySnapshots)
    .set({
      dirtyGen: sql`${busySnapshots.dirtyGen} + 1`,
      failures: sql`${busySnapshots.failures} + 1`,
      dueAt,
      owner: null,
      leaseUntil: null,
    })
    .where(mine(lease));
