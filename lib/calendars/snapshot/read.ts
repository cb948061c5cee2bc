import {
  failSnapshot,
  type LeasedSnapshot,
  leaseSnapshot,
  markSynced,
  type NextRead,
  releaseSnapshot,
  saveSnapshot,
} from '../../../schema/access/busy-snapshots.ts';
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
import { inOrder, union } from '../../engine/time/intervals.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { sha256 } from '../../kit/ids.ts';
import { markOf, openBlocking } from '../blocking/choice.ts';
import { readFreeBusy, together } from '../blocking/free-busy.ts';
import { withCalendar } from '../calls.ts';
import { followTimeZone, isZoneDue } from '../time-zone.ts';
import { coverAt, fractionOf, planOf, retryAt } from './timing.ts';

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
