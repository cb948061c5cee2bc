import type { BusyTimes, Interval } from '../engine/types.ts';
import type { Ctx } from '../kit/context.ts';

/** Time in milliseconds for which one read of a calendar serves every request that wants a fresh one. */
const SHARED_MS = 1_000;
const LOOK_EVERY_MS = 25;
/** Longest time in milliseconds that a request waits for another one's read before it reads the calendar itself. */
const PATIENCE_MS = 1_000;
const MOST_KEPT = 1_000;

interface Read {
  readAt: number;
  span: Interval;
  /** Absent while the read is in progress. */
  busy?: BusyTimes;
}

/**
 * Last fresh read of each person's calendar by this isolate for each platform. A read of another platform's would tell
 * by its speed that this platform asks about the person too. It holds finished answers and no promises, because a promise
 * of one request fails and hangs with that request.
 */
const reads = new Map<string, Read>();

/**
 * Returns a person's busy times from a read of the same platform that began within the last second and covers the span,
 * or else reads them now. A read that fails or takes long serves nobody else. The caller must have been admitted
 * (`ctx.admitted`).
 */
export async function readShared(
  ctx: Pick<Ctx, 'clock' | 'sleep' | 'later'>,
  { platformId, userId }: { platformId: string; userId: string },
  span: Interval,
  read: () => Promise<BusyTimes>,
): Promise<{ readAt: number; busy: BusyTimes }> {
  const now = ctx.clock.now();
  const key = `${platformId} ${userId}`;
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const last = reads.get(key);
    if (last === undefined || !serves(last, span, now)) break;
    if (last.busy !== undefined) return { readAt: last.readAt, busy: last.busy };
    if (waited >= PATIENCE_MS) break;
    await ctx.sleep(LOOK_EVERY_MS);
  }
  const own: Read = { readAt: ctx.clock.now(), span };
  if (reads.size >= MOST_KEPT) reads.clear();
  reads.set(key, own);
  const reading = read().then(
    (busy) => {
      own.busy = busy;
      return busy;
    },
    (error: unknown) => {
      if (reads.get(key) === own) reads.delete(key);
      throw error;
    },
  );
  // It goes on for those who wait for it, even if the request that began it is answered before.
  ctx.later(reading.catch(() => undefined));
  return { readAt: own.readAt, busy: await reading };
}

const serves = ({ readAt, span: read }: Read, span: Interval, now: number): boolean =>
  Math.abs(now - readAt) <= SHARED_MS && read.start <= span.start && span.end <= read.end;
