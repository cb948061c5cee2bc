import { claimDueSnapshots } from '../../schema/busy-snapshots/queries.ts';
import type { Ctx } from '../context.ts';
import type { QueueMessage } from '../ports.ts';
import { syncCalendar } from './sync-calendar.ts';

/** A message that got lost is sent again after this. */
const AGAIN_MS = 120_000;
const PER_CLAIM = 1_000;
/** Users of one message, read a few at a time by whichever Worker gets it. */
const PER_MESSAGE = 20;
/** Each reads two spans side by side, and a Worker has six connections. */
const READS_AT_ONCE = 2;
const LANE = { key: 'calendars', parallelism: 10 };

/** Hands the calendars that are due to be read to the queue, longest waiting first, until none is left or time is up. */
export async function sweepCalendars(ctx: Ctx, until: number): Promise<void> {
  for (;;) {
    const now = ctx.clock.now();
    if (now >= until) return;
    const due = await claimDueSnapshots(ctx.db, { now, again: now + AGAIN_MS, limit: PER_CLAIM });
    const messages: QueueMessage[] = [];
    for (let at = 0; at < due.length; at += PER_MESSAGE)
      messages.push({
        path: '/internal/sync-calendars',
        body: { user_ids: due.slice(at, at + PER_MESSAGE), asked_at: now },
        lane: LANE,
      });
    await ctx.queue.publish(...messages);
    if (due.length < PER_CLAIM) return;
  }
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
