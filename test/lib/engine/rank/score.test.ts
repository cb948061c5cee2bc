import { expect, test } from 'vitest';
import { slotAt } from '../../../../lib/engine/rank/find-slots.ts';
import { momentAt, weigh } from '../../../../lib/engine/rank/merit.ts';
import { ranking, rulesOf, toScore } from '../../../../lib/engine/rank/score.ts';
import { DAY } from '../../../../lib/engine/time/dates.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, person } from '../people.ts';

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

test.each([
  ['each week', undefined],
  ['on one date', { first: at('2026-05-04T00:00Z') / DAY, last: at('2026-05-04T00:00Z') / DAY }],
])('a time beside a break that a rule keeps free %s is next to it', (_, dates) => {
  const blocks = [{ day: 'monday', start: '13:00', end: '14:00', dates } as const];
  const search = searchWith(30, 'America/New_York', '2026-05-03T00:00Z');
  const requester = person({ standing: [{ verdict: 'never', blocks, words: 'no meetings at lunch' }] });
  const starts = [at('2026-05-04T11:00-04:00'), at('2026-05-04T14:00-04:00')];
  const weighed = weigh({ ...search, requester }, starts);
  const besideIt = { name: 'next_to_a_meeting', email: 'ada@example.com', value: 0.7 };
  expect(weighed.partsAt(0)).not.toContainEqual(besideIt);
  expect(weighed.partsAt(1)).toContainEqual(besideIt);
});

test('a meeting that ends at midnight ends its day, also where the next date is skipped', () => {
  const thursday = { ...everyDay('00:00', '00:01', false), thursday: { enabled: true, start: '09:00', end: '24:00' } };
  const requester = person({ timeZone: 'Pacific/Apia', workHours: thursday });
  const parts = weigh({ ...searchWith(15), requester }, [at('2011-12-29T23:45-10:00')]).partsAt(0);
  expect(parts).toContainEqual({ name: 'end_of_day', email: 'ada@example.com', value: 0.5 });
});
