import { MINUTE } from './dates.ts';
import { inOrder, subtract, toIntervals, union } from './intervals.ts';
import type { Person } from './types.ts';
import { type Days, wallInstants } from './wall-instants.ts';
import { openWeek, WHOLE_WEEK } from './week.ts';
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
  return withoutBusy(openInstants(person, days, applied), person, applied);
}

/** The instants of these days within the work hours, less focus blocks and full days. */
export function openInstants(person: Person, days: Days, applied: Applied): number[] {
  const week = openWeek(person.workHours, applied.focusBlocks ? person.focusBlocks : []);
  return wallInstants(person.timeZone, days, week, applied.dayLimit ? fullDays(person) : undefined);
}

/** The instants of the set at which the person is not busy, nor within the buffer of a busy time. */
export function withoutBusy(set: number[], person: Person, { busy, buffer }: Applied): number[] {
  if (!busy) return set;
  const widenBy = buffer ? person.bufferMinutes * MINUTE : 0;
  const free = subtract(set, inOrder(person.busy), widenBy);
  return person.meetings.length === 0 ? free : subtract(free, inOrder(person.meetings), widenBy);
}

/** The provider's busy times and our own meetings, widened by a buffer on both sides. */
export function busyInstants({ busy, meetings }: Person, bufferMinutes: number): number[] {
  const times = [...toIntervals(inOrder(busy)), ...meetings];
  return union(inOrder(times), bufferMinutes * MINUTE);
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

/** The instants of these days that are on a full one. */
export function fullInstants(person: Person, days: Days): number[] {
  const full = fullDays(person);
  const others = new Set<number>();
  for (let day = days.first; day <= days.last; day++) if (!full.has(day)) others.add(day);
  return wallInstants(person.timeZone, days, WHOLE_WEEK, others);
}
