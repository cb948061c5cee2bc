import { openInstants, WORK_HOURS_ONLY } from '../rules/free-time.ts';
import { DAY, HOUR, MINUTE } from '../time/dates.ts';
import { cut, edgeAt, overlaps } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import { offsetAt } from '../time/zone.ts';
import type { Search, SearchedPerson } from '../types.ts';

/** The time between two nights, from 8:00 to 18:00, in minutes since midnight. */
const [EARLIEST, LATEST] = [480, 1080];

/** Returns true if a meeting starts within two hours of now, so that an equally good later time comes before it. */
export const isShortNotice = (start: number, now: number): boolean => start - now < 2 * HOUR;

/**
 * Returns true if a meeting comes overnight for a person: they learn of it only shortly before it, even if it is half a
 * day away. All of these must hold:
 * - Their clock shows a time before 08:00 or from 18:00 on, and they are not at work now.
 * - The meeting starts within 24 hours, but not within two. A meeting within two hours is at short notice for both
 *   people anyway.
 * - At most one hour of their work hours lies between now and the meeting.
 */
export function isOvernight(person: SearchedPerson, now: number, start: number): boolean {
  return start - now <= DAY && !isShortNotice(start, now) && start <= workedBy(workAhead(person, now), now, HOUR);
}

/**
 * Returns true if a meeting within the next 24 hours, but not within two, starts when less than two hours of the
 * person's next working day have passed, and it is night for the person now. With `isAlsoAtWork`, it may also be
 * evening and the person still at work. Two hours of work are for such a person what two hours from now are for others:
 * short notice.
 */
export function isSoonAfterNight(person: SearchedPerson, now: number, start: number, isAlsoAtWork = false): boolean {
  if (start - now > DAY || isShortNotice(start, now)) return false;
  return start < workedBy(workAhead(person, now, isAlsoAtWork), now, 2 * HOUR);
}

/** The instants by which people whose night it is now will have worked for one hour and for two. */
export interface AfterNight {
  hour: number;
  twoHours: number;
}

/**
 * Returns the instants by which the two people of a search will both have worked for one hour and for two, after the
 * night that it is now. A person for whom it is not night, or who is at work, counts as having worked already.
 */
export function workedAfterNight({ requester, other, now }: Search): AfterNight {
  const [own, theirs] = [workAhead(requester, now), workAhead(other, now)];
  const later = (time: number) => Math.max(workedBy(own, now, time), workedBy(theirs, now, time));
  return { hour: later(HOUR), twoHours: later(2 * HOUR) };
}

/**
 * Returns the person's work hours in the next 24 hours. Returns undefined if it is not night for the person now, or if
 * they are at work and `isAlsoAtWork` is false.
 */
function workAhead(person: SearchedPerson, now: number, isAlsoAtWork = false): number[] | undefined {
  const minute = ((now + offsetAt(person.timeZone, now)) % DAY) / MINUTE;
  if (minute >= EARLIEST && minute < LATEST) return undefined;
  const tomorrow = now + DAY;
  const hours = openInstants(person, daysAround({ start: now, end: tomorrow }), { ...WORK_HOURS_ONLY, holidays: true });
  if (!isAlsoAtWork && overlaps(hours, { start: now, end: now + 1 })) return undefined;
  return cut(hours, now, tomorrow);
}

/**
 * Returns the instant by which a person will have worked for `time` ms, or infinity if they work less than that in the
 * given hours. Returns `now` without such hours.
 */
function workedBy(work: number[] | undefined, now: number, time: number): number {
  if (work === undefined) return now;
  let left = time;
  for (let i = 0; i < work.length; i += 2) {
    const [from, to] = [edgeAt(work, i), edgeAt(work, i + 1)];
    if (to - from > left) return from + left;
    left -= to - from;
  }
  return Number.POSITIVE_INFINITY;
}
