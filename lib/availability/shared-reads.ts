import type { BusyTimes, Interval } from '../engine/types.ts';
import type { Ctx } from '../kit/context.ts';

/** Time in milliseconds for which one read of a calendar serves every request that wants a fresh one. */
const SHARED_MS = 1_000;
const MOST_KEPT = 1_000;

interface Read {
  readAt: number;
  span: Interval;
  busy: Promise<BusyTimes>;
}

/** Last fresh read of each person's calendar by this isolate, by the person's id. */
const reads = new Map<string, Read>();

/**
 * Returns a person's busy times from a read that began within the last second and covers the span, or else reads them
 * now. A failed read serves nobody else. The read goes on if the request that began it is answered before.
 */
export async function readShared(
  ctx: Pick<Ctx, 'clock' | 'later'>,
  userId: string,
  span: Interval,
  read: () => Promise<BusyTimes>,
): Promise<{ readAt: number; busy: BusyTimes }> {
  const now = ctx.clock.now();
  const last = reads.get(userId);
  const isRecent = last !== undefined && last.readAt <= now && now - last.readAt <= SHARED_MS;
  if (isRecent && last.span.start <= span.start && span.end <= last.span.end)
    return { readAt: last.readAt, busy: await last.busy };
  const next = { readAt: now, span, busy: read() };
  ctx.later(next.busy.catch(() => undefined));
  if (reads.size >= MOST_KEPT) reads.clear();
  reads.set(userId, next);
  try {
    return { readAt: now, busy: await next.busy };
  } catch (error) {
    if (reads.get(userId) === next) reads.delete(userId);
    throw error;
  }
}
