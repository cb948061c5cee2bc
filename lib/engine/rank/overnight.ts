import { openInstants, WORK_HOURS_ONLY } from '../rules/free-time.ts';
import { DAY, HOUR, MINUTE } from '../time/dates.ts';
import { cut, edgeAt, overlaps } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import { offsetAt } from '../time/zone.ts';
import type { SearchedPerson } from '../types.ts';
import { isShortNotice } from './comfort.ts';

/** The hours of the day in which it is not night, in minutes since midnight. */
const [EARLIEST, LATEST] = [480, 1080];

/** Cache of `lastOvernight` for each person, with the `now` for which it was computed. */
const known = new WeakMap<SearchedPerson, { now: number; last: number }>();

/**
 * Returns true if a meeting comes overnight for a person: they learn of it only shortly before it, even if it is half a
 * day away. All of these must hold:
 * - Their clock shows a time before 08:00 or from 18:00 on, and they are not at work now.
 * - The meeting starts within 24 hours, but not within two. A meeting within two hours is at short notice for both
 *   people anyway.
 * - At most one hour of their work hours lies between now and the meeting.
 */
export function isOvernight(person: SearchedPerson, now: number, start: number): boolean {
  return start - now <= DAY && !isShortNotice(start, now) && start <= lastOvernight(person, now);
}

/**
 * Like `isOvernight`, but for sentences: true if less than two hours of the next working day lie before the meeting. Two
 * hours from now are short notice for both people, so two hours of work are for one who sleeps now.
 */
export function isSoonAfterNight(person: SearchedPerson, now: number, start: number): boolean {
  return start - now <= DAY && !isShortNotice(start, now) && start < worked(person, now, 2 * HOUR);
}

/**
 * Returns the latest start with at most one hour of the person's work hours before it, but no later than 24 hours from
 * `now`. Returns `now` if it is not night for the person, or if they are at work.
 */
export function lastOvernight(person: SearchedPerson, now: number): number {
  const before = known.get(person);
  if (before?.now === now) return before.last;
  const last = worked(person, now, HOUR);
  known.set(person, { now, last });
  return last;
}

/**
 * Returns the instant at which a person has worked for a while, from a night now on, and a day from now at the latest.
 * Returns `now` if it is not night for them, or they are at work.
 */
function worked(person: SearchedPerson, now: number, time: number): number {
  const minute = ((now + offsetAt(person.timeZone, now)) % DAY) / MINUTE;
  if (minute >= EARLIEST && minute < LATEST) return now;
  const tomorrow = now + DAY;
  const hours = openInstants(person, daysAround({ start: now, end: tomorrow }), { ...WORK_HOURS_ONLY, holidays: true });
  if (overlaps(hours, { start: now, end: now + 1 })) return now;
  const work = cut(hours, now, tomorrow);
  let left = time;
  for (let i = 0; i < work.length; i += 2) {
    const [from, to] = [edgeAt(work, i), edgeAt(work, i + 1)];
    if (to - from > left) return from + left;
    left -= to - from;
  }
  return tomorrow;
}
