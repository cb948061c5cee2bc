import { expect, test } from 'vitest';
import { findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import type { WorkHours } from '../../../../lib/engine/types.ts';
import { at, dates, everyDay, person } from '../people.ts';

const office = everyDay('08:00', '18:00');
const wide = everyDay('07:00', '23:00');

// Half-hour meetings on Monday, 2026-05-04, well over three days ahead; [start, other's start, score].
test.each<[string, string, WorkHours, [string, string, number][]]>([
  [
    'America/Los_Angeles',
    'Europe/London',
    office,
    [
      ['08:30:00-07:00', '16:30:00+01:00', 1],
      ['09:00:00-07:00', '17:00:00+01:00', 1],
      ['08:00:00-07:00', '16:00:00+01:00', 1],
      ['09:30:00-07:00', '17:30:00+01:00', 1],
    ],
  ],
  [
    'Asia/Tokyo',
    'America/New_York',
    wide,
    [
      ['10:00:00+09:00', '21:00:00-04:00', 0.6],
      ['10:30:00+09:00', '21:30:00-04:00', 0.6],
      ['07:30:00+09:00', '18:30:00-04:00', 0.5],
      ['08:30:00+09:00', '19:30:00-04:00', 0.5],
      ['21:30:00+09:00', '08:30:00-04:00', 0.5],
    ],
  ],
  [
    'Asia/Kolkata',
    'Asia/Kathmandu',
    office,
    [
      ['10:00:00+05:30', '10:15:00+05:45', 1],
      ['11:00:00+05:30', '11:15:00+05:45', 1],
      ['13:00:00+05:30', '13:15:00+05:45', 1],
      ['14:00:00+05:30', '14:15:00+05:45', 1],
      ['15:00:00+05:30', '15:15:00+05:45', 1],
    ],
  ],
  [
    'Australia/Lord_Howe',
    'Australia/Sydney',
    office,
    [
      ['10:00:00+10:30', '09:30:00+10:00', 1],
      ['11:00:00+10:30', '10:30:00+10:00', 1],
      ['13:30:00+10:30', '13:00:00+10:00', 1],
      ['14:30:00+10:30', '14:00:00+10:00', 1],
      ['15:30:00+10:30', '15:00:00+10:00', 1],
    ],
  ],
])('%s and %s are offered these times', (zone, otherZone, workHours, expected) => {
  const { slots } = findSlots({
    requester: person({ timeZone: zone, workHours }),
    other: person({ email: 'bob@example.com', timeZone: otherZone, workHours }),
    durationMinutes: 30,
    window: dates('2026-05-04', '2026-05-04'),
    now: at('2026-04-01T00:00Z'),
  });
  const offered = slots.map(({ startTime, score, attendees }) => [
    startTime.slice(11),
    attendees[1]?.startTime.slice(11),
    score,
  ]);
  expect(offered).toEqual(expected);
});
