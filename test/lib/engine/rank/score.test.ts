import { expect, test } from 'vitest';
import { momentAt, weigh } from '../../../../lib/engine/rank/merit.ts';
import { ranking, rulesOf, toScore } from '../../../../lib/engine/rank/score.ts';
import { slotAt } from '../../../../lib/engine/rank/slot.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { at, dates, person } from '../people.ts';

function searchWith(durationMinutes: number, otherZone = 'America/New_York', now = '2026-01-01T00:00Z'): Search {
  return {
    requester: person(),
    other: person({ email: 'bob@example.com', timeZone: otherZone }),
    durationMinutes,
    window: dates('2026-03-01', '2026-11-30'),
    now: at(now),
  };
}

test('the ranking table is the interface’s', () => {
  expect(ranking.map(({ name, multiplier }) => [name, multiplier])).toEqual([
    ['timezone_fairness', 0.5],
    ['mid_morning', 1.2],
    ['friday_afternoon', 0.7],
    ['lunch_hour', 0.8],
    ['recency', 1.1],
  ]);
});

// 2026-05-04 is a Monday, 2026-05-08 a Friday; New York is at -04:00.
test.each([
  ['plain', '2026-05-04T09:00-04:00', 30, 'America/New_York', []],
  ['starting at 8', '2026-05-04T08:00-04:00', 30, 'America/New_York', []],
  ['starting before 8', '2026-05-04T07:45-04:00', 30, 'America/New_York', ['timezone_fairness']],
  ['ending at 6', '2026-05-04T17:30-04:00', 30, 'America/New_York', []],
  ['ending after 6', '2026-05-04T17:45-04:00', 30, 'America/New_York', ['timezone_fairness']],
  ['ending at midnight', '2026-05-04T23:30-04:00', 30, 'America/New_York', ['timezone_fairness']],
  ['ending after 6 for the other', '2026-05-04T11:45-04:00', 15, 'Europe/Berlin', []],
  ['ending after 6 for the other only', '2026-05-04T09:00-04:00', 30, 'Asia/Kolkata', ['timezone_fairness']],
  ['at 9:45', '2026-05-04T09:45-04:00', 30, 'America/New_York', []],
  ['at 10:00', '2026-05-04T10:00-04:00', 30, 'America/New_York', ['mid_morning']],
  ['at 10:45', '2026-05-04T10:45-04:00', 30, 'America/New_York', ['mid_morning']],
  ['at 11:00', '2026-05-04T11:00-04:00', 30, 'America/New_York', []],
  ['10am of the other only', '2026-05-04T12:00-05:00', 30, 'America/Los_Angeles', []],
  ['Friday at 13:45', '2026-05-08T13:45-04:00', 30, 'America/New_York', []],
  ['Friday at 14:00', '2026-05-08T14:00-04:00', 30, 'America/New_York', ['friday_afternoon']],
  ['Thursday at 14:00', '2026-05-07T14:00-04:00', 30, 'America/New_York', []],
  ['ending at noon', '2026-05-04T11:30-04:00', 30, 'America/New_York', []],
  ['ending after noon', '2026-05-04T11:45-04:00', 30, 'America/New_York', ['lunch_hour']],
  ['within lunch', '2026-05-04T12:15-04:00', 30, 'America/New_York', ['lunch_hour']],
  ['starting in lunch', '2026-05-04T12:45-04:00', 30, 'America/New_York', ['lunch_hour']],
  ['starting after lunch', '2026-05-04T13:00-04:00', 30, 'America/New_York', []],
  [
    'into lunch as clocks go forward',
    '2026-03-08T01:00-05:00',
    630,
    'America/New_York',
    ['timezone_fairness', 'lunch_hour'],
  ],
  ['short of lunch as clocks go back', '2026-11-01T01:00-04:00', 690, 'America/New_York', ['timezone_fairness']],
  ['over the lunch of the other only', '2026-05-04T10:00-04:00', 30, 'Atlantic/Azores', ['mid_morning']],
  ['into the lunch of the other only', '2026-05-04T08:30-04:00', 30, 'Atlantic/Azores', ['lunch_hour']],
  [
    'Friday at 14:00 of the other only',
    '2026-05-08T10:00-04:00',
    30,
    'Atlantic/Azores',
    ['mid_morning', 'friday_afternoon'],
  ],
  ['mid-morning into lunch', '2026-05-04T10:45-04:00', 90, 'America/New_York', ['mid_morning', 'lunch_hour']],
] as const)('%s has its factors', (_, start, durationMinutes, otherZone, expected) => {
  const rules = rulesOf(momentAt(searchWith(durationMinutes, otherZone), at(start)));
  expect(rules.map(({ name }) => name)).toEqual(expected);
});

test('a midnight that comes twice is not a lunch: 00:00 to 23:16 of the day before, St. John’s 2010', () => {
  const search = {
    ...searchWith(15),
    requester: person({ timeZone: 'America/St_Johns' }),
    now: at('2010-10-01T00:00Z'),
  };
  expect(rulesOf(momentAt(search, at('2010-11-07T00:00-02:30'))).map(({ name }) => name)).toEqual([
    'timezone_fairness',
  ]);
});

test.each([
  ['2026-05-01T13:00:00Z', ['recency']],
  ['2026-05-01T12:59:59Z', []],
])('seen from %s a meeting on 4 May at 09:00 has %j', (now, expected) => {
  const rules = rulesOf(momentAt(searchWith(30, 'America/New_York', now), at('2026-05-04T09:00-04:00')));
  expect(rules.map(({ name }) => name)).toEqual(expected);
});

test.each([
  [1.32, 1],
  [1, 1],
  [0.5 * 0.7 * 0.8, 0.28],
  [0.5 * 1.2 * 0.8 * 1.1, 0.528],
  [1 / 3, 0.3333],
])('the product %d is the score %d', (product, score) => {
  expect(toScore(product)).toBe(score);
});

test('a slot says its score and both people’s time', () => {
  const search = searchWith(30, 'Europe/Berlin', '2026-05-03T00:00Z');
  expect(slotAt(search, weigh(search, [at('2026-05-04T10:00-04:00')]), 0)).toEqual({
    start: at('2026-05-04T14:00Z'),
    end: at('2026-05-04T14:30Z'),
    startTime: '2026-05-04T10:00:00-04:00',
    endTime: '2026-05-04T10:30:00-04:00',
    score: 1,
    product: 1.32,
    comfort: 0.9174,
    merit: 1.211,
    timezone: 'America/New_York',
    factors: [
      { name: 'mid_morning', multiplier: 1.2 },
      { name: 'recency', multiplier: 1.1 },
    ],
    attendees: [
      { email: 'ada@example.com', startTime: '2026-05-04T10:00:00-04:00', timezone: 'America/New_York' },
      { email: 'bob@example.com', startTime: '2026-05-04T16:00:00+02:00', timezone: 'Europe/Berlin' },
    ],
  });
});
