import { openInstants, WORK_HOURS_ONLY } from '../rules/free-time.ts';
import { DAY, HOUR, MINUTE } from '../time/dates.ts';
import { cut, edgeAt, overlaps } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import { offsetAt } from '../time/zone.ts';
import type { SearchedPerson } from '../types.ts';
import { isShortNotice } from './comfort.ts';

/** The hours of the day in which it is not night, in minutes since midnight. */
const [EARLIEST, LATEST] = [480, 1080];

/** The last start that comes overnight for a person, by the time of the search for which it was computed. */
const known = new WeakMap<SearchedPerson, { now: number; last: number }>();

/**
 * Returns true if it is before 08:00 or after 18:00 for a person who is not at work now, and at most an hour of their
 * next working day lies before a meeting within 24 hours. They learn of the meeting shortly before it, even if it is half
 * a day away. Returns false for a meeting within two hours from now, which is at short notice for both people anyway.
 */
export function isOvernight(person: SearchedPerson, now: number, start: number): boolean {
  return start - now <= DAY && !isShortNotice(start, now) && start <= lastOvernight(person, now);
}

/** Returns the last start that comes overnight for a person, or `now` if none does. */
export function lastOvernight(person: SearchedPerson, now: number): number {
  const before = known.get(person);
  if (before?.now === now) return before.last;
  const last = findLast(person, now);
  known.set(person, { now, last });
  return last;
}

function findLast(person: SearchedPerson, now: number): number {
  const minute = ((now + offsetAt(person.timeZone, now)) % DAY) / MINUTE;
  if (minute >= EARLIEST && minute < LATEST) return now;
  const tomorrow = now + DAY;
  const hours = openInstants(person, daysAround({ start: now, end: tomorrow }), { ...WORK_HOURS_ONLY, holidays: true });
  if (overlaps(hours, { start: now, end: now + 1 })) return now;
  const work = cut(hours, now, tomorrow);
  let left = HOUR;
  for (let i = 0; i < work.length; i += 2) {
    const [from, to] = [edgeAt(work, i), edgeAt(work, i + 1)];
    if (to - from > left) return from + left;
    left -= to - from;
  }
  return tomorrow;
}
