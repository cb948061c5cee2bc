import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { busySnapshots } from '../tables/busy-snapshots.ts';
import { watchChannels } from '../tables/watch-channels.ts';
import { isAccountHeldBy } from './calendar-accounts-lease.ts';
import { hasUpcoming } from './upcoming.ts';

type UserId = SQL | typeof busySnapshots.userId;

/**
 * Returns an SQL condition that is true if each calendar that blocks the user's time has a watch channel that meets the
 * condition `isLike`. Over a watch channel the provider pushes the calendar's changes.
 */
const eachHas = (userId: UserId, isLike: SQL): SQL<boolean> => sql`not exists (
  select 1 from calendar_accounts a, unnest(a.calendar_marks) mark
  where a.user_id = ${userId} and not exists (
    select 1 from watch_channels w where w.user_id = a.user_id and w.calendar = mark and ${isLike}))`;

const isYoung = (now: number) => sql`w.expires_at - (w.expires_at - w.opened_at) / 14 > ${at(now)}`;

/**
 * Returns an SQL condition that is true if each calendar that blocks the user's time has a working watch channel. Such
 * a channel has delivered a push and is not in the last fourteenth of its life, half a day of a week.
 */
export const isWatched = (userId: UserId, now: number) =>
  eachHas(userId, sql`w.verified_at is not null and ${isYoung(now)}`);

const isLoose = sql`calendar <> all (
  select unnest(a.calendar_marks) from calendar_accounts a where a.user_id = watch_channels.user_id)`;

/**
 * Returns an SQL condition that is true if watch channels, over which the provider pushes changes of a user's
 * calendars, must be opened or closed:
 * - A calendar that blocks the user's time has no channel, or only one that is about to expire.
 * - A calendar that no longer blocks the user's time has a channel.
 */
export const needsWatch = (userId: UserId, now: number): SQL<boolean> => sql`(not ${eachHas(userId, isYoung(now))}
  or exists (select 1 from watch_channels where watch_channels.user_id = ${userId} and ${isLoose}))`;

/**
 * Lists the user's calendars that have a watch channel which need not be replaced yet, each as the hash in
 * `calendar_marks`.
 */
export async function listWatched(db: Db, { userId, now }: { userId: string; now: number }): Promise<string[]> {
  const { rows } = await db.execute<{ calendar: string }>(
    sql`select distinct w.calendar from ${watchChannels} w where w.user_id = ${userId} and ${isYoung(now)}`,
  );
  return rows.map(({ calendar }) => calendar);
}

/**
 * Reserves for the caller the opening of the watch channels (over which the provider pushes changes) that a user's
 * calendars lack. Of many concurrent callers only one succeeds, and the next try is at `nextAt` at the earliest.
 */
export async function takeWatch(db: Db, { userId, now, nextAt }: { userId: string; now: number; nextAt: number }) {
  const taken = await db
    .update(busySnapshots)
    .set({ watchAt: nextAt })
    .where(
      and(
        eq(busySnapshots.userId, userId),
        sql`${busySnapshots.watchAt} <= ${at(now)} and ${needsWatch(busySnapshots.userId, now)}`,
      ),
    )
    .returning({ userId: busySnapshots.userId });
  return taken.length > 0;
}

/**
 * Builds a statement that postpones the time at which Tandem next asks the provider to push changes of the user's
 * calendars.
 */
export const putOffWatch = (db: Db, { userId, until }: { userId: string; until: number }) =>
  db.update(busySnapshots).set({ watchAt: until }).where(eq(busySnapshots.userId, userId));

interface Channel {
  id: string;
  userId: string;
  /** Hash of the watched calendar's id, `primary` for the main calendar (`calendar_accounts.calendar_marks`). */
  calendar: string;
}

/**
 * Builds a statement that inserts a watch channel. It must run before the channel is requested, so that the channel's
 * first push finds the row.
 */
export const insertChannel = (db: Db, channel: Channel & { tokenHash: string; openedAt: number }) =>
  db.insert(watchChannels).values(channel);

