import { and, eq, inArray, sql } from 'drizzle-orm';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { holds } from '../holds/table.ts';
import { hasUpcoming } from '../meetings/follow-queries.ts';
import { meetingPeople } from '../meetings/table.ts';
import { users } from '../users/table.ts';
import { hasChannel, isWatched } from '../watch-channels/queries.ts';
import { busySnapshots } from './table.ts';

/** Statement: what was read of the user's calendar counts no more, and it is read anew now. */
export const renewSnapshot = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .insert(busySnapshots)
    .values({ userId, dueAt: now, watchAt: now })
    .onConflictDoUpdate({
      target: busySnapshots.userId,
      set: { dirtyGen: sql`${busySnapshots.dirtyGen} + 1`, failures: 0, dueAt: now, watchAt: now },
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

/** Hands out what is due, longest waiting first; what nobody reads by `again` is due once more then. */
export async function claimDueSnapshots(
  db: Db,
  { now, again, limit }: { now: number; again: number; limit: number },
): Promise<string[]> {
  const { rows } = await db.execute<{ user_id: string }>(sql`
    update ${busySnapshots} set due_at = ${at(again)}
    where user_id in (
      select b.user_id from ${busySnapshots} b join ${calendarAccounts} a on a.user_id = b.user_id and a.status = 'connected'
      where b.due_at <= ${at(now)} order by b.due_at limit ${limit} for update of b skip locked)
    returning user_id`);
  return rows.map(({ user_id }) => user_id);
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
      accessToken: calendarAccounts.accessToken,
      accessExpiresAt: calendarAccounts.accessExpiresAt,
      generation: busySnapshots.dirtyGen,
      syncedGen: busySnapshots.syncedGen,
      former: busySnapshots.busy,
      isSecondLook: busySnapshots.isSecondLook,
      failures: busySnapshots.failures,
      isWatched: isWatched(busySnapshots.userId, now),
      hasChannel: hasChannel(busySnapshots.userId, now),
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
  isSecondLook: boolean;
}

/**
 * Keeps what a read brought, as of the generation it began with, unless another has the snapshot by now. Answers whether
 * something changed meanwhile, so that it is to be read once more.
 */
export async function saveSnapshot(
  db: Db,
  { generation, dueAt, ...read }: Claim & Read & { generation: number; dueAt: number },
) {
  const { userId, owner, ...written } = read;
  const [saved] = await db
    .update(busySnapshots)
    .set({
      ...written,
      syncedGen: generation,
      failures: 0,
      dueAt: sql`case when ${busySnapshots.dirtyGen} > ${generation} then ${at(read.readAt)} else ${at(dueAt)} end`,
      owner: null,
      leaseUntil: null,
    })
    .where(mine({ userId, owner }))
    .returning({ isDirty: sql<boolean>`${busySnapshots.dirtyGen} > ${busySnapshots.syncedGen}` });
  return saved;
}

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
