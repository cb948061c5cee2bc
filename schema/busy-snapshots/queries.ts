import { and, eq, inArray, sql } from 'drizzle-orm';
import { readable } from '../calendar-accounts/blocking-queries.ts';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds } from '../holds/table.ts';
import { hasUpcoming } from '../meetings/follow-queries.ts';
import { meetingPeople } from '../meetings/table.ts';
import { inTurn } from '../turns.ts';
import { users } from '../users/table.ts';
import { isWatched, needsWatch } from '../watch-channels/queries.ts';
import { busySnapshots } from './table.ts';

/** Statement: what was read of the user's calendar counts no more, and it is read anew now, when its platform's turn comes. */
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

/** Statement: forgets what was read of the account this owner holds. */
export const deleteSnapshotOf = (db: Db, { userId, owner }: { userId: string; owner: string }) =>
  db.delete(busySnapshots).where(and(eq(busySnapshots.userId, userId), isClaimedBy(userId, owner)));

/** Statement: we changed the event of a meeting, so that the calendars of everyone it holds time of are read anew. */
export const markMeetingDirty = (db: Db, { meetingId, now, guard }: { meetingId: string; now: number; guard: Guard }) =>
  db.execute(sql`
    update ${busySnapshots} set dirty_gen = dirty_gen + 1, due_at = least(due_at, ${at(now)})
    where ${guard} and user_id in (
      select b.user_id from ${busySnapshots} b where b.user_id in (
        select p.user_id from ${meetingPeople} p where p.meeting_id = ${meetingId}
        union select h.user_id from ${holds} h where h.meeting_id = ${meetingId})
      order by b.user_id for update)`);

/** Statement: what was read of these people's calendars, and how far it can be believed. */
export const listBusySnapshots = (db: Db, { emails, now }: { emails: string[]; now: number }) =>
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
    .where(inArray(users.email, emails));

export type BusySnapshot = Awaited<ReturnType<typeof listBusySnapshots>>[number];

/**
 * Hands out what is due, every platform's longest waiting first, then every platform's second; what nobody reads by `again`
 * is due once more then.
 */
export async function claimDueSnapshots(
  db: Db,
  { now, again, limit, each }: { now: number; again: number; limit: number; each: number },
): Promise<{ userId: string; turnOf: string }[]> {
  const isDue = sql`w.due_at <= ${at(now)}`;
  const due = inTurn({
    table: sql`${busySnapshots}`,
    owner: sql`w.turn_of`,
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

interface Claim {
  userId: string;
  owner: string;
}

/**
 * Takes one user's snapshot for a read, if nobody has it, and it is dirty or was last read before `olderThan`. Answers
 * what a read needs, and the generation it will be of.
 */
export async function claimSnapshot(
  db: Db,
  { userId, owner, now, leaseUntil, olderThan }: Claim & { now: number; leaseUntil: number; olderThan: number },
) {
  const [claimed] = await db
    .update(busySnapshots)
    .set({ owner, leaseUntil })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(
      and(
        eq(busySnapshots.userId, userId),
        eq(users.id, busySnapshots.userId),
        eq(calendarAccounts.status, 'connected'),
        sql`(${busySnapshots.leaseUntil} is null or ${busySnapshots.leaseUntil} <= ${at(now)})
          and (${busySnapshots.dirtyGen} > ${busySnapshots.syncedGen} or ${busySnapshots.readAt} < ${at(olderThan)})`,
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
  return claimed;
}

export type ClaimedSnapshot = NonNullable<Awaited<ReturnType<typeof claimSnapshot>>>;

const mine = ({ userId, owner }: Claim) => and(eq(busySnapshots.userId, userId), eq(busySnapshots.owner, owner));

interface Read {
  busy: number[];
  coversFrom: number;
  coversUntil: number;
  readAt: number;
}

/** When the next read is due: of a calendar that was asked for since then, and of any other. */
export interface NextReads {
  usedSince: number;
  ifUsed: { dueAt: number; isSecondLook: boolean };
  ifIdle: { dueAt: number };
}

const isUsed = (since: number) => sql`${busySnapshots.usedAt} > ${at(since)}`;

/**
 * Keeps what a read brought, as of the generation it began with, unless another has the snapshot by now. Answers whether
 * something changed meanwhile, so that it is to be read once more.
 */
export async function saveSnapshot(
  db: Db,
  { generation, next, ...read }: Claim & Read & { generation: number; next: NextReads },
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

/** Gives the snapshot back unread; it is due then, or at once if somebody has asked for it. */
export const releaseSnapshot = (
  db: Db,
  { usedSince, dueAt, now, ...claim }: Claim & { usedSince: number; dueAt: number; now: number },
) =>
  db
    .update(busySnapshots)
    .set({
      dueAt: sql`case when ${isUsed(usedSince)} then ${at(now)} else ${at(dueAt)} end`,
      owner: null,
      leaseUntil: null,
    })
    .where(mine(claim));

/** A read brought nothing: what there is stays, as of unknown truth. */
export const failSnapshot = (db: Db, { dueAt, ...claim }: Claim & { dueAt: number }) =>
  db
    .update(busySnapshots)
    .set({
      dirtyGen: sql`${busySnapshots.dirtyGen} + 1`,
      failures: sql`${busySnapshots.failures} + 1`,
      dueAt,
      owner: null,
      leaseUntil: null,
    })
    .where(mine(claim));
