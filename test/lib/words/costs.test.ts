import { expect, test } from 'vitest';
import type { SlotFacts } from '../../../lib/engine/rank/slot-facts.ts';
import { sayReasons } from '../../../lib/words/slots.ts';
import { type About, offer } from './offered.ts';

const FIRST_THING: About = { afterOpening: 0 };
const LAST_THING: About = { beforeClosing: 0 };

test.each<[string, SlotFacts[], string[]]>([
  [
    'Christmas Eve, even if the time is early for one and late for the other',
    [offer('2026-12-24T10:00Z', { outside: 'early' }, { outside: 'late', isHalfDay: true })],
    ['Thursday, 24 December at 10:00, early for Ada, late for Bob and on Christmas Eve.'],
  ],
  [
    'a rule that one of them has against the time, even if it has two other costs',
    [offer('2026-05-05T10:00Z', { outside: 'early', verdict: 'rather_not' }, { isOverLunch: true })],
    ['Tuesday, 5 May at 10:00, early for Ada, a time Ada would rather avoid and over lunch for Bob.'],
  ],
  [
    'a rule that both have against the time',
    [offer('2026-05-05T10:00Z', { verdict: 'rather_not' }, { verdict: 'rather_not' })],
    ['Tuesday, 5 May at 10:00, a time both would rather avoid.'],
  ],
  [
    'a missing break in the same words each time, on one side or on both',
    [offer('2026-05-04T10:00Z', { sidesTaken: 2 }), offer('2026-05-05T10:00Z', { sidesTaken: 2 }, { sidesTaken: 1 })],
    [
      'Monday, 4 May at 10:00, the soonest of these, but back to back for Ada.',
      'Tuesday, 5 May at 10:00, back to back for both.',
    ],
  ],
  [
    'who bears a cost that was named before, if the time has another one',
    [
      offer('2026-05-05T10:00Z', FIRST_THING, FIRST_THING),
      offer('2026-05-06T10:00Z', FIRST_THING, { ...FIRST_THING, sidesTaken: 1 }),
      offer('2026-05-07T10:00Z', FIRST_THING, FIRST_THING),
    ],
    [
      'Tuesday, 5 May at 10:00, the soonest of these, but first thing for both.',
      'Wednesday, 6 May at 10:00, first thing for both and back to back for Bob.',
      'Thursday, 7 May at 10:00, first thing.',
    ],
  ],
  [
    'the end of a day as a cost, if the time has another cost too',
    [
      offer('2026-05-05T10:00Z', { isOverLunch: true }, LAST_THING, { isLastOfDay: true }),
      offer('2026-05-06T10:00Z', {}, LAST_THING, { isLastOfDay: true }),
    ],
    [
      'Tuesday, 5 May at 10:00, the soonest of these, but over lunch for Ada and at the end of the day for Bob.',
      'Wednesday, 6 May at 10:00, at the end of the day for Bob.',
    ],
  ],
  [
    'the last free time of a day, if no other time offered is one',
    [offer('2026-05-06T10:00Z', {}, LAST_THING, { isLastOfDay: true }), offer('2026-05-07T10:00Z', {}, LAST_THING)],
    [
      "Wednesday, 6 May at 10:00, the last free half hour of Bob's day.",
      'Thursday, 7 May at 10:00, at the end of the day for Bob.',
    ],
  ],
])('a sentence names %s', (_, offered, expected) => {
  expect(sayReasons(offered)).toEqual(expected);
});
