import type { LeasedSnapshot } from '../../../schema/access/busy-snapshots.ts';
import {
  deleteAllChannels,
  deleteChannel,
  deleteLooseChannels,
  deleteOtherChannels,
  insertChannel,
  listWatched,
  openChannel,
  putOffWatch,
  takeWatch,
} from '../../../schema/access/watch-channels.ts';
import { DAY, HOUR, MINUTE } from '../../engine/time/dates.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { sha256 } from '../../kit/keys.ts';
import { markOf, openBlocking } from '../blocking/choice.ts';
import { withCalendar } from '../calls.ts';
import { fractionOf } from '../spread.ts';

/** Each user's channels live up to half a day less, so that channels opened together do not expire together. */
const LIFE_MS = 7 * DAY;
const SPREAD_MS = 12 * HOUR;
const RETRY_MS = 10 * MINUTE;
/** For some calendars, such as public holidays, the provider never sends pushes. */
const REFUSED_RETRY_MS = DAY;
const REFUSED = ['invalid', 'forbidden', 'not_found'];

/**
 * Each blocking calendar gets a channel with its own secret, and the channel that it replaces is stopped. A failure is
 * just logged, because the calendar is then read more often. It is retried in ten minutes, or a day if refused.
 */
export async function watch(ctx: Ctx, person: LeasedSnapshot): Promise<void> {
  const { id: userId } = person;
  const now = ctx.clock.now();
  if (!(await takeWatch(ctx.db, { userId, now, nextAt: now + RETRY_MS }))) return;
  const [{ calendars }, watched] = await Promise.all([openBlocking(ctx, person), listWatched(ctx.db, { userId, now })]);
  for (const calendar of calendars) {
    const mark = await markOf(userId, calendar);
    if (watched.includes(mark) || !(await isRefused(ctx, person, { calendar, mark }))) continue;
    await putOffWatch(ctx.db, { userId, until: now + REFUSED_RETRY_MS });
  }
  for (const loose of await deleteLooseChannels(ctx.db, { userId })) await stop(ctx, person, loose);
}

/** Returns true if the provider refused it, and false if it opened or the call failed temporarily. */
async function isRefused(ctx: Ctx, person: LeasedSnapshot, { calendar, mark }: { calendar: string; mark: string }) {
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

export async function unwatch(ctx: Ctx, person: LeasedSnapshot): Promise<void> {
  for (const channel of await deleteAllChannels(ctx.db, { userId: person.id })) await stop(ctx, person, channel);
}

/** A channel that cannot be stopped expires by itself, and its pushes are ignored until then. */
async function stop(ctx: Ctx, person: LeasedSnapshot, { id, resourceId }: { id: string; resourceId: string | null }) {
  if (resourceId === null) return;
  await withCalendar(ctx, person, (token) => ctx.calendar.stopChannel(token, { id, resourceId })).catch((error) =>
    ctx.log('info', 'a channel that was replaced is not stopped', { error }),
  );
}
