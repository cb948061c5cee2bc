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
 * Largest age in milliseconds at which a search may use stored busy times. It is lower for a calendar whose changes are
 * not pushed to Tandem (`unwatched`), because Tandem does not learn when such a calendar changes.
 */
export const SERVED_FOR_MS = { watched: 15 * MINUTE, unwatched: MINUTE };
/**
 * Intervals in milliseconds between reads of calendars in use (`everyMs`), and the time for which a calendar stays in
 * use after somebody last asked for its busy times (`forMs`). They differ for calendars whose changes are pushed to
 * Tandem (`watched`) and all others.
 */
const SWEPT = {
  watched: { everyMs: 5 * MINUTE, forMs: DAY },
  unwatched: { everyMs: MINUTE, forMs: 2 * HOUR },
};
const sweepOf = (isWatched: boolean) => (isWatched ? SWEPT.watched : SWEPT.unwatched);
/** Interval in milliseconds between reads of the busy times of a calendar that nobody has asked about for some time. */
const IDLE_SWEPT_EVERY_MS = HOUR;
/**
 * Interval in milliseconds between checks of a calendar with upcoming meetings, to find changes that people made to
 * those meetings.
 */
const FOLLOWED_EVERY_MS = 10 * MINUTE;
/**
 * Delay in milliseconds after a pushed change before the calendar is read a second time. The provider does not document
 * that its free/busy answers show a change as soon as it pushes the change.
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
 * Returns the start of the period in which somebody must have asked for a calendar's busy times, so that the calendar
 * counts as in use. It applies to calendars whose changes are pushed to Tandem: while in use, they are read as soon as
 * they change.
 */
export const usedSince = (now: number): number => now - SWEPT.watched.forMs;

interface Swept {
  id: string;
  isWatched: boolean;
  /** True if the calendar holds a meeting of Tandem that is upcoming or only recently over. */
  hasUpcoming: boolean;
}

/**
 * Returns the times of a calendar's next planned reads. `random`, a number in [0, 1), shifts them by up to a quarter of
 * the interval either way, so that not all accounts are read at the same moment.
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
 * Returns the time of the next check for changes to Tandem's meetings in a calendar, if that is all the calendar needs
 * now. Returns undefined if its busy times must be read too:
 * - Somebody has lately asked for them, or the calendar has no upcoming meeting.
 * - The last read failed or was over an hour ago.
 * - The days that a read must cover have changed since.
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
 * Returns a number in [0, 1) from a hash (FNV-1a) of the user's id, always the same for one user. Callers use it to
 * spread the reads of different users' calendars over time.
 */
export function fractionOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
