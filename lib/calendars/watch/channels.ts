import type { ClaimedSnapshot } from '../../../schema/busy-snapshots/queries.ts';
import {
  claimWatch,
  deleteChannel,
  deleteLooseChannels,
  deleteOtherChannels,
  insertChannel,
  listWatched,
  openChannel,
  putOffWatch,
} from '../../../schema/watch-channels/queries.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { sha256 } from '../../keys.ts';
import { CalendarError } from '../../ports.ts';
import { markOf, openBlocking } from '../blocking/stored.ts';
import { withCalendar } from '../calls.ts';
import { fractionOf } from '../snapshot/timing.ts';

const HOUR = 3_600_000;
/** The provider gives no longer life; up to half a day less, so that channels opened together do not end together. */
const LIFE_MS = 7 * 24 * HOUR;
const SPREAD_MS = 12 * HOUR;
const RETRY_MS = 10 * 60_000;
/** Of some calendars, as of public holidays, the provider never tells a change. */
const REFUSED_RETRY_MS = 24 * HOUR;
const REFUSED = ['invalid', 'forbidden', 'not_found'];

/**
 * Asks the provider to push when one of the calendars that block the person's time changes, over a channel and with a secret
 * of its own for each; the channel before it is stopped. Without one the calendars are only read more often, so a failure is logged and
 * tried again ten minutes later, or a day where it was refused.
 */
export async function watch(ctx: Ctx, person: ClaimedSnapshot): Promise<void> {
  const { id: userId } = person;
  const now = ctx.clock.now();
  if (!(await claimWatch(ctx.db, { userId, now, nextAt: now + RETRY_MS }))) return;
  const [{ calendars }, watched] = await Promise.all([openBlocking(ctx, person), listWatched(ctx.db, { userId, now })]);
  for (const calendar of calendars) {
    const mark = await markOf(userId, calendar);
    if (watched.includes(mark) || !(await isRefused(ctx, person, { calendar, mark }))) continue;
    await putOffWatch(ctx.db, { userId, until: now + REFUSED_RETRY_MS });
  }
  for (const loose of await deleteLooseChannels(ctx.db, { userId })) await stop(ctx, person, loose);
}

/** Opens a channel for one calendar; whether the provider will not, rather than could not now. */
async function isRefused(ctx: Ctx, person: ClaimedSnapshot, { calendar, mark }: { calendar: string; mark: string }) {
  const { id: userId } = person;
  const id = ctx.ids.id('push_');
  const token = await ctx.keys.create('push_');
  const channel = { id, userId, calendar: mark };
  await insertChannel(ctx.db, { ...channel, tokenHash: await sha256(token), openedAt: ctx.clock.now() });
  try {
    const opened = await withCalendar(ctx, person, (accessToken) =>
      ctx.calendar.watch(accessToken, {
        calendar,
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
    return error instanceof CalendarError && REFUSED.includes(error.kind);
  }
  for (const former of await deleteOtherChannels(ctx.db, channel)) await stop(ctx, person, former);
  return false;
}

/** One that cannot be stopped ends by itself; what it says until then is nothing to us. */
async function stop(ctx: Ctx, person: ClaimedSnapshot, { id, resourceId }: { id: string; resourceId: string | null }) {
  if (resourceId === null) return;
  await withCalendar(ctx, person, (token) => ctx.calendar.stopChannel(token, { id, resourceId })).catch((error) =>
    ctx.log('info', 'a channel that was replaced is not stopped', { error }),
  );
}
