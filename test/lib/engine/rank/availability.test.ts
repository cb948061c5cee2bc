import { describe, expect, test } from 'vitest';
import { findSpreadSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { candidateStarts, freeIntervals } from '../../../../lib/engine/rules/free-time.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, MONDAY, person, search, span } from '../people.ts';

const times = (found: Search) => candidateStarts(found).map((start) => new Date(start).toISOString().slice(5, 16));
const morning = everyDay('09:00', '10:00');

describe('candidate starts', () => {
  test.each<[string, Search, string[]]>([
    [
      'end before a busy time to the millisecond',
      search({ workHours: morning, busy: [span('2026-05-04T09:29:59.999Z', '2026-05-04T10:00Z')] }),
      [],
    ],
    [
      'keep 15 minutes of notice to the millisecond',
      search({ workHours: morning }, {}, { now: at('2026-05-04T09:00:00.001Z') }),
      ['05-04T09:30'],
    ],
  ])('%s', (_, found, expected) => {
    expect(times(found)).toEqual(expected);
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

  test('are at most as many as asked for', () => {
    for (const most of [1, 2, 3, 4, 5])
      expect(spread(search({ workHours: everyDay('08:00', '18:00') }, {}, week), most)).toHaveLength(most);
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
