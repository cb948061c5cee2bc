import { COVERED_MS, coverAt } from '../calendars/snapshot/timing.ts';
import { cut, inOrder, union } from '../engine/time/intervals.ts';
import type { BusyTimes, Interval, TakenTime } from '../engine/types.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';

/** Time in milliseconds for which one read of a calendar serves every request that wants a fresh one. */
const SHARED_MS = 1_000;
const LOOK_EVERY_MS = 25;
/** A read ends within it, if its request is still alive: the provider's calls have eight seconds. */
const LONGEST_READ_MS = 9_000;
/** Reads of others that a request waits for before it reads the calendar itself, so that it is answered in time. */
const MOST_WAITS = 2;
const MOST_KEPT = 1_000;

/**
 * Bookings share their looks, and searches for other times, among themselves: a read of an earlier search would offer a
 * time again that was just refused, or refuse one whose meeting the platform has cancelled since.
 */
export const looksOf = (platform: PlatformRef) => `${platform.id} looks`;

interface Read {
  readAt: number;
  /**
   * Others had reserved these times of the person when a search began the read. An answer that changes while `read_at`
   * stays would tell that others reserve the time, and that it is no event.
   */
  others?: readonly TakenTime[] | undefined;
  /** Absent while the read is in progress, and if it failed. */
  busy?: BusyTimes;
  hasFailed?: true;
}

export type SharedRead = Pick<Read, 'readAt' | 'others'> & { busy: BusyTimes };

interface SharedReadRequest {
  platformId: string;
  userId: string;
  others?: readonly TakenTime[];
  isAnew?: boolean;
}

/**
 * Last fresh reads of each person's calendar by this isolate for each platform. A read of another platform's would tell
 * by its speed that this platform asks about the person too. It holds finished answers and no promises, because a promise
 * of one request fails and hangs with that request.
 */
const reads = new Map<string, Read>();

/**
 * Returns a person's busy times from a read of the same platform that began at most a second before, or else reads them
 * now. What is read is a whole number of blocks as long as a stored copy and one of the provider's calls, so that no
 * choice of dates makes it many reads. A read that fails serves nobody else: of those who wait for it, one reads next.
 * With `isAnew`, it is read now in any case. `others` is what other platforms reserve now. The caller must have been
 * admitted (`ctx.admitted`).
 */
export async function readShared(
  ctx: Pick<Ctx, 'clock' | 'sleep' | 'later'>,
  { platformId, userId, others, isAnew }: SharedReadRequest,
  span: Interval,
  read: (blocks: Interval) => Promise<BusyTimes>,
): Promise<SharedRead> {
  const since = ctx.clock.now() - SHARED_MS;
  const block = coverAt(userId, ctx.clock.now());
  const start = block.start + Math.floor((span.start - block.start) / COVERED_MS) * COVERED_MS;
  const end = block.end + Math.ceil((span.end - block.end) / COVERED_MS) * COVERED_MS;
  const key = `${platformId} ${userId} ${start} ${end}`;
  const partOf = (from: Read, busy: BusyTimes) => ({
    readAt: from.readAt,
    others: from.others,
    busy: Float64Array.from(cut(union(inOrder(busy)), span.start, span.end)),
  });
  for (let waits = isAnew ? MOST_WAITS : 0; waits < MOST_WAITS; waits += 1) {
    const last = reads.get(key);
    // Requests' clocks differ by less than a second, and one that was set back must not make a read serve for long.
    if (last === undefined || last.readAt < since || last.readAt > ctx.clock.now() + SHARED_MS) break;
    const until = last.readAt + LONGEST_READ_MS;
    while (last.busy === undefined && !last.hasFailed && ctx.clock.now() < until) await ctx.sleep(LOOK_EVERY_MS);
    if (last.busy !== undefined) return partOf(last, last.busy);
  }
  const own: Read = { readAt: ctx.clock.now(), others };
  if (reads.size >= MOST_KEPT) reads.clear();
  reads.set(key, own);
  const reading = read({ start, end }).then(
    (busy) => {
      own.busy = busy;
      return busy;
    },
    (error: unknown) => {
      own.hasFailed = true;
      if (reads.get(key) === own) reads.delete(key);
      throw error;
    },
  );
  // It goes on for those who wait for it, even if the request that began it is answered before.
  ctx.later(reading.catch(() => undefined));
  return partOf(own, await reading);
}
