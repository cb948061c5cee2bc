import { describe, expect, test } from 'vitest';
import { explainTime } from '../../../../lib/engine/explain/explain-time.ts';
import {
  type Band,
  clockChanges,
  commonBands,
  type LocalDay,
  localWeek,
  personBands,
  placeOnDays,
  ticksOf,
  withoutPast,
} from '../../../../lib/engine/explain/week-bands.ts';
import { parseDate } from '../../../../lib/engine/time/dates.ts';
import { windowInterval } from '../../../../lib/engine/time/window.ts';
import { expectBandsToAgree } from '../agreement.ts';
import { at, everyDay, explained as explainedSearch, person, search, span } from '../people.ts';

const weekOf = (zone: string, date: string) => localWeek(zone, parseDate(date) ?? 0);
const dayOf = (zone: string, date: string) => weekOf(zone, date)[0] as LocalDay;
const hours = (zone: string, date: string) => ticksOf(zone, dayOf(zone, date)).map(({ hour }) => hour);
const told = (bands: readonly Band[] | undefined) =>
  bands?.map(({ kind, from, to }) => `${kind} ${from / 60}–${to / 60}`);

describe('the days of a week', () => {
  test('follow each other without a gap', () => {
    const week = weekOf('Europe/Berlin', '2026-10-19');
    expect([week[0]?.date, week.length, week[6]?.date]).toEqual(['2026-10-19', 7, '2026-10-25']);
    expect(week.slice(1).map(({ start }) => start)).toEqual(week.slice(0, -1).map(({ end }) => end));
  });
});

describe('the hours of a clock', () => {
  test('leave out the one that does not exist', () => {
    expect(hours('America/New_York', '2026-03-08').slice(0, 4)).toEqual([0, 1, 3, 4]);
    expect(hours('America/New_York', '2026-03-08')).toHaveLength(23);
  });

  test('show twice the one that comes twice', () => {
    expect(hours('America/New_York', '2026-11-01').slice(0, 5)).toEqual([0, 1, 1, 2, 3]);
  });

  test('are another zone’s, with its dates', () => {
    const ticks = ticksOf('Asia/Kathmandu', dayOf('Europe/London', '2026-01-05'));
    expect(ticks[0]).toEqual({ at: 15, hour: 6, date: '2026-01-05' });
    expect(ticks.find(({ hour }) => hour === 0)).toEqual({ at: 18 * 60 + 15, hour: 0, date: '2026-01-06' });
  });

  test('are put forward and back', () => {
    expect(clockChanges('America/New_York', dayOf('America/New_York', '2026-03-08'))).toEqual([
      { at: 120, minutes: 60 },
    ]);
    expect(clockChanges('America/New_York', dayOf('Europe/London', '2026-11-01'))).toEqual([{ at: 360, minutes: -60 }]);
    expect(clockChanges('America/New_York', dayOf('America/New_York', '2026-03-09'))).toEqual([]);
  });
});

describe('a person’s bands', () => {
  test('are their rules and their times, without a word of either', () => {
    const ada = person({
      focusBlocks: [{ day: 'monday', start: '09:00', end: '11:00', reason: 'secret plan' }],
      bufferMinutes: 30,
      busy: [span('2026-05-04T17:00Z', '2026-05-04T18:00Z'), span('2026-05-04T19:00Z', '2026-05-04T20:00Z')],
      meetings: [span('2026-05-04T19:00Z', '2026-05-04T20:00Z')],
    });
    const [monday, tuesday] = personBands(ada, weekOf('America/New_York', '2026-05-04'), ada.meetings);
    expect(told(monday)).toEqual([
      'work 8–18',
      'focus 9–11',
      'buffer 12.5–13',
      'buffer 14–15',
      'buffer 16–16.5',
      'busy 13–14',
      'hold 15–16',
    ]);
    expect(told(tuesday)).toEqual(['work 8–18']);
  });

  test('end with what is over', () => {
    const week = weekOf('America/New_York', '2026-05-04');
    const bands = withoutPast(personBands(person(), week), week, at('2026-05-05T16:00Z'));
    expect(bands.slice(0, 3).map(told)).toEqual([['over 0–24'], ['over 0–12', 'work 12–18'], ['work 8–18']]);
  });
});

test('a free stretch that is too short for the meeting is told from the others', () => {
  const two = search({ workHours: everyDay('08:00', '12:00'), busy: [span('2026-05-04T08:15Z', '2026-05-04T10:00Z')] });
  const bands = commonBands(two, weekOf('UTC', '2026-05-04'), windowInterval(two.window, 'UTC'));
  expect(told(bands[0])).toEqual(['free 10–12', 'too_short 8–8.25']);
  expect(told(bands[1])).toEqual(['not_searched 0–24']);
});

test('a time over midnight stands on both days', () => {
  const week = weekOf('UTC', '2026-05-04');
  expect(placeOnDays(span('2026-05-04T23:30Z', '2026-05-05T00:30Z'), week).slice(0, 3)).toEqual([
    { from: 1410, to: 1440 },
    { from: 0, to: 30 },
    undefined,
  ]);
});

test('every minute of random weeks is what the minute-by-minute oracle says, and the picks lie in free bands', () => {
  expectBandsToAgree({ numRuns: 8, seed: 20_261_122 });
});

test('a free time that overlaps a better slot is passed over for that', () => {
  expect(explainTime({ ...explainedSearch, start: at('2026-05-06T13:45Z') })).toMatchObject({
    free: true,
    offered: false,
    passedOver: 'overlaps_an_offered_slot',
  });
});
