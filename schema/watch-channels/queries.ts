import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import { busySnapshots } from '../busy-snapshots/table.ts';
import { isClaimedBy } from '../calendar-accounts/claim-queries.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { hasUpcoming } from '../meetings/follow-queries.ts';
import { watchChannels } from './table.ts';

type UserId = SQL | typeof busySnapshots.userId;

/** Whether each calendar that blocks the user's time has a channel like this. */
const eachHas = (userId: UserId, isLike: SQL): SQL<boolean> => sql`not exists (
  select 1 from calendar_accounts a, unnest(a.calendar_marks) mark
  where a.user_id = ${userId} and not exists (
    select 1 from watch_channels w where w.user_id = a.user_id and w.calendar = mark and ${isLike}))`;

const isYoung = (now: number) => sql`w.expires_at - (w.expires_at - w.opened_at) / 5 > ${at(now)}`;

/** Whether each of the user's calendars has a channel that pushes came over and that is not in the last fifth of its life. */
export const isWatched = (userId: UserId, now: number) =>
  eachHas(userId, sql`w.verified_at is not null and ${isYoung(now)}`);

const isLoose = sql`calendar <> all (
  select unnest(a.calendar_marks) from calendar_accounts a where a.user_id = watch_channels.user_id)`;

/** Whether one of them lacks a channel that need not be replaced yet, pushes or none; or one that blocks no more has one. */
export const needsWatch = (userId: UserId, now: number): SQL<boolean> => sql`(not ${eachHas(userId, isYoung(now))}
  or exists (select 1 from watch_channels where watch_channels.user_id = ${userId} and ${isLoose}))`;

/** The marks of the user's calendars whose channel need not be replaced yet. */
export async function listWatched(db: Db, { userId, now }: { userId: string; now: number }): Promise<string[]> {
  const { rows } = await db.execute<{ calendar: string }>(
    sql`select distinct w.calendar from ${watchChannels} w where w.user_id = ${userId} and ${isYoung(now)}`,
  );
  return rows.map(({ calendar }) => calendar);
}

/** Wins the right to open the channels that lack now, once however many ask; the next try is not before `nextAt`. */
export async function claimWatch(db: Db, { userId, now, nextAt }: { userId: string; now: number; nextAt: number }) {
  const claimed = await db
    .update(busySnapshots)
    .set({ watchAt: nextAt })
    .where(
      and(
        eq(busySnapshots.userId, userId),
        sql`${busySnapshots.watchAt} <= ${at(now)} and ${needsWatch(busySnapshots.userId, now)}`,
      ),
    )
    .returning({ userId: busySnapshots.userId });
  return claimed.length > 0;
}

/** No channel of the user's is asked for before then. */
export const putOffWatch = (db: Db, { userId, until }: { userId: string; until: number }) =>
  db.update(busySnapshots).set({ watchAt: until }).where(eq(busySnapshots.userId, userId));

interface Channel {
  id: string;
  userId: string;
  /** The mark of the calendar. */
  calendar: string;
}

/** A channel that is about to be asked for, so that its first push finds it. */
export const insertChannel = (db: Db, channel: Channel & { tokenHash: string; openedAt: number }) =>
  db.insert(watchChannels).values(channel);

/** The provider opened it: pushes come until it expires. Nothing where it is gone, as after the end of a grant. */
export const openChannel = (db: Db, { id, ...opened }: { id: string; resourceId: string; expiresAt: number }) =>
  db.update(watchChannels).set(opened).where(eq(watchChannels.id, id));

/** Forgets a channel: what comes over it from now on is nothing. */
export const deleteChannel = (db: Db, { id }: { id: string }) =>
  db.delete(watchChannels).where(eq(watchChannels.id, id));

const stopped = { id: watchChannels.id, resourceId: watchChannels.resourceId };

/** Forgets the other channels of the calendar; answers them. */
export const deleteOtherChannels = (db: Db, { userId, id, calendar }: Channel) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), eq(watchChannels.calendar, calendar), ne(watchChannels.id, id)))
    .returning(stopped);

/** Forgets the channels of calendars that block the user's time no more; answers them. */
export const deleteLooseChannels = (db: Db, { userId }: { userId: string }) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), isLoose))
    .returning(stopped);

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
 * A push says that something changed: marks the snapshot of the channel's user dirty, and due where somebody asked for them
 * since `usedSince` or a meeting of ours is ahead. Answers whose, whether somebody asked, and when it was last read;
 * undefined for a channel that is not ours, another's secret, or a push that is older than one before.
 */
export async function hearPush(db: Db, { usedSince, ...push }: Push & { usedSince: number }) {
  const { userId, usedAt } = busySnapshots;
  const isUsed = sql`${usedAt} > ${at(usedSince)}`;
  const { rows } = await db.execute<{ user_id: string; is_used: boolean; read_at_ms: number | null }>(sql`
    with heard as (
      update ${watchChannels} set last_message = ${push.number}, verified_at = coalesce(verified_at, ${at(push.now)})
      where ${isNews(push)} returning user_id)
    update ${busySnapshots} set dirty_gen = dirty_gen + 1,
      due_at = case when ${isUsed} or ${hasUpcoming(userId, push.now)} then least(due_at, ${at(push.now)}) else due_at end
    from heard where ${userId} = heard.user_id
    returning heard.user_id, ${isUsed} as is_used,
      (extract(epoch from ${busySnapshots}.read_at) * 1000)::float8 as read_at_ms`);
  const [row] = rows;
  return row && { userId: row.user_id, isUsed: row.is_used, readAt: row.read_at_ms };
}
