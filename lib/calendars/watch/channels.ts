import type { ClaimedSnapshot } from '../../../schema/busy-snapshots/queries.ts';
import {
  claimWatch,
  deleteChannel,
  deleteOtherChannels,
  insertChannel,
  openChannel,
} from '../../../schema/watch-channels/queries.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { sha256 } from '../../keys.ts';
import { CalendarError } from '../../ports.ts';
import { withCalendar } from '../calls.ts';
import { fractionOf } from '../snapshot/timing.ts';

const HOUR = 3_600_000;
/** The provider gives no longer life; up to half a day less, so that channels opened together do not end together. */
const LIFE_MS = 7 * 24 * HOUR;
const SPREAD_MS = 12 * HOUR;
const RETRY_MS = 10 * 60_000;

/**
 * Asks the provider to push when the person's calendar changes, over a channel with a secret of its own; the channel before it is
 * stopped. Without one the calendar is only read more often, so a failure is logged and tried again ten minutes later.
 */
export async function watch(ctx: Ctx, person: ClaimedSnapshot): Promise<void> {
  const { id: userId } = person;
  const now = ctx.clock.now();
  if (!(await claimWatch(ctx.db, { userId, now, nextAt: now + RETRY_MS }))) return;
  const id = ctx.ids.id('push_');
  const token = await ctx.keys.create('push_');
  await insertChannel(ctx.db, { id, userId, tokenHash: await sha256(token), openedAt: now });
  try {
    const opened = await withCalendar(ctx, person, (accessToken) =>
      ctx.calendar.watch(accessToken, {
        id,
        token,
        address: `${ctx.config.baseUrl}/internal/calendar-push`,
        lifeMs: LIFE_MS - Math.floor(fractionOf(userId) * SPREAD_MS),
      }),
    );
    await openChannel(ctx.db, { id, ...opened });
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError)) throw error;
    await deleteChannel(ctx.db, { id });
    ctx.log('warn', 'a calendar is not watched', { user_id: userId, error });
    return;
  }
  for (const former of await deleteOtherChannels(ctx.db, { userId, id })) await stop(ctx, person, former);
}

/** One that cannot be stopped ends by itself; what it says until then is nothing to us. */
async function stop(ctx: Ctx, person: ClaimedSnapshot, { id, resourceId }: { id: string; resourceId: string | null }) {
  if (resourceId === null) return;
  await withCalendar(ctx, person, (token) => ctx.calendar.stopChannel(token, { id, resourceId })).catch((error) =>
    ctx.log('info', 'a channel that was replaced is not stopped', { error }),
  );
}
