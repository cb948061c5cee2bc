import {
  failSnapshot,
  type LeasedSnapshot,
  leaseSnapshot,
  releaseSnapshot,
  saveSnapshot,
} from '../../../schema/busy-snapshots/queries.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { inOrder, union } from '../../engine/time/intervals.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { readFreeBusy, together } from '../blocking/free-busy.ts';
import { withCalendar } from '../calls.ts';
import { watch } from '../watch/channels.ts';
import { coverAt, nextFollowAt, nextReads, retryAt } from './timing.ts';

/**
 * Length of the lease under which one process reads a calendar. The lease is longer than the timeouts of all calls that
 * a read makes, so no second process reads the calendar meanwhile.
 */
const LEASE_MS = MINUTE;
/**
 * Largest number of times in a row that a calendar that keeps changing is read. After that the background sweep reads
 * it.
 */
const READS_IN_A_ROW = 3;

/**
 * Reads a user's free/busy times into their snapshot, once however many callers ask. Returns the account if this caller
 * got the lease, and undefined otherwise.
 * - A read is due if the calendar is known to have changed, or was last read before `olderThan`. If the calendar
 *   changes meanwhile, it is read once more.
 * - If nobody asks for the user's free times, they are read once an hour, however often the user's meetings are
 *   checked.
 * - A failed read marks the snapshot as stale, leaves it otherwise unchanged, and plans a retry.
 */
export async function readSnapshot(ctx: Ctx, userId: string, { olderThan = 0 } = {}) {
  let account: LeasedSnapshot | undefined;
  for (let reads = 0; reads < READS_IN_A_ROW; reads++) {
    const owner = ctx.ids.id('read_');
    const now = ctx.clock.now();
    const leased = await leaseSnapshot(ctx.db, { userId, owner, now, leaseUntil: now + LEASE_MS, olderThan });
    if (leased === undefined) return account;
    account = leased;
    const putOff = nextFollowAt(leased, now, ctx.random());
    if (putOff !== undefined) await releaseSnapshot(ctx.db, { userId, owner, ...putOff });
    const isDirty = putOff === undefined && (await readLeased(ctx, leased, owner));
    if (leased.needsWatch && leased.watchAt <= now) await watch(ctx, leased);
    if (!isDirty) break;
  }
  return account;
}

/**
 * Reads a user's free/busy times under a lease and saves the snapshot. Returns true if the calendar changed meanwhile
 * and needs another read.
 */
async function readLeased(ctx: Ctx, leased: LeasedSnapshot, owner: string): Promise<boolean> {
  const { id: userId, generation, former } = leased;
  const readAt = ctx.clock.now();
  const cover = coverAt(userId, readAt);
  try {
    // The list of calendars is read again once a day, because the person may have made a new one.
    const isAnew = leased.coversFrom !== null && leased.coversFrom !== cover.start;
    const busy = await withCalendar(ctx, leased, (token) => readFreeBusy(ctx, token, leased, cover, { isAnew }));
    const merged = [...union(inOrder(together(busy)))];
    const wasHinted = generation > leased.syncedGen;
    if (leased.isSecondLook && !wasHinted) tellSecondLook(ctx, merged, former);
    const saved = await saveSnapshot(ctx.db, {
      userId,
      owner,
      generation,
      busy: merged,
      coversFrom: cover.start,
      coversUntil: cover.end,
      readAt,
      next: nextReads({ now: readAt, ...leased, wasHinted }, ctx.random()),
    });
    return saved?.isDirty ?? false;
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError || error instanceof RangeError)) throw error;
    const retryAfterSeconds = error instanceof CalendarError ? error.retryAfterSeconds : undefined;
    const { failures } = leased;
    const dueAt = retryAt({ now: ctx.clock.now(), failures, retryAfterSeconds }, ctx.random());
    await failSnapshot(ctx.db, { userId, owner, dueAt });
    ctx.log('warn', 'a calendar was not read for its snapshot', { user_id: userId, failures: failures + 1, error });
    return false;
  }
}

/**
 * Logs whether a second read shortly after a push found other busy times. The lines in the log show how often the
 * provider's free/busy lags behind its push.
 */
function tellSecondLook(ctx: Ctx, now: number[], before: number[]): void {
  const differs = now.length !== before.length || now.some((edge, at) => edge !== before[at]);
  ctx.log('info', 'a calendar was looked at again after a change', { differs });
}
