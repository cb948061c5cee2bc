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
import { AROUND_THE_CLOCK, at, everyDay, explained as explainedSearch, person, search, span } from '../people.ts';

const weekOf = (zone: string, date: string) => localWeek(zone, parseDate(date) ?? 0);
const dayOf = (zone: string, date: string) => weekOf(zone, date)[0] as LocalDay;
const hours = (zone: string, date: string) => ticksOf(zone, dayOf(zone, date)).map(({ hour }) => hour);
const told = (bands: readonly Band[] | undefined) => bands?.map(({ kind, from, to }) => [kind, from / 60, to / 60]);

describe('the days of a week', () => {
  test.each([
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Asia/Beirut', '2026-03-29', 23],
    ['Pacific/Apia', '2011-12-30', 0],
    ['Asia/Tokyo', '2026-03-08', 24],
  ])('in %s, %s has %d hours', (zone, date, length) => {
    const { start, end } = dayOf(zone, date);
    expect((end - start) / 3_600_000).toBe(length);
  });

  test('follow each other without a gap', () => {
    const week = weekOf('Europe/Berlin', '2026-10-19');
    expect(week.map(({ date }) => date)).toEqual([
      '2026-10-19',
      '2026-10-20',
      '2026-10-21',
      '2026-10-22',
      '2026-10-23',
      '2026-10-24',
      '2026-10-25',
    ]);
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
      ['work', 8, 18],
      ['focus', 9, 11],
      ['buffer', 12.5, 13],
      ['buffer', 14, 15],
      ['buffer', 16, 16.5],
      ['busy', 13, 14],
      ['hold', 15, 16],
    ]);
    expect(told(tuesday)).toEqual([['work', 8, 18]]);
  });

  test('of a full day cover its work hours', () => {
    const ada = person({ maxMeetingsPerDay: 1, meetings: [span('2026-05-04T19:00Z', '2026-05-04T20:00Z')] });
    expect(told(personBands(ada, weekOf('America/New_York', '2026-05-04'))[0])).toEqual([
      ['work', 8, 18],
      ['full', 8, 18],
      ['busy', 15, 16],
    ]);
  });

  test('go over midnight on another’s days', () => {
    const bands = personBands(person({ timeZone: 'Asia/Tokyo' }), weekOf('America/Los_Angeles', '2026-05-04'));
    expect(told(bands[0])).toEqual([
      ['work', 0, 2],
      ['work', 16, 24],
    ]);
    expect(told(bands[4])).toEqual([['work', 0, 2]]);
    expect(told(bands[6])).toEqual([['work', 16, 24]]);
  });

  test('last as long as the hours do on the day the clocks change', () => {
    const early = person({ workHours: everyDay('00:30', '03:30') });
    const lengthOn = (date: string) => told(personBands(early, weekOf('America/New_York', date))[0]);
    expect(lengthOn('2026-03-08')).toEqual([['work', 0.5, 2.5]]);
    expect(lengthOn('2026-11-01')).toEqual([['work', 0.5, 4.5]]);
    expect(
      told(personBands(person({ workHours: AROUND_THE_CLOCK }), weekOf('America/New_York', '2026-11-01'))[0]),
    ).toEqual([['work', 0, 25]]);
  });

  test('end with what is over', () => {
    const week = weekOf('America/New_York', '2026-05-04');
    const bands = withoutPast(personBands(person(), week), week, at('2026-05-05T16:00Z'));
    expect(bands.slice(0, 3).map(told)).toEqual([
      [['over', 0, 24]],
      [
        ['over', 0, 12],
        ['work', 12, 18],
      ],
      [['work', 8, 18]],
    ]);
  });
});

test('a free stretch that is too short for the meeting is told from the others', () => {
  const two = search({ workHours: everyDay('08:00', '12:00'), busy: [span('2026-05-04T08:15Z', '2026-05-04T10:00Z')] });
  const bands = commonBands(two, weekOf('UTC', '2026-05-04'), windowInterval(two.window, 'UTC'));
  expect(told(bands[0])).toEqual([
    ['free', 10, 12],
    ['too_short', 8, 8.25],
  ]);
  expect(told(bands[1])).toEqual([['not_searched', 0, 24]]);
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

describe('the rules against a time', () => {
  test.each([
    ['2026-05-05T12:00:00Z', [[null, 'notice']]],
    ['2026-05-05T13:00:00Z', [['ada@example.com', 'focus_block']]],
    ['2026-05-05T14:05:00Z', [[null, 'quarter_hour']]],
    ['2026-05-05T14:45:00Z', [['ada@example.com', 'busy']]],
    ['2026-05-05T14:30:00Z', [['ada@example.com', 'buffer']]],
    [
      '2026-05-05T16:00:00Z',
      [
        ['ada@example.com', 'buffer'],
        ['bob@example.com', 'work_hours'],
      ],
    ],
    ['2026-05-06T16:00:00Z', [['bob@example.com', 'work_hours']]],
    ['2026-05-07T12:00:00Z', [['ada@example.com', 'day_limit']]],
    [
      '2026-05-09T12:00:00Z',
      [
        [null, 'window'],
        ['ada@example.com', 'work_hours'],
        ['bob@example.com', 'work_hours'],
      ],
    ],
    [
      '2026-05-04T12:00:00Z',
      [
        [null, 'notice'],
        [null, 'window'],
      ],
    ],
  ])('at %s are %j', (start, expected) => {
    const explained = explainTime({ ...explainedSearch, start: at(start) });
    expect(explained.free).toBe(false);
    expect(explained.against.map(({ email, rule }) => [email, rule])).toEqual(expected);
    expect(JSON.stringify(explained)).not.toContain('secret');
  });
});

describe('a free time', () => {
  test('that the search offers has its rank and factors', () => {
    expect(explainTime({ ...explainedSearch, start: at('2026-05-06T14:00Z') })).toMatchObject({
      free: true,
      offered: true,
      rank: 2,
      slot: { startTime: '2026-05-06T10:00:00-04:00', factors: [{ name: 'mid_morning' }, { name: 'recency' }] },
    });
  });

  test('that overlaps a better slot is passed over for that', () => {
    expect(explainTime({ ...explainedSearch, start: at('2026-05-06T13:45Z') })).toMatchObject({
      free: true,
      offered: false,
      passedOver: 'overlaps_an_offered_slot',
    });
  });

  test('that ranks below five better slots is passed over for that', () => {
    expect(explainTime({ ...explainedSearch, start: at('2026-05-08T12:30Z') })).toMatchObject({
      free: true,
      offered: false,
      passedOver: 'better_slots_first',
    });
  });
});
