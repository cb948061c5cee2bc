import type { SearchedPerson } from '../../../../lib/engine/types.ts';
import { DAY, dayNumber, isInHours, MINUTE, wallAt } from './clock.ts';

function isAtWork({ timeZone, workHours, holidays }: SearchedPerson, at: number): boolean {
  const { date, weekday, minute } = wallAt(timeZone, at);
  const hours = workHours[weekday];
  return hours.enabled && !holidays?.has(dayNumber(date)) && isInHours(hours, minute);
}

const known = new WeakMap<SearchedPerson, { now: number; worked: number[] }>();

/** Returns how many minutes a person works from now until each of the next day's minutes. */
function workedOf(person: SearchedPerson, now: number): number[] {
  const before = known.get(person);
  if (before?.now === now) return before.worked;
  const worked = [0];
  for (let i = 0; i < 1440; i++) worked.push((worked[i] ?? 0) + (isAtWork(person, now + i * MINUTE) ? 1 : 0));
  known.set(person, { now, worked });
  return worked;
}

/** Returns true if it is night for a person now, and at most `most` minutes of their work lie before a start within a day. */
export const isOvernight = (person: SearchedPerson, now: number, start: number, most = 60): boolean =>
  !isAtWork(person, now) && isWithinWork(person, now, start, most);

/**
 * Returns true if a start is short notice for a person in a sentence: it is evening or night for them now, and less than
 * two hours of their work lie before the start.
 */
export const isSoonAfterNight = (person: SearchedPerson, now: number, start: number): boolean =>
  isWithinWork(person, now, start, 119);

function isWithinWork(person: SearchedPerson, now: number, start: number, most: number): boolean {
  const { minute } = wallAt(person.timeZone, now);
  if (start - now > DAY || (minute >= 480 && minute < 1080)) return false;
  // A person who is at work now has already worked a part of the first minute that is counted.
  const begun = isAtWork(person, now) && now % MINUTE !== 0 ? 1 : 0;
  return (workedOf(person, now)[Math.ceil((start - now) / MINUTE)] ?? 0) - begun <= most;
}
