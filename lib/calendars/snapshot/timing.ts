import type { BusySnapshot, LeasedSnapshot } from '../../../schema/access/busy-snapshots.ts';
import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { cut } from '../../engine/time/intervals.ts';
import type { Interval } from '../../engine/types.ts';

/** Hashes the user's id (FNV-1a) to [0, 1), to spread the reads of different users' calendars over time. */
export function fractionOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}

/** Daily meeting limits and time zones farther east need these days. */
const DAYS_BEFORE = 4;
/** With `DAYS_BEFORE` it is as much as one request may ask for. A longer search reads the calendar itself. */
const DAYS_AFTER = 56;

export const SERVED_FOR_MS = 5 * MINUTE;
/** Time in milliseconds for which a calendar stays in use after somebody last asked for its busy times. */
const IN_USE_MS = 2 * DAY;
/** A check finds the changes that people made to upcoming meetings. */
const FOLLOWED_EVERY_MS = 10 * MINUTE;
/** The read finds out if the person revoked access. With its random part it stays below seven days. */
const CHECKED_EVERY_MS = 6 * DAY;
const SPREAD_MS = 0.9 * DAY;
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 15 * MINUTE;

export const COVERED_MS = (DAYS_BEFORE + DAYS_AFTER) * DAY;

/** It begins at a different time of day for each user, so that not all need a new read at once. */
export function coverAt(userId: string, now: number): { start: number; end: number } {
  const midnight = Math.floor(fractionOf(userId) * DAY);
  const today = Math.floor((now - midnight) / DAY) * DAY + midnight;
  return { start: today - DAYS_BEFORE * DAY, end: today + DAYS_AFTER * DAY };
}

/** Returns undefined if the calendar may have changed since, or the busy times are too old or do not cover the span. */
export function servedFrom(snapshot: BusySnapshot | undefined, span: Interval, now: number) {
  if (snapshot === undefined || !snapshot.isCurrent) return undefined;
  const { busy, coversFrom, coversUntil, readAt } = snapshot;
  if (readAt === null || coversFrom === null || coversUntil === null) return undefined;
  if (span.start < coversFrom || span.end > coversUntil) return undefined;
  if (now - readAt > SERVED_FOR_MS) return undefined;
  return { busy: Float64Array.from(cut(busy, span.start, span.end)), readAt };
}

export const usedSince = (now: number): number => now - IN_USE_MS;

/** An upcoming meeting may also be one that is only recently over. */
type Known = Pick<LeasedSnapshot, 'hasUpcoming' | 'usedAt' | 'readAt'>;

/**
 * Returns what a calendar needs now, and when it is due again. `random`, a number in [0, 1), shifts that time, so that
 * not all accounts are read at the same moment.
 * - Busy times are read if somebody has asked for them since they were last read, and once a day with the person's time
 *   zone. Pushes alone cause no read, because a search reads a calendar that has changed.
 * - A calendar with upcoming meetings is followed.
 * - An idle one is not watched, and read only to find out if the person revoked access.
 */
export function planOf({ hasUpcoming, usedAt, readAt }: Known, now: number, random: number) {
  const isIdle = !hasUpcoming && usedAt <= usedSince(now);
  const checkAt = (readAt ?? 0) + CHECKED_EVERY_MS;
  const dailyAt = (readAt ?? 0) + DAY;
  const isRead = readAt === null || usedAt > readAt || now >= (isIdle ? checkAt : dailyAt);
  const followedAt = now + FOLLOWED_EVERY_MS * (0.75 + random / 2);
  const checkedAt = (isRead ? now + CHECKED_EVERY_MS : checkAt) + random * SPREAD_MS;
  const idleAt = isIdle ? checkedAt : Math.min(usedAt + IN_USE_MS, isRead ? now + DAY : dailyAt);
  return { isIdle, isRead, dueAt: hasUpcoming ? followedAt : idleAt };
}

/** The time is never before the provider's `Retry-After`. */
export function retryAt(
  { now, failures, retryAfterSeconds = 0 }: { now: number; failures: number; retryAfterSeconds?: number | undefined },
  random: number,
): number {
  const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10));
  return now + Math.max(retryAfterSeconds * 1_000, pause * (0.75 + random / 2));
}
