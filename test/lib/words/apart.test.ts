import { expect, test } from 'vitest';
import type { SlotFacts } from '../../../lib/engine/rank/slot-facts.ts';
import { sayReasons } from '../../../lib/words/slots.ts';
import { type About, offer } from './offered.ts';

const THANKSGIVING = { date: '2026-11-26', name: 'Thanksgiving Day' };
const OFF: About = { holidays: [THANKSGIVING] };
const BEFORE: About = { ...OFF, bridge: { holiday: THANKSGIVING, side: 'before' } };
const BESIDE: About = { sidesTaken: 1 };
const at = (startMinute: number): About => ({ startMinute });
const ROOMY: About = { hasRoom: true, roomMinutes: 90 };

test.each<[string, SlotFacts[], string[]]>([
  [
    'its place before and after a public holiday',
    [
      offer('2026-11-23T10:00Z', OFF),
      offer('2026-11-24T10:00Z', OFF),
      offer('2026-11-25T10:00Z', OFF),
      offer('2026-11-30T10:00Z', OFF),
    ],
    [
      'Monday, 23 November at 10:00, the soonest of these.',
      'Tuesday, 24 November at 10:00.',
      'Wednesday, 25 November at 10:00, the day before Thanksgiving Day, a day off for Ada.',
      'Monday, 30 November at 10:00, the only one of these after Thanksgiving Day.',
    ],
  ],
  [
    'its room, if nothing is within an hour of it',
    [
      offer('2026-05-05T10:00Z', BESIDE),
      offer('2026-05-06T10:00Z', ROOMY, ROOMY),
      offer('2026-05-07T10:00Z', { hasRoom: true, roomMinutes: 30 }, ROOMY),
    ],
    [
      'Tuesday, 5 May at 10:00, the soonest of these, but back to back for Ada.',
      'Wednesday, 6 May at 10:00, with the most room of these before and after.',
      'Thursday, 7 May at 10:00.',
    ],
  ],
  [
    'its half of the day',
    [
      offer('2026-05-05T10:00Z', at(600), at(600)),
      offer('2026-05-06T14:00Z', at(840), at(840)),
      offer('2026-05-07T10:00Z', at(600), at(600)),
    ],
    [
      'Tuesday, 5 May at 10:00, the soonest of these.',
      'Wednesday, 6 May at 14:00, the only one of these in the afternoon.',
      'Thursday, 7 May at 10:00.',
    ],
  ],
  [
    'that it is in the following week, and nothing of its place on its date',
    [
      offer('2026-05-07T10:00Z', at(600), at(600)),
      offer('2026-05-08T10:00Z', at(600), at(600)),
      offer('2026-05-11T10:00Z', at(600), at(600)),
      offer('2026-05-12T10:00Z', at(600), at(600)),
      offer('2026-05-12T10:45Z', at(615), at(615)),
    ],
    [
      'Thursday, 7 May at 10:00, the soonest of these.',
      'Friday, 8 May at 10:00.',
      'Monday, 11 May at 10:00, in the following week.',
      'Tuesday, 12 May at 10:00.',
      'Tuesday, 12 May at 10:45.',
    ],
  ],
  [
    'nothing, if nothing differs but the date',
    [
      offer('2026-05-04T10:00Z'),
      offer('2026-05-05T10:00Z'),
      offer('2026-05-06T10:00Z'),
      offer('2026-05-07T10:00Z', {}, { freeHalf: 'morning' }),
    ],
    [
      'Monday, 4 May at 10:00, the soonest of these.',
      'Tuesday, 5 May at 10:00.',
      'Wednesday, 6 May at 10:00.',
      'Thursday, 7 May at 10:00, a free morning for Bob.',
    ],
  ],
  [
    'a difference before a cost that another time has too',
    [
      offer('2026-05-04T10:00Z', BESIDE),
      offer('2026-05-05T10:00Z', BESIDE),
      offer('2026-05-06T10:00Z', BESIDE),
      offer('2026-05-11T10:00Z', BESIDE),
    ],
    [
      'Monday, 4 May at 10:00, the soonest of these, but back to back for Ada.',
      'Tuesday, 5 May at 10:00, back to back for Ada.',
      'Wednesday, 6 May at 10:00, back to back for Ada.',
      'Monday, 11 May at 10:00, in the following week, back to back for Ada.',
    ],
  ],
  [
    'the holiday beside its date once, with the people who have it off',
    [offer('2026-11-25T10:00Z', { ...BEFORE, ...BESIDE }, OFF), offer('2026-12-02T10:00Z', OFF, OFF)],
    [
      'Wednesday, 25 November at 10:00, the soonest of these, but back to back for Ada, and the day before Thanksgiving Day, a public holiday for both.',
      'Wednesday, 2 December at 10:00, the only one of these after Thanksgiving Day.',
    ],
  ],
  [
    'a holiday as the only reason of a later sentence',
    [
      offer('2026-11-30T10:00Z', OFF),
      offer('2026-11-24T10:00Z', OFF),
      offer('2026-12-01T10:00Z', {}, { freeHalf: 'morning' }),
    ],
    [
      'Monday, 30 November at 10:00.',
      'Tuesday, 24 November at 10:00, the only one of these before Thanksgiving Day, a day off for Ada.',
      'Tuesday, 1 December at 10:00, a free morning for Bob.',
    ],
  ],
])('a sentence names %s', (_, offered, expected) => {
  expect(sayReasons(offered)).toEqual(expected);
});

test('a sentence about an alternative says nothing of the other dates', () => {
  const near = { fromAsked: { days: 0, minutes: 180 } };
  const far = { fromAsked: { days: 2, minutes: 240 } };
  expect(
    sayReasons([
      offer('2026-05-05T10:00Z', at(600), at(600), near),
      offer('2026-05-06T14:00Z', at(840), at(840), far),
      offer('2026-05-07T10:00Z', at(600), at(600), near),
    ]),
  ).toEqual([
    'Tuesday, 5 May at 10:00.',
    'Wednesday, 6 May at 14:00, the only one of these in the afternoon.',
    'Thursday, 7 May at 10:00.',
  ]);
});
