import type { AutoSearch } from '../../lib/engine/rank/auto-factors.ts';
import { DEFAULT_WEIGHTS, DEFAULT_WORK_HOURS } from '../../lib/engine/rules/defaults.ts';
import { holidayPlaceOf, holidaysIn } from '../../lib/engine/rules/holiday-table.ts';
import { HOUR, MINUTE } from '../../lib/engine/time/dates.ts';
import { searchWindow } from '../../lib/engine/time/window.ts';
import { localDay, startOfDay } from '../../lib/engine/time/zone.ts';
import type { Interval, SearchedPerson, WorkHours } from '../../lib/engine/types.ts';
import { randomFrom } from '../support/fuzz/seeded.ts';

/**
 * The corpus of `npm test -- stories --figures` and of the tests of sentences: 200 pairs with the public holidays of their
 * zones, drawn from fixed seeds, always the same.
 */
export const PAIRS = 200;

const ZONES = [
  ['Europe/Berlin', 'Europe/London'],
  ['America/New_York', 'Europe/London'],
  ['America/New_York', 'America/Los_Angeles'],
  ['Europe/Lisbon', 'Europe/Athens'],
  ['Australia/Sydney', 'Asia/Singapore'],
  ['Asia/Kolkata', 'Europe/Paris'],
  ['America/Chicago', 'America/Chicago'],
  ['Europe/Amsterdam', 'Africa/Johannesburg'],
  ['America/Sao_Paulo', 'America/New_York'],
  ['Asia/Tokyo', 'Australia/Brisbane'],
  ['America/Denver', 'America/Toronto'],
  ['Asia/Dubai', 'Europe/Madrid'],
] as const;
/** Plain weeks, Thanksgiving, 18 December, and weeks in which clocks change. */
const NOWS = ['2026-09-14T07:10Z', '2026-11-23T13:20Z', '2026-12-18T09:05Z', '2026-03-26T15:40Z', '2026-10-22T06:30Z'];
const HOURS = [
  ['08:00', '18:00'],
  ['08:00', '18:00'],
  ['09:00', '17:00'],
  ['08:30', '16:30'],
  ['10:00', '18:30'],
] as const;
const MEETINGS_A_DAY = [0, 2, 4, 6];
const DAYS = 18;

/** Returns a pair's search, ready for automatic scheduling too. The same number always gives the same search. */
export function pairAt(index: number): AutoSearch {
  const random = randomFrom(20_261_123 + index);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const now = Date.parse(pick(NOWS)) + Math.floor(random() * 48) * 10 * MINUTE;
  const zones = ZONES[index % ZONES.length] ?? ZONES[0];
  const personIn = (email: string, timeZone: string): SearchedPerson => {
    const [start, end] = pick(HOURS);
    return {
      email,
      timeZone,
      workHours: hoursOf(start, end),
      focusBlocks: [],
      bufferMinutes: pick([0, 0, 0, 15]),
      maxMeetingsPerDay: 10,
      holidays: holidaysIn(holidayPlaceOf(timeZone)),
      busy: busyFrom(localDay(timeZone, now), timeZone, pick(MEETINGS_A_DAY), random),
      meetings: [],
    };
  };
  const requester = personIn('ada@example.com', zones[0]);
  const other = personIn('bob@example.com', zones[1]);
  const preferences = { energyPattern: 'flexible' as const, weights: DEFAULT_WEIGHTS };
  const found = searchWindow({ now, timeZone: requester.timeZone, windowDays: 14 });
  if (!found.ok) throw new Error('The corpus has a window that cannot be searched.');
  return {
    requester,
    other,
    durationMinutes: pick([30, 30, 45, 60]),
    window: found.window,
    now,
    context: pick([undefined, 'investor_call', 'one_on_one', 'review']),
    requesterPreferences: preferences,
    otherPreferences: preferences,
  };
}

/** Returns the search with the two names in the other order, over the same dates as far as zones allow. */
export function swapped(search: AutoSearch): AutoSearch {
  const { requester, other, requesterPreferences, otherPreferences } = search;
  return {
    ...search,
    requester: other,
    other: requester,
    requesterPreferences: otherPreferences,
    otherPreferences: requesterPreferences,
  };
}

function hoursOf(start: string, end: string): WorkHours {
  const days = Object.entries(DEFAULT_WORK_HOURS).map(([day, hours]) => [day, { ...hours, start, end }]);
  return Object.fromEntries(days) as WorkHours;
}

/** Returns so many meetings on each of the next days, between seven and seven on the person's clock. */
function busyFrom(first: number, timeZone: string, aDay: number, random: () => number): Interval[] {
  const lengths = [30, 30, 60, 90];
  return Array.from({ length: DAYS * aDay }, (_, i) => {
    const start =
      startOfDay(timeZone, first + Math.floor(i / aDay)) + 7 * HOUR + Math.floor(random() * 48) * 15 * MINUTE;
    return { start, end: start + (lengths[Math.floor(random() * lengths.length)] ?? 30) * MINUTE };
  }).sort((a, b) => a.start - b.start);
}
