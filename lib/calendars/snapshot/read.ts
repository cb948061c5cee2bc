import {
  failSnapshot,
  type LeasedSnapshot,
  leaseSnapshot,
  markSynced,
  type NextRead,
  releaseSnapshot,
  saveSnapshot,
} from '../../../schema/access/busy-snapshots.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { inOrder, union } from '../../engine/time/intervals.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { readFreeBusy, together } from '../blocking/free-busy.ts';
import { withCalendar } from '../calls.ts';
import { followTimeZone, isZoneDue } from '../time-zone.ts';
import { unwatch, watch } from '../watch/channels.ts';
import { coverAt, planOf, retryAt } from './timing.ts';

/** It is longer than the timeouts of all calls of a read, so no second process reads the calendar meanwhile. */
const LEASE_MS = MINUTE;
/**
 * Does what a user's calendar needs now, if it is due: reads its busy times from the provider and stores them as the
 * user's snapshot, opens the channels for its changes, or closes those of an idle calendar. Of several concurrent callers
 * only one does so. Returns the user's account to that caller, and undefined to the others.
 * - It is due if the calendar is known to have changed, or was last read before `olderThan`.
 * - A failed read marks the stored busy times as stale, leaves them otherwise unchanged, and plans a retry.
 */
export async function readSnapshot(ctx: Ctx, userId: string, { olderThan = 0 } = {}) {
  const owner = ctx.ids.id('read_');
  const now = ctx.clock.now();
  const leased = await leaseSnapshot(ctx.db, { userId, owner, now, leaseUntil: now + LEASE_MS, olderThan });
  if (leased === undefined) return undefined;
  const plan = planOf(leased, now, ctx.random());
  const next = { dueAt: plan.dueAt, seenUse: leased.usedAt, now };
  if (plan.isRead) await readLeased(ctx, leased, owner, { ...next, isIdle: plan.isIdle });
  else await releaseSnapshot(ctx.db, { userId, owner, ...next });
  if (plan.isIdle) await unwatch(ctx, leased);
  else if (leased.needsWatch && leased.watchAt <= now) await watch(ctx, leased);
  return leased;
}

async function readLeased(
  ctx: Ctx,
  leased: LeasedSnapshot,
  owner: string,
  { isIdle, ...next }: NextRead & { isIdle: boolean },
): Promise<void> {
  const { id: userId, generation, failures } = leased;
  const readAt = ctx.clock.now();
  const cover = coverAt(userId, readAt);
  try {
    const wasHinted = leased.readAt !== null && generation > leased.syncedGen;
    const [busy] = await withCalendar(ctx, leased, (token) =>
      Promise.all([
        readFreeBusy(ctx, token, leased, [cover]),
        // The search that uses an idle calendar again reads the time zone itself.
        !isIdle && (isZoneDue(leased, readAt) || wasHinted) ? followTimeZone(ctx, token, leased) : undefined,
      ]),
    );
    await ctx.db.batch([
      saveSnapshot(ctx.db, {
        userId,
        owner,
        generation,
        busy: [...union(inOrder(together(busy)))],
        coversFrom: cover.start,
        coversUntil: cover.end,
        readAt,
        next,
      }),
      markSynced(ctx.db, { userId, readAt }),
    ]);
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError || error instanceof RangeError)) throw error;
    const retryAfterSeconds = error instanceof CalendarError ? error.retryAfterSeconds : undefined;
    const dueAt = retryAt({ now: ctx.clock.now(), failures, retryAfterSeconds }, ctx.random());
    await failSnapshot(ctx.db, { userId, owner, dueAt });
    ctx.log('warn', 'a calendar was not read for its snapshot', { user_id: userId, failures: failures + 1, error });
  }
}
