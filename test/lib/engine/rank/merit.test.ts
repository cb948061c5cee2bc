import { describe, expect, test } from 'vitest';
import { findSlots, findSlotsAround } from '../../../../lib/engine/rank/find-slots.ts';
import { weigh } from '../../../../lib/engine/rank/merit.ts';
import { DEFAULT_WORK_HOURS } from '../../../../lib/engine/rules/defaults.ts';
import { candidateStarts } from '../../../../lib/engine/rules/free-time.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, search, span } from '../people.ts';

const workHours = everyDay('08:00', '18:00');
const offered = (asked: Search) => findSlots(asked).slots.map(({ startTime }) => startTime.slice(5, 16));

/** Returns a search from Monday, 4 May for two people with ordinary work hours, asked on the Friday before at noon. */
const inMay = (busy: [string, string][], more: Partial<Search> = {}) =>
  search(
    { workHours, busy: busy.map(([from, to]) => span(`2026-05-${from}Z`, `2026-05-${to}Z`)) },
    { workHours },
    { window: dates('2026-05-04', '2026-05-15'), now: at('2026-05-01T12:00Z'), ...more },
  );

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Europe/Berlin', 'Europe/London'],
  ['Europe/London', 'Europe/Berlin'],
  ['America/New_York', 'Europe/London'],
  ['America/Denver', 'Europe/London'],
  ['Europe/Athens', 'Europe/London'],
  ['America/New_York', 'America/Los_Angeles'],
  ['Australia/Sydney', 'Asia/Singapore'],
])('on two empty calendars in %s and %s the first time has the highest product', (zone, otherZone) => {
  for (const now of ['2026-05-11T06:00Z', '2026-05-12T16:20Z', '2026-05-14T21:00Z', '2026-05-15T13:30Z']) {
    const empty = search(
      { workHours, timeZone: zone },
      { workHours, timeZone: otherZone },
      { window: dates('2026-05-15', '2026-05-29'), now: at(now) },
    );
    const { products } = weigh(empty, candidateStarts(empty));
    expect(findSlots(empty).slots[0]?.product).toBe(Math.max(...products));
  }
});

describe('merit', () => {
  test('puts an ordinary day before one between Christmas and New Year', () => {
    const busy = ['18', '19', '20', '21', '22', '23'].map((day) =>
      span(`2029-12-${day}T08:00Z`, `2029-12-${day}T17:00Z`),
    );
    const christmas = search(
      { workHours, busy: [...busy, span('2029-12-25T00:00Z', '2029-12-27T00:00Z')] },
      { workHours },
      { window: dates('2029-12-18', '2029-12-28'), now: at('2029-12-18T08:00Z') },
    );
    expect(offered(christmas)).toEqual(['12-18T17:00', '12-19T17:00', '12-20T17:00', '12-22T17:00', '12-23T17:00']);
  });
});

test('alternatives come near the time that was asked for, its own day first', () => {
  const asked = at('2026-05-06T10:00Z');
  const taken = search(
    { workHours },
    { workHours, busy: [span('2026-05-06T09:45Z', '2026-05-06T11:00Z')] },
    { window: dates('2026-05-04', '2026-05-08'), now: at('2026-05-01T08:00Z') },
  );
  const { slots } = findSlotsAround(taken, asked);
  expect(slots.map(({ startTime }) => startTime.slice(5, 16))).toEqual([
    '05-06T11:15',
    '05-06T13:15',
    '05-07T10:00',
    '05-05T10:00',
    '05-08T10:00',
  ]);
  const { slots: alone } = findSlotsAround({ ...taken, window: dates('2026-05-06', '2026-05-06') }, asked);
  expect(alone).toHaveLength(5);
});

test('no alternative is a time that somebody would rather not have while others are free', () => {
  const blocks = [{ day: 'thursday' as const, start: '00:00', end: '24:00' }];
  const standing = [{ verdict: 'rather_not' as const, words: 'Thursdays', blocks }];
  const { requester, ...taken } = inMay([['08T00:00', '09T00:00']]);
  const minding = { ...requester, workHours: DEFAULT_WORK_HOURS, standing };
  const { slots } = findSlotsAround({ ...taken, requester: minding }, at('2026-05-08T10:00Z'));
  expect(slots.map(({ start }) => new Date(start).getUTCDay())).not.toContain(4);
});
