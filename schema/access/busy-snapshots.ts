import { and, eq, inArray, sql } from 'drizzle-orm';
import { at, pick, unleased } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { busySnapshots, calendarAccounts } from '../tables/calendar-accounts.ts';
import { meetingPeople } from '../tables/meetings.ts';
import { holds } from '../tables/proposals.ts';
import { inTurn } from '../tables/turns.ts';
import { connections, users } from '../tables/users.ts';
import { isAccountHeldBy, readable } from './calendar-accounts.ts';
import { type Readable, readableIds } from './people.ts';
import { hasUpcoming, isWatched, needsWatch } from './watch-channels.ts';

/** The sweep makes the read, and takes the platforms in turn, so that none waits for another's people. */
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
        // While the person was not connected to the platform, nobody read the changes of its meetings.
        ...(platformId !== undefined && { turnOf: platformId, eventToken: null }),
        dirtyGen: sql`${busySnapshots.dirtyGen} + 1`,
        failures: 0,
        usedAt: now,
        dueAt: now,
        watchAt: now,
      },
    });

/** Does so only while `owner` has the user's calendar account leased. */
export const deleteSnapshotOf = (db: Db, { userId, owner }: { userId: string; owner: string }) =>
  db.delete(busySnapshots).where(and(eq(busySnapshots.userId, userId), isAccountHeldBy(userId, owner)));

/** Everybody whose time is reserved for the meeting gets stale busy times, due for a read. */
export const markMeetingDirty = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) =>
  db.execute(sql`
    update ${busySnapshots} set dirty_gen = dirty_gen + 1, due_at = least(due_at, ${at(now)})
    where ${guard} and user_id in (
      select b.user_id from ${busySnapshots} b where b.user_id in (
        select p.user_id from ${meetingPeople} p where p.meeting_id = ${meetingId}
        union select h.user_id from ${holds} h where h.meeting_id = ${meetingId})
      order by b.user_id for update)`);

/** A read that another platform caused would tell this one that somebody else asks about the person too. */
const isReadFor = (who: Readable) =>
  'userId' in who
    ? sql`true`
    : sql`exists (
        select 1 from ${connections} c where c.platform_id = ${who.platformId}
          and c.user_id = ${busySnapshots.userId} and c.synced_at = ${busySnapshots.readAt})`;

export const listBusySnapshots = (db: Db, { who, now }: { who: Readable; now: number }) =>
  db
    .select({
      email: users.email,
      ...pick(busySnapshots, 'busy', 'coversFrom', 'coversUntil', 'readAt'),
      // The provider pushes no changes of a calendar without channels.
      isCurrent: sql<boolean>`(${busySnapshots.syncedGen} = ${busySnapshots.dirtyGen} and ${isWatched(busySnapshots.userId, now)})`,
    })
    .from(busySnapshots)
    .innerJoin(users, eq(users.id, busySnapshots.userId))
    .where(sql`${busySnapshots.userId} = any(${readableIds(who)}) and ${isReadFor(who)}`);

export type BusySnapshot = Awaited<ReturnType<typeof listBusySnapshots>>[number];

/** Every platform's longest waiting comes first, then its second. What nobody has read by `again` is due again then. */
export async function takeDueSnapshots(
  db: Db,
  { now, again, limit, each }: { now: number; again: number; limit: number; each: number },
) {
  const isDue = sql`w.due_at <= ${at(now)}`;
  const due = inTurn({
    table: busySnapshots,
    tenant: sql`w.turn_of`,
    indexed: sql`true`,
    where: isDue,
    open: sql`exists (select 1 from ${calendarAccounts} a where a.user_id = w.user_id and a.status = 'connected')`,
    since: sql`w.due_at`,
    columns: sql`w.user_id`,
    each,
  });
  const { rows } = await db.execute<{ userId: string; turnOf: string }>(sql`
    update ${busySnapshots} set due_at = ${at(again)}
    where user_id in (
      select w.user_id from (${due}) due join ${busySnapshots} w using (user_id)
      where ${isDue} order by due.place, due.since limit ${limit}::int for update of w skip locked)
    returning user_id as "userId", turn_of as "turnOf"`);
  return rows;
}

