const MINUTE = 60_000;
const DAY = 86_400_000;

/** Days before the day of the read, for day limits and zones east of it, and after it, for the longest search. */
const DAYS_BEFORE = 4;
const DAYS_AFTER = 116;

/** A snapshot as old as this is served no more; without pushes its age is all that speaks for it. */
export const SERVED_FOR_MS = { watched: 15 * MINUTE, unwatched: MINUTE };
const SWEPT_EVERY_MS = { watched: 5 * MINUTE, unwatched: MINUTE };
/** Whether free/busy shows a change as soon as it is pushed is nowhere written, so a second look follows. */
const SECOND_LOOK_MS = { soonest: 30_000, latest: 60_000 };
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 15 * MINUTE;

/** What a read of a user's calendar covers: whole days from that of the user's own midnight, which rolls once a day. */
export function coverAt(userId: string, now: number): { start: number; end: number } {
  const midnight = Math.floor(fractionOf(userId) * DAY);
  const today = Math.floor((now - midnight) / DAY) * DAY + midnight;
  return { start: today - DAYS_BEFORE * DAY, end: today + DAYS_AFTER * DAY };
}

/** When to read next; `random` in [0, 1) spreads accounts that would keep step by a quarter either way. */
export function nextReadAt(
  read: { now: number; isWatched: boolean; wasHinted: boolean; userId: string },
  random: number,
): number {
  const { now, userId } = read;
  const rollsAt = coverAt(userId, now).start + (DAYS_BEFORE + 1) * DAY;
  if (read.wasHinted) return now + SECOND_LOOK_MS.soonest + random * (SECOND_LOOK_MS.latest - SECOND_LOOK_MS.soonest);
  const every = read.isWatched ? SWEPT_EVERY_MS.watched : SWEPT_EVERY_MS.unwatched;
  return Math.min(rollsAt, now + every * (0.75 + random / 2));
}

/** When to try again after so many failures; not before the provider said. */
export function retryAt(
  { now, failures, retryAfterSeconds = 0 }: { now: number; failures: number; retryAfterSeconds?: number | undefined },
  random: number,
): number {
  const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10));
  return now + Math.max(retryAfterSeconds * 1_000, pause * (0.75 + random / 2));
}

/** A number in [0, 1) that is a user's own (FNV-1a of the id). */
export function fractionOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
