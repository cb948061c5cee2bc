import type { NextReads } from '../../../schema/busy-snapshots/queries.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Days before the day of the read, for day limits and zones east of it, and after it, for the longest search. */
const DAYS_BEFORE = 4;
const DAYS_AFTER = 116;

/** A snapshot as old as this is served no more; without pushes its age is all that speaks for it. */
export const SERVED_FOR_MS = { watched: 15 * MINUTE, unwatched: MINUTE };
/** How often a calendar is read whose person somebody asks for, and how long after they last did. */
const SWEPT = {
  watched: { everyMs: 5 * MINUTE, forMs: DAY },
  unwatched: { everyMs: MINUTE, forMs: 2 * HOUR },
};
const sweepOf = (isWatched: boolean) => (isWatched ? SWEPT.watched : SWEPT.unwatched);
/** How often one is read that nobody asks for. */
const IDLE_SWEPT_EVERY_MS = HOUR;
/** And how often it is asked what became of a meeting of ours that is ahead. */
const FOLLOWED_EVERY_MS = 10 * MINUTE;
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

/** Whoever was asked for since then has their watched calendar read as soon as it changes. */
export const usedSince = (now: number): number => now - SWEPT.watched.forMs;

interface Swept {
  id: string;
  isWatched: boolean;
  /** Whether a meeting of ours stands on the calendar that is not long over. */
  hasUpcoming: boolean;
}

/** When to read next; `random` in [0, 1) spreads accounts that would keep step by a quarter either way. */
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
 * When to look again at a calendar that is due for our meetings alone, as nobody asks for its busy times and they were read within the
 * hour; undefined where they are to be read.
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