/** Leaves out those whose next read was planned for another time since. */
export const releaseDueSnapshots = (db: Db, of: { userIds: string[]; again: number; now: number }) =>
  db
    .update(busySnapshots)
    .set({ dueAt: of.now })
    .where(and(inArray(busySnapshots.userId, of.userIds), eq(busySnapshots.dueAt, of.again)));

interface SnapshotLease {
  userId: string;
  owner: string;
}

/**
 * Keeps others from reading the calendar meanwhile. Does nothing unless the busy times are stale or were read before
 * `olderThan`. Returns the counter of calendar changes at the start of the read, under which to save the result.
 */
export async function leaseSnapshot(
  db: Db,
  of: SnapshotLease & { now: number; leaseUntil: number; olderThan: number },
) {
  const [leased] = await db
    .update(busySnapshots)
    .set({ owner: of.owner, leaseUntil: of.leaseUntil })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      and(
        eq(busySnapshots.userId, of.userId),
        eq(users.id, busySnapshots.userId),
        eq(calendarAccounts.status, 'connected'),
        unleased(busySnapshots.leaseUntil, of.now),
        sql`(${busySnapshots.dirtyGen} > ${busySnapshots.syncedGen} or ${busySnapshots.readAt} < ${at(of.olderThan)})`,
      ),
    )
    .returning({
      ...pick(users, 'id', 'email', 'calendarTimeZone', 'zoneReadAt'),
      status: calendarAccounts.status,
      ...readable,
      generation: busySnapshots.dirtyGen,
      ...pick(busySnapshots, 'syncedGen', 'readAt', 'usedAt', 'failures', 'watchAt', 'eventToken'),
      needsWatch: needsWatch(busySnapshots.userId, of.now),
      hasUpcoming: hasUpcoming(busySnapshots.userId, of.now),
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

/** Plan for a calendar's next read. It is due at once if a platform asked for the person after `seenUse`. */
export interface NextRead {
  dueAt: number;
  seenUse: number;
  now: number;
}

const dueAfter = ({ dueAt, seenUse, now }: NextRead) =>
  sql`case when ${busySnapshots.usedAt} > ${at(seenUse)} then ${at(now)} else ${at(dueAt)} end`;

/** Does nothing if another process has taken over the lease. */
export const saveSnapshot = (
  db: Db,
  { generation, next, userId, owner, ...read }: SnapshotLease & Read & { generation: number; next: NextRead },
) =>
  db
    .update(busySnapshots)
    .set({ ...read, syncedGen: generation, failures: 0, dueAt: dueAfter(next), owner: null, leaseUntil: null })
    .where(mine({ userId, owner }));

/** Time after a platform's use within which the first read counts as caused by it: the sweep runs each minute. */
const OWN_READ = sql`interval '2 minutes'`;

/** Comes after `saveSnapshot`. Skips locked rows, whose platforms then read for themselves. */
export const markSynced = (db: Db, { userId, readAt }: { userId: string; readAt: number }) =>
  db.execute(sql`
    update ${connections} c set synced_at = ${at(readAt)}
    where (c.platform_id, c.user_id) in (
      select o.platform_id, o.user_id from ${connections} o
      where o.user_id = ${userId} and o.disconnected_at is null
        and ${at(readAt)} between o.last_used_at and o.last_used_at + ${OWN_READ}
        and (o.synced_at is null or o.synced_at < o.last_used_at)
        and exists (select 1 from ${busySnapshots} s where s.user_id = o.user_id and s.read_at = ${at(readAt)})
      for update skip locked)`);

export const releaseSnapshot = (db: Db, { userId, owner, ...next }: SnapshotLease & NextRead) =>
  db
    .update(busySnapshots)
    .set({ dueAt: dueAfter(next), owner: null, leaseUntil: null })
    .where(mine({ userId, owner }));

/** The stored busy times stay, but they are no longer current. */
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