/**
 * Builds a statement that records that the provider opened a watch channel, and when the channel expires. Does nothing
 * if the channel was deleted meanwhile, for example after the end of a grant.
 */
export const openChannel = (db: Db, { id, ...opened }: { id: string; resourceId: string; expiresAt: number }) =>
  db.update(watchChannels).set(opened).where(eq(watchChannels.id, id));

/** Builds a statement that deletes a watch channel, so that its later pushes are ignored. */
export const deleteChannel = (db: Db, { id }: { id: string }) =>
  db.delete(watchChannels).where(eq(watchChannels.id, id));

const stopped = { id: watchChannels.id, resourceId: watchChannels.resourceId };

/**
 * Builds a statement that deletes all watch channels of a calendar except the one with this id. It returns the deleted
 * channels, so that the caller can stop them at the provider.
 */
export const deleteOtherChannels = (db: Db, { userId, id, calendar }: Channel) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), eq(watchChannels.calendar, calendar), ne(watchChannels.id, id)))
    .returning(stopped);

/**
 * Builds a statement that deletes the watch channels (over which the provider pushes changes) of calendars that no
 * longer block the user's time. It returns the deleted channels, so that the caller can stop them at the provider.
 */
export const deleteLooseChannels = (db: Db, { userId }: { userId: string }) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), isLoose))
    .returning(stopped);

/** Builds a statement that deletes all watch channels of a user and returns them, so that the caller can stop them. */
export const deleteAllChannels = (db: Db, { userId }: { userId: string }) =>
  db.delete(watchChannels).where(eq(watchChannels.userId, userId)).returning(stopped);

/**
 * Builds a statement that deletes all watch channels of a user, over which the provider pushes changes of their
 * calendars. It takes effect only if an earlier statement of the batch has reserved the user's calendar account for
 * `owner`.
 */
export const deleteChannelsOf = (db: Db, { userId, owner }: { userId: string; owner: string }) =>
  db.delete(watchChannels).where(and(eq(watchChannels.userId, userId), isAccountHeldBy(userId, owner)));

interface Push {
  id: string;
  tokenHash: string;
  number: number;
  now: number;
}

const isNews = ({ id, tokenHash, number }: Push) =>
  and(eq(watchChannels.id, id), eq(watchChannels.tokenHash, tokenHash), lt(watchChannels.lastMessage, number));

/**
 * Builds a statement that records the provider's first message on a watch channel, which proves that the channel works.
 */
export const greetChannel = (db: Db, push: Push) =>
  db
    .update(watchChannels)
    .set({ lastMessage: push.number, verifiedAt: sql`coalesce(${watchChannels.verifiedAt}, ${at(push.now)})` })
    .where(isNews(push));

/**
 * Handles a calendar provider's push, which says that a calendar changed, and marks the stored busy times of its user
 * as stale. If the user has an upcoming Tandem meeting, its event becomes due for a look. Returns the user, and if that
 * look should not wait for the next tick because a platform asked for the user since `usedSince` (`isUrgent`). Returns
 * undefined for an unknown channel, a wrong secret, or a push older than an earlier one.
 */
export async function hearPush(db: Db, { usedSince, ...push }: Push & { usedSince: number }) {
  const { userId, usedAt } = busySnapshots;
  const isUsed = sql`${usedAt} > ${at(usedSince)}`;
  const { rows } = await db.execute<{ user_id: string; is_urgent: boolean }>(sql`
    with heard as (
      update ${watchChannels} set last_message = ${push.number}, verified_at = coalesce(verified_at, ${at(push.now)})
      where ${isNews(push)} returning user_id)
    update ${busySnapshots} set dirty_gen = dirty_gen + 1,
      due_at = case when ${hasUpcoming(userId, push.now)} then least(due_at, ${at(push.now)}) else due_at end
    from heard where ${userId} = heard.user_id
    returning heard.user_id, ${isUsed} and ${hasUpcoming(userId, push.now)} as is_urgent`);
  const [row] = rows;
  return row && { userId: row.user_id, isUrgent: row.is_urgent };
}
