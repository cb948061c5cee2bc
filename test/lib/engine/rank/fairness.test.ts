import { fromZonedTime } from 'date-fns-tz';
import { expect, test } from 'vitest';
import { carriedIn, minutesOutside, turnOf } from '../../../../lib/engine/rank/fairness.ts';
import { momentAt } from '../../../../lib/engine/rank/merit.ts';
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

const flexible = { energyPattern: 'flexible' as const, weights: DEFAULT_WEIGHTS };
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
  expect(turnOf(search)(momentAt(search, at(start)))).toEqual(
    expected.map((email) => ({ name: 'turn', email, value: 0.5 })),
  );
});
