import { expect, test } from 'vitest';
import { findSlots, findSlotsAround } from '../../../../lib/engine/rank/find-slots.ts';
import { rankAuto } from '../../../../lib/engine/rank/rank-auto.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, search, span } from '../people.ts';
import { auto, bob } from './auto-search.ts';

const workHours = everyDay('08:00', '18:00');
const offered = (asked: Search) => findSlots(asked).slots.map(({ startTime }) => startTime.slice(5, 16));

/** Returns a search on Thursday, 7 May for two people with ordinary work hours, asked on the Monday before at eight. */
const onThursday = (busy: [string, string][], more: Partial<Search> = {}) =>
  search(
    { workHours, busy: busy.map(([from, to]) => span(`2026-05-07T${from}Z`, `2026-05-07T${to}Z`)) },
    { workHours },
    { window: dates('2026-05-07', '2026-05-07'), now: at('2026-05-04T08:00Z'), ...more },
  );

test('the bonus for soon, which ends within a date, is no reason for a time at the edge of the day', () => {
  const hour = { durationMinutes: 60 };
  const busy: [string, string][] = [
    ['09:00', '11:00'],
    ['12:00', '18:00'],
  ];
  expect(offered(onThursday(busy, hour))[0]).toBe('05-07T08:00');
  expect(offered(onThursday(busy, { ...hour, now: at('2026-05-01T08:00Z') }))).toEqual(['05-07T11:00', '05-07T08:00']);
});

test('a time two hours from the others gives way to its neighbor if that is far more comfortable', () => {
  const [first, ...others] = offered(onThursday([['08:00', '13:00']], { now: at('2026-05-01T08:00Z') }));
  expect(first).toBe('05-07T13:15');
  expect(others).toContain('05-07T16:30');
  expect(others).not.toContain('05-07T17:15');
});

/** Returns what is offered from Tuesday to Thursday if one person has these meetings on each of the days. */
const onThreeDays = (...busy: [string, string][]) =>
  offered(
    search(
      {
        workHours,
        busy: ['05', '06', '07'].flatMap((day) =>
          busy.map(([from, to]) => span(`2026-05-${day}T${from}Z`, `2026-05-${day}T${to}Z`)),
        ),
      },
      { workHours },
      { durationMinutes: 30, window: dates('2026-05-05', '2026-05-07'), now: at('2026-05-01T08:00Z') },
    ),
  );

test('mid-morning makes up for a meeting on one side, but on each date it gives way if there is one on both sides', () => {
  const later: [string, string][] = [
    ['10:30', '12:00'],
    ['13:00', '15:30'],
  ];
  const onEachDate = (clock: string) => ['05', '06', '07'].map((day) => `05-${day}T${clock}`);
  expect(onThreeDays(['08:00', '10:00'], ...later)).toEqual(expect.arrayContaining(onEachDate('15:45')));
  expect(onThreeDays(['11:00', '12:00'], ['13:00', '15:30'])).toEqual(expect.arrayContaining(onEachDate('10:00')));
  expect(onThreeDays(['08:00', '10:45'], ['11:30', '12:00'], ['13:00', '15:30'])).toEqual(
    expect.arrayContaining(onEachDate('10:45')),
  );
});

test('a quarter of an hour’s break is worth a quarter of an hour at the edge of the day', () => {
  expect(offered(onThursday([['08:00', '17:00']], { durationMinutes: 30 }))).toEqual(['05-07T17:15']);
});

test('24 December gives way to an ordinary date for a tenth of the product', () => {
  const busy = [
    ...['18', '19', '20', '21', '22', '23'].map((day) => span(`2029-12-${day}T08:00Z`, `2029-12-${day}T17:00Z`)),
    span('2029-12-25T00:00Z', '2029-12-27T00:00Z'),
  ];
  const christmas = search(
    { workHours, busy },
    { workHours },
    { window: dates('2029-12-18', '2029-12-28'), now: at('2029-12-18T08:00Z') },
  );
  expect(offered(christmas)).toEqual(['12-27T10:00', '12-28T10:00', '12-18T17:15', '12-19T17:15', '12-20T17:15']);
});

test('auto leaves a person who sleeps now two hours of work before the meeting, if another date is as good', () => {
  const night = { now: at('2026-05-04T21:00Z'), window: dates('2026-05-05', '2026-05-06') };
  const short = everyDay('08:00', '09:30');
  const { ranked } = rankAuto(auto({ ...night, other: bob({ workHours: short }) }));
  expect(ranked[0]?.startTime.slice(5, 16)).toBe('05-06T08:30');
});

test('alternatives are three on the date that was asked for and one on each of the nearest others', () => {
  const asked = at('2026-05-06T10:00Z');
  const taken = search(
    { workHours },
    { workHours, busy: [span('2026-05-06T09:45Z', '2026-05-06T11:00Z')] },
    { window: dates('2026-05-04', '2026-05-08'), now: at('2026-05-01T08:00Z') },
  );
  const { slots } = findSlotsAround(taken, asked);
  expect(slots.map(({ startTime }) => startTime.slice(5, 16))).toEqual([
    '05-06T09:15',
    '05-06T11:00',
    '05-06T08:45',
    '05-05T10:00',
    '05-07T10:00',
  ]);
  const { slots: alone } = findSlotsAround({ ...taken, window: dates('2026-05-06', '2026-05-06') }, asked);
  expect(alone).toHaveLength(5);
});
