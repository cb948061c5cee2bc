import {
  type ClaimedSnapshot,
  claimSnapshot,
  failSnapshot,
  releaseSnapshot,
  saveSnapshot,
} from '../../../schema/busy-snapshots/queries.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { CalendarError } from '../../ports.ts';
import { inOrder, union } from '../../scheduling/intervals.ts';
import { readFreeBusy, together } from '../blocking/free-busy.ts';
import { withCalendar } from '../calls.ts';
import { watch } from '../watch/channels.ts';
import { coverAt, nextFollowAt, nextReads, retryAt } from './timing.ts';

/** Longer than a read's calls are waited for. */
const LEASE_MS = 60_000;
/** What changes faster than this many reads follow is left to the sweep. */
const READS_IN_A_ROW = 3;

/**
 * Reads a user's free/busy anew, once however many ask: if it is known to have changed, or was last read before
 * `olderThan`; but of somebody whom nobody asks for once an hour, however often it is looked what became of our meetings. What changes meanwhile is read once more. A read that brings less than all leaves what there is, as of
 * unknown truth, for a later try. Answers whose calendar it is, if it fell to this caller.
 */
export async function readSnapshot(ctx: Ctx, userId: string, { olderThan = 0 } = {}) {
  let account: ClaimedSnapshot | undefined;
  for (let reads = 0; reads < READS_IN_A_ROW; reads++) {
    const owner = ctx.ids.id('read_');
    const now = ctx.clock.now();
    const claimed = await claimSnapshot(ctx.db, { userId, owner, now, leaseUntil: now + LEASE_MS, olderThan });
    if (claimed === undefined) return account;
    account = claimed;
    const putOff = nextFollowAt(claimed, now, ctx.random());
    if (putOff !== undefined) await releaseSnapshot(ctx.db, { userId, owner, ...putOff });
    const isDirty = putOff === undefined && (await readClaimed(ctx, claimed, owner));
    if (claimed.needsWatch && claimed.watchAt <= now) await watch(ctx, claimed);
    if (!isDirty) break;
  }
  return account;
}

/** Whether it is to be read once more. */
async function readClaimed(ctx: Ctx, claimed: ClaimedSnapshot, owner: string): Promise<boolean> {
  const { id: userId, generation, former } = claimed;
  const readAt = ctx.clock.now();
  const cover = coverAt(userId, readAt);
  try {
    // Once a day what blocks is asked as well, as the person may have made a calendar.
    const isAnew = claimed.coversFrom !== null && claimed.coversFrom !== cover.start;
    const busy = await withCalendar(ctx, claimed, (token) => readFreeBusy(ctx, token, claimed, cover, { isAnew }));
    const merged = union(inOrder(together(busy)));
    const wasHinted = generation > claimed.syncedGen;
    if (claimed.isSecondLook && !wasHinted) tellSecondLook(ctx, merged, former);
    const saved = await saveSnapshot(ctx.db, {
      userId,
      owner,
      generation,
      busy: merged,
      coversFrom: cover.start,
      coversUntil: cover.end,
      readAt,
      next: nextReads({ now: readAt, ...claimed, wasHinted }, ctx.random()),
    });
    return saved?.isDirty ?? false;
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError || error instanceof RangeError)) throw error;
    const retryAfterSeconds = error instanceof CalendarError ? error.retryAfterSeconds : undefined;
    const { failures } = claimed;
    const dueAt = retryAt({ now: ctx.clock.now(), failures, retryAfterSeconds }, ctx.random());
    await failSnapshot(ctx.db, { userId, owner, dueAt });
    ctx.log('warn', 'a calendar was not read for its snapshot', { user_id: userId, failures: failures + 1, error });
    return false;
  }
}

/** Counted by the log: how often the provider's free/busy came later than its push. */
function tellSecondLook(ctx: Ctx, now: number[], before: number[]): void {
  const differs = now.length !== before.length || now.some((edge, at) => edge !== before[at]);
  ctx.log('info', 'a calendar was looked at again after a change', { differs });
}
