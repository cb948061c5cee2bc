import { MINUTE } from './dates.ts';
import { subtract, union } from './intervals.ts';
import type { Person } from './types.ts';
import { type Days, wallInstants } from './wall-instants.ts';
import { focusWeek, withoutWeek, workWeek } from './week.ts';
import { localDay } from './zone.ts';

/** Which of a person's rules hold; a search applies all, an explanation takes them one by one. */
export interface Applied {
  focusBlocks: boolean;
  dayLimit: boolean;
  busy: boolean;
  buffer: boolean;
}

export const ALL_RULES: Applied = { focusBlocks: true, dayLimit: true, busy: true, buffer: true };
export const WORK_HOURS_ONLY: Applied = { focusBlocks: false, dayLimit: false, busy: false, buffer: false };

/** The instants of these days at which the person is free under the rules that are applied. */
export function freeInstants(person: Person, days: Days, applied: Applied = ALL_RULES): number[] {
  const hours = workWeek(person.workHours);
  const week = applied.focusBlocks ? withoutWeek(hours, focusWeek(person.focusBlocks)) : hours;
  const full = applied.dayLimit ? fullDays(person) : undefined;
  const open = wallInstants(person.timeZone, days, week, full);
  return applied.busy ? subtract(open, busyInstants(person, applied.buffer ? person.bufferMinutes : 0)) : open;
}

/** The provider's busy times and our own meetings, widened by a buffer on both sides. */
export function busyInstants(person: Person, bufferMinutes: number): number[] {
  const all = person.meetings.length === 0 ? person.busy : [...person.busy, ...person.meetings];
  return union(all, bufferMinutes * MINUTE);
}

/** The local days on which as many meetings of ours start as the person allows. */
export function fullDays(person: Person): ReadonlySet<number> {
  const counts = new Map<number, number>();
  const full = new Set<number>();
  if (person.meetings.length < person.maxMeetingsPerDay) return full;
  for (const { start } of person.meetings) {
    const day = localDay(person.timeZone, start);
    const count = (counts.get(day) ?? 0) + 1;
    counts.set(day, count);
    if (count >= person.maxMeetingsPerDay) full.add(day);
  }
  return full;
}
