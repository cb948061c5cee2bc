import { fromZonedTime } from 'date-fns-tz';
import { expect, test } from 'vitest';
import { explainTime } from '../../../../lib/engine/explain/explain-time.ts';
import { chosenParts, minutesOutside } from '../../../../lib/engine/rank/fairness.ts';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { momentAt, weigh } from '../../../../lib/engine/rank/merit.ts';
import type { FocusBlock, Search, StandingRule, Weekday } from '../../../../lib/engine/types.ts';
import { at, dates, person } from '../people.ts';
import { flexible } from './auto-search.ts';

const WHOLE_DAY = { start: '00:00', end: '24:00' };
const rule = (verdict: StandingRule['verdict'], ...blocks: FocusBlock[]): StandingRule => ({
  words: `${verdict} then`,
  verdict,
  blocks,
});
const on = (day: Weekday, hours = WHOLE_DAY): FocusBlock => ({ day, ...hours });

/** A week from Monday to Friday, seen from the Thursday before, so that no time is soon. */
const week = (standing: StandingRule[], more: Partial<Search> = {}) => ({
  requester: person({ standing }),
  other: person({ email: 'bob@example.com' }),
  durationMinutes: 30,
  window: dates('2026-05-11', '2026-05-15'),
  now: at('2026-05-07T12:00Z'),
  ...more,
});

test('the score knows nothing of taste', () => {
  const search = week([rule('rather_not', on('friday'))]);
  const explained = explainTime({ ...search, start: at('2026-05-15T14:00Z') });
  expect(explained).toMatchObject({
    free: true,
    offered: false,
    passedOver: 'equal_slots_first',
    slot: { score: 1, product: 1.2 },
    ownRules: [{ email: 'ada@example.com', verdict: 'rather_not', words: 'rather_not then' }],
  });
  expect(explained.free && explained.rank).toBe(137);
});

test('a rule that rules a time out is told in its words, and once it is gone the times open', () => {
  const never = rule(
    'never',
    ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day) => on(day)),
  );
  const search = week([never]);
  expect(findSlots(search)).toMatchObject({
    slots: [],
    none: {
      causes: [{ email: 'ada@example.com', rule: 'standing_rule' }],
      relaxations: expect.arrayContaining([
        {
          change: 'without_rule',
          email: 'ada@example.com',
          words: 'never then',
          blocks: expect.any(Array),
          opens: 195,
          first: expect.any(Number),
          best: expect.any(Number),
        },
      ]),
    },
  });
  expect(explainTime({ ...search, start: at('2026-05-12T14:00Z') }).against).toMatchObject([
    { email: 'ada@example.com', rule: 'standing_rule', words: 'never then' },
  ]);
});

const meeting = (zone: string, from: string, minutes: number) => {
  const start = fromZonedTime(from, zone).getTime();
  return { start, end: start + minutes * 60_000 };
};

test.each<[zone: string, from: string, minutes: number, outside: number]>([
  ['Europe/Berlin', '2026-12-08 10:00', 30, 0],
  ['Europe/Berlin', '2026-12-08 08:00', 600, 0],
  ['Europe/Berlin', '2026-12-08 07:30', 30, 30],
  ['Europe/Berlin', '2026-12-08 07:45', 30, 15],
  ['Europe/Berlin', '2026-12-08 17:45', 30, 15],
  ['Europe/Berlin', '2026-12-08 23:30', 60, 60],
  ['Europe/Berlin', '2026-12-08 07:00', 720, 120],
  ['Europe/Berlin', '2026-12-08 17:00', 960, 840],
  // A meeting during a repeated hour counts both times.
  ['Europe/Berlin', '2026-10-25 01:30', 120, 120],
  ['America/New_York', '2026-03-08 01:30', 30, 30],
])('in %s, of a meeting at %s of %i minutes %i are outside', (zone, from, minutes, outside) => {
  expect(minutesOutside(zone, meeting(zone, from, minutes))).toBe(outside);
});

const hour = 60 * 60_000;
/** Ada in UTC and Bob nine hours ahead, of whom one has had half an hour outside their day. */
const carried = (start: string) => ({
  requester: person({ timeZone: 'UTC' }),
  other: person({ email: 'bob@example.com', timeZone: 'Etc/GMT-9' }),
  durationMinutes: 60,
  window: dates('2026-12-08', '2026-12-09'),
  now: at('2026-12-07T12:00Z'),
  requesterPreferences: flexible,
  otherPreferences: flexible,
  pairMeetings: [{ start: at(start), end: at(start) + hour / 2 }],
});

test.each([
  [
    'Bob has had 30 minutes after 18:00, and at 08:15 has more',
    '2026-12-01T09:00Z',
    '2026-12-08T08:15Z',
    ['bob@example.com'],
  ],
  [
    'Bob has had 30 minutes after 18:00, and at 07:00 it is early for Ada alone',
    '2026-12-01T09:00Z',
    '2026-12-08T07:00Z',
    [],
  ],
  [
    'Ada has had 30 minutes before 08:00, and at 07:00 has more',
    '2026-12-01T07:30Z',
    '2026-12-08T07:00Z',
    ['ada@example.com'],
  ],
  ['nobody has had any, so it is nobody’s turn', '2026-12-01T08:00Z', '2026-12-08T07:00Z', []],
])('%s', (_, before, start, expected) => {
  const search = carried(before);
  expect(chosenParts(search)(momentAt(search, at(start)), weigh(search, []).around)).toEqual(
    expected.map((email) => ({ name: 'turn', email, value: 0.5 })),
  );
});

test('liked days and liked hours are meant together, and one of the two is near to it', () => {
  const mornings = (['monday', 'tuesday', 'wednesday'] as const).map((day) =>
    on(day, { start: '09:00', end: '12:00' }),
  );
  const both = week([rule('prefer', on('tuesday')), rule('prefer', ...mornings)]);
  const tastesAt = (start: string) => {
    const explained = explainTime({ ...both, start: at(start) });
    if (!explained.free) return 'busy';
    const taste = explained.parts.map(({ name }) => name).filter((name) => name.endsWith('preferred'));
    expect(explained.facts.own.people[0].isUnliked).toBe(taste.length > 0);
    return [...taste, explained.ownRules.length];
  };
  expect(tastesAt('2026-05-12T10:00-04:00')).toEqual([2]);
  expect(tastesAt('2026-05-12T15:00-04:00')).toEqual(['near_preferred', 0]);
  expect(tastesAt('2026-05-11T10:00-04:00')).toEqual(['near_preferred', 0]);
  expect(tastesAt('2026-05-11T16:00-04:00')).toEqual(['not_preferred', 0]);
});
