import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import { busySnapshots } from '../busy-snapshots/table.ts';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { watchChannels } from './table.ts';

/** Whether the user has a channel that pushes came over and that is not in the last fifth of its life. */
export const isWatched = (userId: SQL | typeof busySnapshots.userId, now: number): SQL<boolean> => sql`exists (
  select 1 from watch_channels w where w.user_id = ${userId} and w.verified_at is not null
    and w.expires_at - (w.expires_at - w.opened_at) / 5 > ${at(now)})`;

/** Whether the user has a channel that need not be replaced yet, pushes or none. */
export const hasChannel = (userId: SQL | typeof busySnapshots.userId, now: number): SQL<boolean> => sql`exists (
  select 1 from watch_channels w where w.user_id = ${userId}
    and w.expires_at - (w.expires_at - w.opened_at) / 5 > ${at(now)})`;

/** Wins the right to open a channel now, once however many ask; the next try is not before `nextAt`. */
export async function claimWatch(db: Db, { userId, now, nextAt }: { userId: string; now: number; nextAt: number }) {
  const claimed = await db
    .update(busySnapshots)
    .set({ watchAt: nextAt })
    .where(
      and(
        eq(busySnapshots.userId, userId),
        sql`${busySnapshots.watchAt} <= ${at(now)} and not ${hasChannel(busySnapshots.userId, now)}`,
      ),
    )
    .returning({ userId: busySnapshots.userId });
  return claimed.length > 0;
}

/** A channel that is about to be asked for, so that its first push finds it. */
export const insertChannel = (db: Db, channel: { id: string; userId: string; tokenHash: string; openedAt: number }) =>
  db.insert(watchChannels).values(channel);

/** The provider opened it: pushes come until it expires. Nothing where it is gone, as after the end of a grant. */
export const openChannel = (db: Db, { id, ...opened }: { id: string; resourceId: string; expiresAt: number }) =>
  db.update(watchChannels).set(opened).where(eq(watchChannels.id, id));

/** Forgets a channel: what comes over it from now on is nothing. */
export const deleteChannel = (db: Db, { id }: { id: string }) =>
  db.delete(watchChannels).where(eq(watchChannels.id, id));

/** Forgets the user's other channels; answers them. */
export const deleteOtherChannels = (db: Db, { userId, id }: { userId: string; id: string }) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), ne(watchChannels.id, id)))
    .returning({ id: watchChannels.id, resourceId: watchChannels.resourceId });

/** Statement: forgets all channels of the account this owner holds. */
export const deleteChannelsOf = (db: Db, { userId, owner }: { userId: string; owner: string }) =>
  db.delete(watchChannels).where(and(eq(watchChannels.userId, userId), isClaimedBy(userId, owner)));

interface Push {
  id: string;
  tokenHash: string;
  number: number;
  now: number;
}

const isNews = ({ id, tokenHash, number }: Push) =>
  and(eq(watchChannels.id, id), eq(watchChannels.tokenHash, tokenHash), lt(watchChannels.lastMessage, number));

/** The provider greets over a channel: it works. */
export const greetChannel = (db: Db, push: Push) =>
  db
    .update(watchChannels)
    .set({ lastMessage: push.number, verifiedAt: sql`coalesce(${watchChannels.verifiedAt}, ${at(push.now)})` })
    .where(isNews(push));

/**
 * A push says that something changed: marks the snapshot of the channel's user dirty. Answers whose, and when it was last
 * read; undefined for a channel that is not ours, another's secret, or a push that is older than one before.
 */
export async function hearPush(db: Db, push: Push) {
  const { rows } = await db.execute<{ user_id: string; read_at_ms: number | null }>(sql`
    with heard as (
      update ${watchChannels} set last_message = ${push.number}, verified_at = coalesce(verified_at, ${at(push.now)})
      where ${isNews(push)} returning user_id)
    update ${busySnapshots} set dirty_gen = dirty_gen + 1, due_at = least(due_at, ${at(push.now)})
    from heard where ${busySnapshots}.user_id = heard.user_id
    returning heard.user_id, (extract(epoch from ${busySnapshots}.read_at) * 1000)::float8 as read_at_ms`);
  const [row] = rows;
  return row && { userId: row.user_id, readAt: row.read_at_ms };
}
