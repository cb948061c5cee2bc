import { claimDueSnapshots } from '../../schema/busy-snapshots/queries.ts';
import type { Ctx } from '../context.ts';
import type { QueueMessage } from '../ports.ts';
import { syncCalendar } from './sync-calendar.ts';

/** A message that got lost is sent again after this. */
const AGAIN_MS = 120_000;
/** Calendars that are asked for in one call to the queue, and of one platform. */
const AT_ONCE = 1_000;
const OF_ONE_PLATFORM = 200;
/** Users of one message, read a few at a time by whichever Worker gets it. */
const PER_MESSAGE = 20;
/** Each reads two spans side by side, and a Worker has six connections. */
const READS_AT_ONCE = 2;
/** Messages of one platform at a time: calendars that hang leave those of others their reads. */
const PARALLELISM = 10;

/** Hands the calendars that are due to be read to the queue, the platforms in turn, until none is left or time is up. */
export async function sweepCalendars(ctx: Pick<Ctx, 'db' | 'clock' | 'queue'>, until: number): Promise<void> {
  for (let now = ctx.clock.now(); now < until; now = ctx.clock.now()) {
    const again = now + AGAIN_MS;
    const due = await claimDueSnapshots(ctx.db, { now, again, limit: AT_ONCE, each: OF_ONE_PLATFORM });
    if (due.length === 0) return;
    const turns = Map.groupBy(due, ({ turnOf }) => turnOf);
    await ctx.queue.publish(...[...turns].flatMap(([turnOf, theirs]) => messagesFor(turnOf, theirs, now)));
  }
}

function messagesFor(turnOf: string, due: { userId: string }[], askedAt: number): QueueMessage[] {
  const ids = due.map(({ userId }) => userId);
  return Array.from({ length: Math.ceil(ids.length / PER_MESSAGE) }, (_, n) => ({
    path: '/internal/sync-calendars',
    body: { user_ids: ids.slice(n * PER_MESSAGE, (n + 1) * PER_MESSAGE), asked_at: askedAt },
    lane: { key: `calendars.${turnOf}`, parallelism: PARALLELISM },
  }));
}

/** Reads the calendars of one message, unless that was done since it was sent. */
export async function syncCalendars(ctx: Ctx, { userIds, askedAt }: { userIds: string[]; askedAt: number }) {
  const waiting = [...userIds];
  const inTurn = async () => {
    for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift())
      await syncCalendar(ctx, userId, { olderThan: askedAt }).catch((error) =>
        ctx.log('error', 'a calendar was not read', { error }),
      );
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, inTurn));
}
