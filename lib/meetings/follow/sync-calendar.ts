import { releaseDueSnapshots, takeDueSnapshots } from '../../../schema/access/busy-snapshots.ts';
import { greetChannel, hearPush } from '../../../schema/access/watch-channels.ts';
import { readSnapshot } from '../../calendars/snapshot/read.ts';
import { usedSince } from '../../calendars/snapshot/timing.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { sha256 } from '../../kit/keys.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { eachOf, publishDue } from '../../kit/work-off.ts';
import { followCalendar } from './follow-calendar.ts';

/** Also follows the changes that people made to Tandem's meetings. Does nothing unless a read is due. */
export async function syncCalendar(ctx: Ctx, userId: string, { olderThan = 0 } = {}): Promise<void> {
  const account = await readSnapshot(ctx, userId, { olderThan });
  if (account === undefined || !account.hasUpcoming) return;
  try {
    await followCalendar(ctx, account);
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError)) throw error;
    ctx.log('warn', 'what changed in a calendar is not known yet', { user_id: userId, error });
  }
}

interface Push {
  channelId: string;
  token: string;
  state: string;
  number: number;
}

/**
 * A push proves only that its sender knows the channel's secret, so nothing else in it is trusted. Returns false for a
 * secret that Tandem never issued, without a database query.
 */
export async function receivePush(ctx: Ctx, { channelId: id, token, state, number }: Push): Promise<boolean> {
  if (!(token.startsWith('push_') && (await ctx.keys.isGenuine(token)))) return false;
  const now = ctx.clock.now();
  const push = { id, tokenHash: await sha256(token), number, now };
  if (state === 'sync') {
    await greetChannel(ctx.db, push);
    return true;
  }
  const heard = await hearPush(ctx.db, { ...push, usedSince: usedSince(now) });
  if (heard?.isUrgent) ctx.later(syncCalendar(ctx, heard.userId));
  return true;
}

/** After this time the calendar was not read and the queue message counts as lost. */
const AGAIN_MS = 120_000;
const AT_ONCE = 1_000;
const OF_ONE_PLATFORM = 200;
/** The Worker that gets the message reads a few of these users' calendars at a time. */
const PER_MESSAGE = 20;
/** Each read makes two calls at the same time, one for each half of its days, and a Worker has six connections. */
const READS_AT_ONCE = 2;
/** Slow calendars of one platform then leave capacity to the others. */
const PARALLELISM = 10;

/** Platforms take turns, so no backlog delays others. Returns their number. */
export const sweepCalendars = (ctx: Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>, until: number): Promise<number> =>
  publishDue(ctx, {
    chore: 'calendars',
    until,
    take: (now) => takeDueSnapshots(ctx.db, { now, again: now + AGAIN_MS, limit: AT_ONCE, each: OF_ONE_PLATFORM }),
    messagesFor: (due, now) =>
      [...Map.groupBy(due, ({ turnOf }) => turnOf)].flatMap(([turnOf, theirs]) => messagesFor(turnOf, theirs, now)),
    release: (due, now) =>
      releaseDueSnapshots(ctx.db, { userIds: due.map(({ userId }) => userId), again: now + AGAIN_MS, now }),
  });

function messagesFor(turnOf: string, due: { userId: string }[], askedAt: number): QueueMessage[] {
  const ids = due.map(({ userId }) => userId);
  return Array.from({ length: Math.ceil(ids.length / PER_MESSAGE) }, (_, n) => ({
    path: '/internal/sync-calendars',
    body: { user_ids: ids.slice(n * PER_MESSAGE, (n + 1) * PER_MESSAGE), asked_at: askedAt },
    lane: { key: `calendars.${turnOf}`, parallelism: PARALLELISM },
  }));
}

/** Skips those that were read since the message was sent. */
export const syncCalendars = (ctx: Ctx, { userIds, askedAt }: { userIds: string[]; askedAt: number }) =>
  eachOf(userIds, READS_AT_ONCE, (userId) =>
    syncCalendar(ctx, userId, { olderThan: askedAt }).catch((error) =>
      ctx.log('error', 'a calendar was not read', { error }),
    ),
  );
