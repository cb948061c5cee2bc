import { describe, expect, test } from 'vitest';
import { findSlots, findSpreadSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../../lib/engine/rules/candidates.ts';
import { freeIntervals } from '../../../../lib/engine/rules/free-time.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, MONDAY, person, search, span } from '../people.ts';

const times = (found: Search) => candidateStarts(found).map((start) => new Date(start).toISOString().slice(5, 16));
const morning = everyDay('09:00', '10:00');
const between = (start: string, end: string) => ({
  workHours: everyDay('09:00', '17:00'),
  busy: [span('2026-05-04T00:00Z', `2026-05-04T${start}Z`), span(`2026-05-04T${end}Z`, '2026-05-05T00:00Z')],
});

describe('candidate starts', () => {
  test.each<[string, Search, string[]]>([
    ['fill the work hours', search({ workHours: morning }), ['05-04T09:00', '05-04T09:15', '05-04T09:30']],
    ['begin on the first five minutes where no quarter hour fits', search(between('10:20', '10:50')), ['05-04T10:20']],
    ['begin on the first five minutes of a longer stretch', search(between('10:18', '10:59')), ['05-04T10:20']],
    ['begin on the first minute where nothing rounder fits', search(between('10:21', '10:53')), ['05-04T10:21']],
    [
      'begin on the first whole minute after a busy time that ends within one',
      search(between('10:20:30', '10:52')),
      ['05-04T10:21'],
    ],
    ['are none where no whole minute fits', search(between('10:20:30', '10:50:30')), []],
    [
      'have one each in two short stretches',
      search({ ...between('10:20', '12:50'), focusBlocks: [{ day: 'monday', start: '10:55', end: '12:20' }] }),
      ['05-04T10:20', '05-04T12:20'],
    ],
    [
      'count the notice where no quarter hour is left',
      search(between('10:00', '10:50'), {}, { now: at('2026-05-04T10:01Z') }),
      ['05-04T10:20'],
    ],
    [
      'end before a busy time to the millisecond',
      search({ workHours: morning, busy: [span('2026-05-04T09:29:59.999Z', '2026-05-04T10:00Z')] }),
      [],
    ],
    [
      'keep 15 minutes of notice',
      search({ workHours: morning }, {}, { now: at('2026-05-04T09:00Z') }),
      ['05-04T09:15', '05-04T09:30'],
    ],
    [
      'keep 15 minutes of notice to the millisecond',
      search({ workHours: morning }, {}, { now: at('2026-05-04T09:00:00.001Z') }),
      ['05-04T09:30'],
    ],
    [
      'take busy times in any order, overlapping or empty',
      search({
        workHours: morning,
        busy: [
          span('2026-05-04T09:15Z', '2026-05-04T09:30Z'),
          span('2026-05-04T09:45Z', '2026-05-04T09:45Z'),
          span('2026-05-04T08:00Z', '2026-05-04T09:20Z'),
        ],
      }),
      ['05-04T09:30'],
    ],
  ])('%s', (_, found, expected) => {
    expect(times(found)).toEqual(expected);
  });
});

describe('the five slots', () => {
  const offered = (found: Search) =>
    findSlots(found).slots.map(({ startTime, product }) => [startTime.slice(8, 16), product]);

  test('on one day are ranked by merit, and an hour apart at least where one is free', () => {
    expect(offered(search({ workHours: everyDay('08:00', '14:00') }))).toEqual([
      ['04T10:00', 1.2],
      ['04T11:00', 1],
      ['04T09:00', 1],
      ['04T13:00', 1],
      ['04T08:00', 1],
    ]);
  });

  test('over a week lie on five dates, not all at one hour', () => {
    const week = { window: dates(MONDAY, '2026-05-08') };
    expect(offered(search({ workHours: everyDay('08:00', '18:00') }, {}, week))).toEqual([
      ['04T10:00', 1.2],
      ['05T13:00', 1],
      ['07T10:00', 1.2],
      ['06T15:00', 1],
      ['08T10:00', 1.2],
    ]);
  });
});

describe('slots that are spread over dates', () => {
  const spread = (found: Search, most: number) =>
    findSpreadSlots(found, most).slots.map(({ startTime, product }) => [startTime.slice(8, 16), product]);
  const week = { window: dates(MONDAY, '2026-05-08') };
  const lunch = everyDay('12:00', '13:00');

  test('are the best ones, each on another date, at whatever cost', () => {
    // Wednesday has free time only over lunch.
    const work = { ...everyDay('09:00', '15:00'), wednesday: lunch.wednesday };
    const three = { window: dates(MONDAY, '2026-05-06') };
    expect(spread(search({ workHours: work }, {}, three), 3)).toEqual([
      ['04T10:30', 1.2],
      ['05T13:00', 1],
      ['06T12:00', 0.8],
    ]);
  });

  const datesOf = (found: Search, most: number) =>
    spread(found, most)
      .map(([time]) => String(time).slice(0, 2))
      .sort();

  test('take a date again only if no other is left', () => {
    const two = { window: dates(MONDAY, '2026-05-05') };
    expect(datesOf(search({ workHours: everyDay('10:00', '12:00') }, {}, two), 2)).toEqual(['04', '05']);
    expect(datesOf(search({ workHours: everyDay('10:00', '12:00') }, {}, two), 3)).toContain('05');
  });

  test('take another date even at short notice', () => {
    const now = at('2026-05-04T09:00Z');
    const two = { window: dates(MONDAY, '2026-05-05'), now };
    expect(datesOf(search({ workHours: everyDay('09:00', '11:00') }, {}, two), 2)).toEqual(['04', '05']);
    expect(datesOf(search({ workHours: everyDay('09:00', '12:30') }, {}, two), 2)).toEqual(['04', '05']);
  });

  test('are at most as many as asked for', () => {
    for (const most of [1, 2, 3, 4, 5])
      expect(spread(search({ workHours: everyDay('08:00', '18:00') }, {}, week), most)).toHaveLength(most);
  });

  test('take another date even if somebody would rather not meet then', () => {
    const standing = [
      {
        words: 'rather not on Tuesdays',
        verdict: 'rather_not' as const,
        blocks: [{ day: 'tuesday' as const, start: '00:00', end: '24:00' }],
      },
    ];
    const two = { window: dates(MONDAY, '2026-05-05') };
    const found = search({ workHours: everyDay('09:00', '15:00'), standing }, {}, two);
    expect(datesOf(found, 2)).toEqual(['04', '05']);
  });
});

describe('one person’s free intervals', () => {
  const ada = person({ timeZone: 'America/New_York', busy: [span('2026-05-04T14:00Z', '2026-05-04T14:30Z')] });

  test('lie on dates of the person’s own zone', () => {
    expect(freeIntervals(ada, dates(MONDAY, MONDAY), 30)).toEqual([
      span('2026-05-04T12:00Z', '2026-05-04T14:00Z'),
      span('2026-05-04T14:30Z', '2026-05-04T22:00Z'),
    ]);
  });

  test('are cut to the instants asked for, and as long as the duration', () => {
    expect(freeIntervals(ada, span('2026-05-04T13:30Z', '2026-05-04T15:30Z'), 45)).toEqual([
      span('2026-05-04T14:30Z', '2026-05-04T15:30Z'),
    ]);
  });
});
