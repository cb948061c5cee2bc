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
import { followTimeZone } from '../time-zone.ts';
import { watch } from '../watch/channels.ts';
import { coverAt, nextFollowAt, nextReads, retryAt } from './timing.ts';

/**
 * Time in milliseconds for which one process alone reads a calendar. It is longer than the timeouts of all calls of a
 * read, so no second process reads the calendar meanwhile.
 */
const LEASE_MS = MINUTE;
/**
 * Number of times in a row that one call reads a calendar that changes during each read. After that, the background
 * sweep reads it later.
 */
const READS_IN_A_ROW = 3;

/**
 * Reads a user's busy times from the calendar provider and stores them as the user's snapshot. Of several concurrent
 * callers only one reads. Returns the user's account to that caller, and undefined to the others.
 * - A read is due if the calendar is known to have changed, or was last read before `olderThan`. If the calendar
 *   changes during the read, it is read again.
 * - If no platform asks for the user's free times, they are read once an hour, however often the user's meetings are
 *   checked.
 * - A failed read marks the stored busy times as stale, leaves them otherwise unchanged, and plans a retry.
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
 * Reads a user's busy times, for which this process has taken the lease, and stores them. Returns true if the calendar
 * changed during the read, so that another read is needed.
 */
async function readLeased(ctx: Ctx, leased: LeasedSnapshot, owner: string): Promise<boolean> {
  const { id: userId, generation, former } = leased;
  const readAt = ctx.clock.now();
  const cover = coverAt(userId, readAt);
  try {
    // The list of calendars is read again once a day, because the person may have made a new one. So is their time
    // zone, and after a push too.
    const isAnew = leased.coversFrom !== null && leased.coversFrom !== cover.start;
    const wasHinted = generation > leased.syncedGen;
    const mayHaveMoved = isAnew || (wasHinted && leased.coversFrom !== null);
    const [busy] = await withCalendar(ctx, leased, (token) =>
      Promise.all([
        readFreeBusy(ctx, token, leased, cover, { isAnew }),
        mayHaveMoved ? followTimeZone(ctx, token, leased) : undefined,
      ]),
    );
    const merged = [...union(inOrder(together(busy)))];
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
