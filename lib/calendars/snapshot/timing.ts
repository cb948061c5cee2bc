import type { NextReads } from '../../../schema/busy-snapshots/queries.ts';
import { DAY, HOUR, MINUTE } from '../../engine/time/dates.ts';

/**
 * Number of days before today for which a read of a calendar fetches busy times. Daily meeting limits and time zones
 * farther east need these days.
 */
const DAYS_BEFORE = 4;
/** Number of days after today for which a read of a calendar fetches busy times, enough for the longest search. */
const DAYS_AFTER = 116;

/**
 * Largest age at which a search may use a snapshot of busy times. A calendar that sends no pushes (`unwatched`) has a
 * lower limit, because Tandem does not learn when such a calendar changes.
 */
export const SERVED_FOR_MS = { watched: 15 * MINUTE, unwatched: MINUTE };
/**
 * Interval between reads of the busy times of a calendar that is in use (`everyMs`). A calendar counts as in use for
 * `forMs` after somebody last asked for its busy times.
 */
const SWEPT = {
  watched: { everyMs: 5 * MINUTE, forMs: DAY },
  unwatched: { everyMs: MINUTE, forMs: 2 * HOUR },
};
const sweepOf = (isWatched: boolean) => (isWatched ? SWEPT.watched : SWEPT.unwatched);
/** Interval between reads of the busy times of calendars that are not in use. */
const IDLE_SWEPT_EVERY_MS = HOUR;
/**
 * Interval between checks of the calendars with upcoming meetings, to find changes that people made to those meetings.
 */
const FOLLOWED_EVERY_MS = 10 * MINUTE;
/**
 * Delay after a push before the calendar is read a second time. The provider does not document that free/busy shows a
 * change as soon as it is pushed.
 */
const SECOND_LOOK_MS = { soonest: 30_000, latest: MINUTE };
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 15 * MINUTE;

/**
 * Returns the span of days that a read of a user's calendar covers. The span begins at a different time of day for each
 * user, so that not all users need a new read at once.
 */
export function coverAt(userId: string, now: number): { start: number; end: number } {
  const midnight = Math.floor(fractionOf(userId) * DAY);
  const today = Math.floor((now - midnight) / DAY) * DAY + midnight;
  return { start: today - DAYS_BEFORE * DAY, end: today + DAYS_AFTER * DAY };
}

/**
 * Returns the earliest time of last use with which a watched calendar (one that sends pushes) still counts as in use.
 * While it is in use, such a calendar is read as soon as it changes.
 */
export const usedSince = (now: number): number => now - SWEPT.watched.forMs;

interface Swept {
  id: string;
  isWatched: boolean;
  /** True if the calendar holds a meeting of Tandem that is upcoming or only recently over. */
  hasUpcoming: boolean;
}

/**
 * Plans the next reads of a calendar. `random` in [0, 1) shifts them by up to a quarter of the interval either way, so
 * that accounts do not stay in step.
 */
export function nextReads(
  { now, wasHinted, id, isWatched, hasUpcoming }: Swept & { now: number; wasHinted: boolean },
  random: number,
): NextReads {
  const rollsAt = coverAt(id, now).start + (DAYS_BEFORE + 1) * DAY;
  const sweptAt = (everyMs: number) => Math.min(rollsAt, now + everyMs * (0.75 + random / 2));
  const { soonest, latest } = SECOND_LOOK_MS;
  const { everyMs, forMs } = sweepOf(isWatched);
  return {
    usedSince: now - forMs,
    ifUsed: {
      isSecondLook: wasHinted,
      dueAt: wasHinted ? now + soonest + random * (latest - soonest) : sweptAt(everyMs),
    },
    ifIdle: { dueAt: sweptAt(hasUpcoming ? FOLLOWED_EVERY_MS : IDLE_SWEPT_EVERY_MS) },
  };
}

interface LastRead {
  failures: number;
  readAt: number | null;
  coversFrom: number | null;
  usedAt: number;
}

/**
 * Returns the time to check a calendar again for changes to Tandem's meetings, if its busy times need no read now.
 * Returns undefined if they must be read: the calendar is in use or has no upcoming meeting, its last read failed or
 * was over an hour ago, or the days to cover have changed since.
 */
export function nextFollowAt(
  { id, isWatched, hasUpcoming, failures, readAt, coversFrom, usedAt }: Swept & LastRead,
  now: number,
  random: number,
) {
  const { forMs } = sweepOf(isWatched);
  const isIdle = hasUpcoming && usedAt <= now - forMs;
  const isRead = failures === 0 && readAt !== null && now < readAt + IDLE_SWEPT_EVERY_MS;
  if (!isIdle || !isRead || coversFrom !== coverAt(id, now).start) return undefined;
  return { usedSince: now - forMs, dueAt: now + FOLLOWED_EVERY_MS * (0.75 + random / 2), now };
}

/** Returns the time to retry a calendar read after this many failures, never before the provider's `Retry-After`. */
export function retryAt(
  { now, failures, retryAfterSeconds = 0 }: { now: number; failures: number; retryAfterSeconds?: number | undefined },
  random: number,
): number {
  const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10));
  return now + Math.max(retryAfterSeconds * 1_000, pause * (0.75 + random / 2));
}

/**
 * Returns a number in [0, 1) that is fixed for each user, from the FNV-1a hash of the user's id. It spreads users'
 * reads over time.
 */
export function fractionOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
