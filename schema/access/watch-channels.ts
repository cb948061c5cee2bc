import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import type { Db } from '../db.ts';
import { busySnapshots, watchChannels } from '../tables/calendar-accounts.ts';
import { DAY } from '../units.ts';
import { isAccountHeldBy } from './calendar-accounts.ts';

/** Live or unfinished meetings that did not end more than a day ago follow what people change in the calendar. */
export const hasUpcoming = (userId: SQL | typeof busySnapshots.userId, now: number): SQL<boolean> => sql`exists (
  select 1 from meetings m where m.organizer_id = ${userId} and m.ends_at > ${at(now - DAY)}
    and ${isOneOf(sql`m.status`, ['pending', ...LIVE_STATUSES])})`;

type UserId = SQL | typeof busySnapshots.userId;

/** The provider pushes the changes of each blocking calendar over a channel that meets `isLike`. */
const eachHas = (userId: UserId, isLike: SQL): SQL<boolean> => sql`not exists (
  select 1 from calendar_accounts a, unnest(a.calendar_marks) mark
  where a.user_id = ${userId} and not exists (
    select 1 from watch_channels w where w.user_id = a.user_id and w.calendar = mark and ${isLike}))`;

const isYoung = (now: number) => sql`w.expires_at - (w.expires_at - w.opened_at) / 14 > ${at(now)}`;

/** A channel works if it has delivered a push and is not in the last fourteenth of its life, half a day of a week. */
export const isWatched = (userId: UserId, now: number) =>
  eachHas(userId, sql`w.verified_at is not null and ${isYoung(now)}`);

const isLoose = sql`calendar <> all (
  select unnest(a.calendar_marks) from calendar_accounts a where a.user_id = watch_channels.user_id)`;

/** True if a blocking calendar has no channel or only one about to expire, or one that blocks no more has one. */
export const needsWatch = (userId: UserId, now: number): SQL<boolean> => sql`(not ${eachHas(userId, isYoung(now))}
  or exists (select 1 from watch_channels where watch_channels.user_id = ${userId} and ${isLoose}))`;

/** Each is the hash in `calendar_marks`. Their channels need not be replaced yet. */
export async function listWatched(db: Db, { userId, now }: { userId: string; now: number }): Promise<string[]> {
  const { rows } = await db.execute<{ calendar: string }>(
    sql`select distinct w.calendar from ${watchChannels} w where w.user_id = ${userId} and ${isYoung(now)}`,
  );
  return rows.map(({ calendar }) => calendar);
}

/** Of many concurrent callers only one may open the channels. The next try is at `nextAt` at the earliest. */
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

export const putOffWatch = (db: Db, { userId, until }: { userId: string; until: number }) =>
  db.update(busySnapshots).set({ watchAt: until }).where(eq(busySnapshots.userId, userId));

type Channel = Pick<typeof watchChannels.$inferSelect, 'id' | 'userId' | 'calendar'>;

/** Must run before the channel is requested, so that its first push finds the row. */
export const insertChannel = (db: Db, channel: Channel & { tokenHash: string; openedAt: number }) =>
  db.insert(watchChannels).values(channel);

/** Does nothing if the channel was deleted meanwhile, for example after the end of a grant. */
export const openChannel = (db: Db, { id, ...opened }: { id: string; resourceId: string; expiresAt: number }) =>
  db.update(watchChannels).set(opened).where(eq(watchChannels.id, id));

export const deleteChannel = (db: Db, { id }: { id: string }) =>
  db.delete(watchChannels).where(eq(watchChannels.id, id));

const stopped = { id: watchChannels.id, resourceId: watchChannels.resourceId };

/** Returns the deleted channels, so that the caller can stop them at the provider. */
export const deleteOtherChannels = (db: Db, { userId, id, calendar }: Channel) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), eq(watchChannels.calendar, calendar), ne(watchChannels.id, id)))
    .returning(stopped);

/** Their calendars block no more. Returns the channels, so that the caller can stop them at the provider. */
export const deleteLooseChannels = (db: Db, { userId }: { userId: string }) =>
  db
    .delete(watchChannels)
    .where(and(eq(watchChannels.userId, userId), isLoose))
    .returning(stopped);

export const deleteAllChannels = (db: Db, { userId }: { userId: string }) =>
  db.delete(watchChannels).where(eq(watchChannels.userId, userId)).returning(stopped);

export const deleteChannelsOf = (db: Db, { userId, owner }: { userId: string; owner: string }) =>
  db.delete(watchChannels).where(and(eq(watchChannels.userId, userId), isAccountHeldBy(userId, owner)));

type Push = { id: string; tokenHash: string; number: number; now: number };

const isNews = ({ id, tokenHash, number }: Push) =>
  and(eq(watchChannels.id, id), eq(watchChannels.tokenHash, tokenHash), lt(watchChannels.lastMessage, number));

/** The provider's first message on a channel proves that it works. */
export const greetChannel = (db: Db, push: Push) =>
  db
    .update(watchChannels)
    .set({ lastMessage: push.number, verifiedAt: sql`coalesce(${watchChannels.verifiedAt}, ${at(push.now)})` })
    .where(isNews(push));

/**
 * Marks the stored busy times as stale, and makes a read due for a person with an upcoming meeting, whose event may
 * have changed. `isUrgent` says that the read should not wait for the next sweep, because a platform asked since
 * `usedSince`. Returns undefined for an unknown channel, a wrong secret, or a push older than an earlier one.
 */
export async function hearPush(db: Db, { usedSince, ...push }: Push & { usedSince: number }) {
  const { userId, usedAt } = busySnapshots;
  const isUsed = sql`${usedAt} > ${at(usedSince)}`;
  const { rows } = await db.execute<{ userId: string; isUrgent: boolean }>(sql`
    with heard as (
      update ${watchChannels} set last_message = ${push.number}, verified_at = coalesce(verified_at, ${at(push.now)})
      where ${isNews(push)} returning user_id)
    update ${busySnapshots} set dirty_gen = dirty_gen + 1,
      due_at = case when ${hasUpcoming(userId, push.now)} then least(due_at, ${at(push.now)}) else due_at end
    from heard where ${userId} = heard.user_id
    returning heard.user_id as "userId", ${isUsed} and ${hasUpcoming(userId, push.now)} as "isUrgent"`);
  return rows[0];
}
