import { DEFAULT_WORK_HOURS } from '../../../lib/engine/rules/defaults.ts';
import { WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { DateWindow, DayHours, Interval, Search, SearchedPerson, WorkHours } from '../../../lib/engine/types.ts';

/** Returns a person in New York who set nothing except the given fields. */
export function person(about: Partial<SearchedPerson> = {}): SearchedPerson {
  return {
    email: 'ada@example.com',
    timeZone: 'America/New_York',
    workHours: DEFAULT_WORK_HOURS,
    focusBlocks: [],
    bufferMinutes: 0,
    maxMeetingsPerDay: 10,
    busy: [],
    meetings: [],
    ...about,
  };
}

export function everyDay(start: string, end: string, enabled = true): WorkHours {
  const hours: DayHours = { enabled, start, end };
  return Object.fromEntries(WEEKDAYS.map((day) => [day, hours])) as WorkHours;
}

export const AROUND_THE_CLOCK = everyDay('00:00', '24:00');

/** Parses an instant from RFC 3339 text. */
export const at = (text: string): number => Date.parse(text);

/** Returns a span of instants from two RFC 3339 texts. */
export const span = (start: string, end: string): Interval => ({ start: at(start), end: at(end) });

/** Returns a window of whole dates. */
export function dates(start: string, end: string): DateWindow {
  return { start, end, days: Math.round((at(`${end}T00:00Z`) - at(`${start}T00:00Z`)) / 86_400_000) + 1 };
}

export const MONDAY = '2026-05-04';

/** Returns a search for a half hour on that Monday. Both people are in UTC, and the second works around the clock. */
export function search(
  requester: Partial<SearchedPerson>,
  other: Partial<SearchedPerson> = {},
  more: Partial<Search> = {},
): Search {
  return {
    requester: person({ timeZone: 'UTC', ...requester }),
    other: person({ email: 'bob@example.com', timeZone: 'UTC', workHours: AROUND_THE_CLOCK, ...other }),
    durationMinutes: 30,
    window: dates(MONDAY, MONDAY),
    now: at('2026-05-01T00:00Z'),
    ...more,
  };
}

const ruled = person({
  focusBlocks: [{ day: 'tuesday', start: '09:00', end: '10:00', reason: 'secret plan' }],
  bufferMinutes: 15,
  maxMeetingsPerDay: 1,
  busy: [span('2026-05-05T15:00Z', '2026-05-05T16:00Z')],
  meetings: [span('2026-05-07T15:00Z', '2026-05-07T16:00Z')],
});
const other = person({ email: 'bob@example.com', timeZone: 'Europe/Berlin' });
/** A search for Ada, who has a rule of each kind against some time, and Bob, who has none. */
export const explained = {
  requester: ruled,
  other,
  durationMinutes: 30,
  window: dates('2026-05-05', '2026-05-08'),
  now: at('2026-05-05T12:00Z'),
};
