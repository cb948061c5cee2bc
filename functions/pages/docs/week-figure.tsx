import { commonBands, localWeek, personBands, placeOnDays } from '../../../lib/engine/explain/week-bands.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { DEFAULT_WORK_HOURS } from '../../../lib/engine/rules/defaults.ts';
import { parseDate } from '../../../lib/engine/time/dates.ts';
import { windowInterval } from '../../../lib/engine/time/window.ts';
import type { Search, SearchedPerson } from '../../../lib/engine/types.ts';
import type { WeekMark } from '../week/lanes.ts';
import { Week } from '../week/week.tsx';

const NOW = Date.parse('2026-11-30T18:00Z');
const FIRST = '2026-12-01';
const LAST = '2026-12-04';

const person = (email: string, timeZone: string, own: Partial<SearchedPerson>): SearchedPerson => ({
  email,
  timeZone,
  workHours: DEFAULT_WORK_HOURS,
  focusBlocks: [],
  bufferMinutes: 0,
  maxMeetingsPerDay: 10,
  busy: [],
  meetings: [],
  ...own,
});

const on = (from: string, to: string) => ({ start: Date.parse(`${from}Z`), end: Date.parse(`${to}Z`) });

const ana = person('ana.silva@demo.test', 'Europe/Lisbon', {
  focusBlocks: [{ day: 'wednesday', start: '13:00', end: '15:30' }],
  standing: [
    {
      words: 'no meetings on Friday afternoons',
      verdict: 'never',
      blocks: [{ day: 'friday', start: '13:00', end: '18:00' }],
    },
  ],
  holidays: new Map([[parseDate(FIRST) ?? 0, 'Restoration of Independence']]),
  busy: [on('2026-12-03T14:00', '2026-12-03T15:00')],
});

const ben = person('ben.carter@demo.test', 'America/New_York', {
  bufferMinutes: 30,
  busy: [on('2026-12-02T18:00', '2026-12-02T20:00')],
  meetings: [on('2026-12-03T16:30', '2026-12-03T17:00')],
});

/** Draws a week of two people from Tuesday to Friday, with each kind of rule, and the times that a search offers. */
export function WeekFigure() {
  const days = localWeek(ana.timeZone, parseDate(FIRST) ?? 0).slice(0, 4);
  const search: Search = {
    requester: ana,
    other: ben,
    durationMinutes: 30,
    window: { start: FIRST, end: LAST, days: days.length },
    now: NOW,
  };
  const marks: WeekMark[] = findSlots(search).slots.flatMap((slot, at) =>
    placeOnDays(slot, days).flatMap((place, day) =>
      place === undefined
        ? []
        : [{ day, ...place, kind: 'pick' as const, lane: 1, sign: String(at + 1), title: `Offered time ${at + 1}` }],
    ),
  );
  const lanes = [
    { name: 'Ana', timeZone: ana.timeZone, bands: personBands(ana, days, []), ruler: 'above' as const },
    {
      name: 'Both',
      timeZone: ana.timeZone,
      bands: commonBands(search, days, windowInterval(search.window, ana.timeZone)),
    },
    { name: 'Ben', timeZone: ben.timeZone, bands: personBands(ben, days, ben.meetings), ruler: 'below' as const },
  ];
  return <Week days={days} lanes={lanes} marks={marks} />;
}
