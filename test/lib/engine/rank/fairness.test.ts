import { fromZonedTime } from 'date-fns-tz';
import { expect, test } from 'vitest';
import { carriedIn, compareAdded, fairestFirst, minutesOutside } from '../../../../lib/engine/rank/fairness.ts';
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

const minutes = (requester: number, other: number) => ({ requester, other });

test.each([
  ['more minutes for who has had fewer', minutes(0, 30), minutes(60, 0), minutes(0, 15)],
  ['the same the other way round', minutes(30, 0), minutes(0, 60), minutes(15, 0)],
  ['less for who has had more', minutes(0, 30), minutes(0, 15), minutes(0, 30)],
  ['less for the other, if who has had more bears the same', minutes(0, 30), minutes(0, 15), minutes(15, 15)],
  ['the smaller share of both, if both have had the same', minutes(30, 30), minutes(60, 30), minutes(90, 0)],
  ['the smaller sum, if both have had the same', minutes(0, 0), minutes(0, 0), minutes(0, 15)],
])('fairer is %s', (_, before, better, worse) => {
  expect(compareAdded(before, better, worse)).toBeLessThan(0);
  expect(compareAdded(before, worse, better)).toBeGreaterThan(0);
  expect(compareAdded(before, better, { ...better })).toBe(0);
});

test('the turn is of the person who has had fewer minutes, even if their time adds more', () => {
  const flexible = { energyPattern: 'flexible' as const, weights: DEFAULT_WEIGHTS };
  const fairer = fairestFirst({
    requester: person({ timeZone: 'UTC' }),
    other: person({ email: 'bob@example.com', timeZone: 'Etc/GMT-9' }),
    durationMinutes: 60,
    window: dates('2026-12-08', '2026-12-09'),
    now: at('2026-12-07T12:00Z'),
    requesterPreferences: flexible,
    otherPreferences: flexible,
    pairMeetings: [{ start: at('2026-12-01T09:00Z'), end: at('2026-12-01T09:30Z') }],
  });
  // Bob has had 30 minutes after 18:00. At 07:00 Ada would have 60 before 08:00, and at 08:15 Bob 15 after 18:00.
  expect(fairer(at('2026-12-08T07:00Z'), at('2026-12-08T08:15Z'))).toBeLessThan(0);
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
