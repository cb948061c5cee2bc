import { fromZonedTime } from 'date-fns-tz';
import { expect, test } from 'vitest';
import { carriedIn, compareBurdens, fairestFirst, minutesOutside } from '../../../../lib/engine/rank/fairness.ts';
import { DEFAULT_WEIGHTS } from '../../../../lib/engine/rules/defaults.ts';
import { at, dates, person } from '../people.ts';

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

test('each carries what their own clocks say', () => {
  const zones = ['America/New_York', 'Asia/Tokyo'] as const;
  const evening = meeting('America/New_York', '2026-12-08 18:00', 60);
  const morning = meeting('America/New_York', '2026-12-08 08:30', 30);
  expect(carriedIn([], zones)).toEqual({ requester: 0, other: 0 });
  expect(carriedIn([evening], zones)).toEqual({ requester: 60, other: 0 });
  expect(carriedIn([evening, morning], zones)).toEqual({ requester: 60, other: 30 });
});

test.each([
  [
    { requester: 60, other: 30 },
    { requester: 90, other: 0 },
  ],
  [
    { requester: 60, other: 0 },
    { requester: 60, other: 30 },
  ],
  [
    { requester: 0, other: 0 },
    { requester: 0, other: 15 },
  ],
])('%j is better shared than %j', (better, worse) => {
  expect(compareBurdens(better, worse)).toBeLessThan(0);
  expect(compareBurdens(worse, better)).toBeGreaterThan(0);
  expect(compareBurdens(better, { ...better })).toBe(0);
});

test('one who bears an hour comes before two who bear half of it each', () => {
  const flexible = { energyPattern: 'flexible' as const, weights: DEFAULT_WEIGHTS };
  const fairer = fairestFirst({
    requester: person({ timeZone: 'UTC' }),
    other: person({ email: 'bob@example.com', timeZone: 'Etc/GMT-10' }),
    durationMinutes: 60,
    window: dates('2026-12-08', '2026-12-09'),
    now: at('2026-12-07T12:00Z'),
    requesterPreferences: flexible,
    otherPreferences: flexible,
  });
  expect(fairer(at('2026-12-08T07:00Z'), at('2026-12-08T07:30Z'))).toBeLessThan(0);
});
