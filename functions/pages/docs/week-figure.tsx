import { commonBands, localWeek, personBands } from '../../../lib/engine/explain/week-bands.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { DEFAULT_WORK_HOURS } from '../../../lib/engine/rules/defaults.ts';
import { parseDate } from '../../../lib/engine/time/dates.ts';
import { windowInterval } from '../../../lib/engine/time/window.ts';
import type { Search, SearchedPerson } from '../../../lib/engine/types.ts';
import { COMMON, PairWeek } from '../week/week.tsx';
import { marksOn } from '../week/words.ts';

const NOW = Date.parse('2026-11-30T18:00Z');
const HOLIDAY = '2026-12-01';

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
  holidays: new Map([[parseDate(HOLIDAY) ?? 0, 'Restoration of Independence']]),
  busy: [on('2026-12-03T14:00', '2026-12-03T15:00')],
});

const ben = person('ben.carter@demo.test', 'America/New_York', {
  bufferMinutes: 30,
  busy: [on('2026-12-02T18:00', '2026-12-02T20:00')],
  meetings: [on('2026-12-03T16:30', '2026-12-03T17:00')],
});

function searched(first: string, last: string) {
  const from = parseDate(first) ?? 0;
  const days = localWeek(ana.timeZone, from).slice(0, (parseDate(last) ?? 0) - from + 1);
  const window = { start: first, end: last, days: days.length };
  return { days, search: { requester: ana, other: ben, durationMinutes: 30, window, now: NOW } satisfies Search };
}

export const FIGURE_DAY = '2026-12-03';

/** Best time of that day as a request writes it: "15:15:00Z". */
export const bestOfDay = (): string => {
  const [best] = findSlots(searched(FIGURE_DAY, FIGURE_DAY).search).slots;
  return `${new Date(best?.start ?? 0).toISOString().slice(11, 19)}Z`;
};

export function WeekFigure({ first, last }: Record<'first' | 'last', string>) {
  const { days, search } = searched(first, last);
  const marks = findSlots(search).slots.flatMap((slot, i) =>
    marksOn(days, slot, { kind: 'pick', lane: COMMON, sign: String(i + 1), title: `Offered time ${i + 1}` }),
  );
  const bands = {
    requester: personBands(ana, days),
    common: commonBands(search, days, windowInterval(search.window, ana.timeZone)),
    other: personBands(ben, days, ben.meetings),
  };
  return <PairWeek {...{ days, bands, marks }} people={[ana, ben]} />;
}
