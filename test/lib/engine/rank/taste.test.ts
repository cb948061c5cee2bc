import { fromZonedTime } from 'date-fns-tz';
import { expect, test } from 'vitest';
import { explainTime } from '../../../../lib/engine/explain/explain-time.ts';
import { rankReschedule } from '../../../../lib/engine/move/rank-reschedule.ts';
import { chosenParts, minutesOutside } from '../../../../lib/engine/rank/fairness.ts';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { momentAt, weigh } from '../../../../lib/engine/rank/merit.ts';
import { rankAuto } from '../../../../lib/engine/rank/rank-auto.ts';
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
const auto = (search: Search) => rankAuto({ ...search, requesterPreferences: flexible, otherPreferences: flexible });
const dayOf = ({ start }: { start: number }) => new Date(start).getUTCDay();
const FRIDAY = 5;
const TUESDAY = 2;

test('five dates are offered, but a time that somebody would rather not have gives way to others on a taken date', () => {
  expect(findSlots(week([])).slots.map(dayOf)).toContain(FRIDAY);
  const { slots } = findSlots(week([rule('rather_not', on('friday'))]));
  expect(slots).toHaveLength(5);
  expect(slots.map(dayOf)).not.toContain(FRIDAY);
});

test('such a time is offered where its score is higher, or nothing else is left', () => {
  const morning = rule('rather_not', on('friday'));
  const { slots } = findSlots(week([morning], { window: dates('2026-05-15', '2026-05-15') }));
  expect(slots.map(dayOf)).toEqual(Array(5).fill(FRIDAY));
  // Only lunch is left on the days before.
  const busy = [11, 12, 13, 14].flatMap((date) => [
    { start: at(`2026-05-${date}T00:00Z`), end: at(`2026-05-${date}T16:00Z`) },
    { start: at(`2026-05-${date}T17:00Z`), end: at(`2026-05-${date}T24:00Z`) },
  ]);
  const search = week([morning]);
  const best = findSlots({ ...search, requester: { ...search.requester, busy } }).slots[0];
  expect(best && dayOf(best)).toBe(FRIDAY);
  expect(best?.factors).toEqual([{ name: 'mid_morning', multiplier: 1.2 }]);
});

test('a preferred time comes first, and leaves room for other dates', () => {
  const { slots } = findSlots(week([rule('prefer', on('tuesday'))]));
  expect(slots.map(dayOf)[0]).toBe(TUESDAY);
  expect(new Set(slots.map(dayOf)).size).toBe(4);
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

test('a meeting is preferred only if all of it is, and unwanted if any of it is', () => {
  const ten = { start: '10:00', end: '10:30' };
  const at9 = (standing: StandingRule[], durationMinutes: number) => {
    const explained = explainTime({ ...week(standing, { durationMinutes }), start: at('2026-05-12T14:00Z') });
    return explained.free && explained.ownRules.length;
  };
  expect(at9([rule('prefer', on('tuesday', ten))], 30)).toBe(1);
  expect(at9([rule('prefer', on('tuesday', ten))], 45)).toBe(0);
  expect(at9([rule('rather_not', on('tuesday', ten))], 45)).toBe(1);
});

test('the nearer a time is to what somebody likes, the sooner it is offered', () => {
  const tuesday = week([rule('prefer', on('tuesday', { start: '10:00', end: '11:00' }))]);
  const partsOf = (clock: string) => {
    const explained = explainTime({ ...tuesday, start: at(`2026-05-12T${clock}-04:00`) });
    return explained.free && explained.parts.map(({ name }) => name).filter((name) => name.endsWith('preferred'));
  };
  expect(['10:30', '11:00', '12:30', '12:45'].map(partsOf)).toEqual([
    [],
    ['near_preferred'],
    ['near_preferred'],
    ['not_preferred'],
  ]);
});

test('a pick by Tandem follows the rules of both, whoever is named first', () => {
  const rules = [rule('rather_not', on('monday'), on('tuesday')), rule('prefer', on('thursday'))];
  const search = week(rules);
  for (const both of [search, { ...search, requester: search.other, other: search.requester }]) {
    const [pick] = auto(both).ranked;
    expect(pick && dayOf(pick)).toBe(4);
  }
});

test('a moved meeting goes to the side of the old time that somebody likes', () => {
  const old = { start: at('2026-05-13T15:00Z'), end: at('2026-05-13T15:30Z') };
  const move = (standing: StandingRule[]) => {
    const search = week(standing);
    const preferences = { requesterPreferences: flexible, otherPreferences: flexible };
    const { ranked } = rankReschedule({
      ...search,
      ...preferences,
      old,
      wish: {},
      askerTimeZone: 'America/New_York',
      notAt: [old.start],
      within: { start: at('2026-05-13T13:30Z'), end: at('2026-05-13T16:30Z') },
    });
    return new Date(ranked[0]?.start ?? 0).toISOString().slice(11, 16);
  };
  const earlier = rule('prefer', on('wednesday', { start: '08:00', end: '11:00' }));
  const later = rule('rather_not', on('wednesday', { start: '08:00', end: '11:00' }));
  expect([move([earlier]), move([later])]).toEqual(['14:30', '15:30']);
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

test('noon is over lunch for nobody whose calendar or rules show another lunch', () => {
  const overLunch = (mine: Partial<Search['requester']>) => {
    const both = { requester: person({ timeZone: 'UTC', ...mine }), other: person({ timeZone: 'UTC', ...mine }) };
    const search = { ...week([]), ...both, requesterPreferences: flexible, otherPreferences: flexible };
    return chosenParts(search)(momentAt(search, at('2026-05-13T12:00Z')), weigh(search, []).around).length;
  };
  const hour = (date: number, from: number) => ({
    start: at(`2026-05-${date}T${from}:00Z`),
    end: at(`2026-05-${date}T${from + 1}:00Z`),
  });
  expect(overLunch({})).toBe(1);
  expect(overLunch({ standing: [rule('never', on('wednesday', { start: '13:00', end: '14:00' }))] })).toBe(0);
  expect(overLunch({ standing: [rule('never', on('thursday', { start: '13:00', end: '14:00' }))] })).toBe(1);
  expect(overLunch({ busy: [12, 13, 14].map((date) => hour(date, 13)) })).toBe(0);
  expect(overLunch({ busy: [12, 13].map((date) => hour(date, 13)) })).toBe(1);
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

test('of hours within others that somebody likes, the narrower are meant', () => {
  const hours = (start: string, end: string) =>
    rule(
      'prefer',
      ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day) => on(day, { start, end })),
    );
  const { slots } = findSlots(week([hours('12:00', '18:00'), hours('16:00', '18:00')]));
  expect(slots[0]?.startTime.slice(11, 16)).toBe('16:00');
});
