import { openInstants, WORK_HOURS_ONLY } from '../rules/free-time.ts';
import { DAY, HOUR, MINUTE } from '../time/dates.ts';
import { cut, edgeAt, overlaps } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import { offsetAt } from '../time/zone.ts';
import type { SearchedPerson } from '../types.ts';

/** The time between two nights, from 8:00 to 18:00, in minutes since midnight. */
const [EARLIEST, LATEST] = [480, 1080];

/** Returns true if a meeting starts within two hours of now. */
export const isShortNotice = (start: number, now: number): boolean => start - now < 2 * HOUR;

/**
 * At night and not at work, a person reads of a meeting only after two hours of work, so an earlier one is short
 * notice. A guest, whose calendar nobody knows, gets a day to answer. Returns `now` for everybody else, and for work that
 * begins later than in 24 hours. With `isAlsoAtWork`, it may be evening and the person still at work.
 */
export function readBy(person: SearchedPerson, now: number, isAlsoAtWork = false): number {
  const tomorrow = now + DAY;
  if (person.unknown !== undefined) return tomorrow + 1;
  const minute = ((now + offsetAt(person.timeZone, now)) % DAY) / MINUTE;
  if (minute >= EARLIEST && minute < LATEST) return now;
  const hours = openInstants(person, daysAround({ start: now, end: tomorrow }), { ...WORK_HOURS_ONLY, holidays: true });
  if (!isAlsoAtWork && overlaps(hours, { start: now, end: now + 1 })) return now;
  const work = cut(hours, now, tomorrow);
  let left = 2 * HOUR;
  for (let i = 0; i < work.length; i += 2) {
    const [from, to] = [edgeAt(work, i), edgeAt(work, i + 1)];
    if (to - from > left) return from + left;
    left -= to - from;
  }
  return tomorrow + 1;
}
