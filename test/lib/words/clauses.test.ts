import { expect, test } from 'vitest';
import type { TimeFacts } from '../../../lib/engine/rank/time-facts.ts';
import { sayReasons } from '../../../lib/words/slots.ts';
import { type About, offer } from './offered.ts';

const AFTER = { meetings: { before: true, after: false } };
const BEFORE = { meetings: { before: false, after: true } };
const BETWEEN = { meetings: { before: true, after: true } };
const FOCUS = { focus: { before: false, after: true } };
const rule = (email: string, verdict: 'rather_not' | 'prefer', words: string): About => ({
  rule: { email, verdict, words },
});
const THANKSGIVING = { holiday: { date: '2026-11-26', name: 'Thanksgiving Day' }, side: 'after' } as const;
const ROOM = { hasRoom: true };

test.each<[string, TimeFacts[], string[]]>([
  [
    'two drawbacks, the strongest first',
    [offer('2026-05-08T15:00Z', { isOverLunch: true, ...BEFORE }, { isFridayAfternoon: true })],
    ['Friday, 8 May at 15:00: over lunch for Ada and a Friday afternoon.'],
  ],
  [
    'Christmas Eve before that the time is early for one of them',
    [offer('2026-12-24T10:00Z', { outside: 'early' }, { outside: 'late', season: 'eve' })],
    ['Thursday, 24 December at 10:00: Christmas Eve and early for Ada.'],
  ],
  [
    'that one of them has a rule against the time, without their own words',
    [
      offer('2026-05-05T10:00Z', rule('ada@example.com', 'rather_not', 'Tuesdays are for writing'), {
        isOverLunch: true,
      }),
    ],
    ['Tuesday, 5 May at 10:00: a time Ada would rather avoid and over lunch for Bob.'],
  ],
  [
    'a rule that one of them has for the time',
    [offer('2026-05-05T10:00Z', rule('ada@example.com', 'prefer', 'Tuesdays are best'), BETWEEN)],
    ["Tuesday, 5 May at 10:00: a time Ada likes, but between two other meetings of Bob's."],
  ],
  [
    'once that a time is outside those that one of them likes',
    [offer('2026-05-05T10:00Z', { isUnliked: true }), offer('2026-05-06T10:00Z', { isUnliked: true })],
    ['Tuesday, 5 May at 10:00: outside the times Ada likes.', 'Wednesday, 6 May at 10:00.'],
  ],
  [
    'what lies beside the time for each of them',
    [
      offer('2026-05-04T10:00Z', AFTER, BEFORE, { isFirst: true }),
      offer('2026-05-05T10:00Z', BEFORE, BEFORE),
      offer('2026-05-06T10:00Z', FOCUS),
      offer('2026-05-07T10:00Z', BETWEEN, AFTER),
    ],
    [
      "Monday, 4 May at 10:00: the earliest option, but straight after another meeting of Ada's and right before one of Bob's.",
      'Tuesday, 5 May at 10:00: right before another meeting for both.',
      "Wednesday, 6 May at 10:00: right before Ada's focus time.",
      "Thursday, 7 May at 10:00: between two other meetings of Ada's and straight after one of Bob's.",
    ],
  ],
  [
    'the end of a day only where it is late',
    [
      offer('2026-05-05T16:30Z', { isLastThing: true }, {}, { isFirst: true }),
      offer('2026-05-06T16:30Z', { isLastThing: true }, { isLastThing: true }),
    ],
    [
      "Tuesday, 5 May at 16:30: the earliest option, but late in Ada's day.",
      'Wednesday, 6 May at 16:30: late in the day for both.',
    ],
  ],
  [
    'short notice once',
    [
      offer('2026-05-01T09:00Z', { isOvernight: true }, {}, { isShortNotice: true, isFirst: true }),
      offer('2026-05-04T08:00Z', { isOvernight: true }),
    ],
    [
      'Friday, 1 May at 9:00: the earliest option, but at short notice.',
      'Monday, 4 May at 8:00: at short notice for Ada.',
    ],
  ],
  [
    'a day beside a holiday, and who has it off',
    [
      offer('2026-11-27T10:00Z', { bridge: THANKSGIVING }, {}, { isFirst: true }),
      offer('2026-11-27T13:00Z', { bridge: THANKSGIVING }, { bridge: THANKSGIVING }),
    ],
    [
      "Friday, 27 November at 10:00: the earliest option, but the day after Ada's day off for Thanksgiving Day.",
      'Friday, 27 November at 13:00: the day after Thanksgiving Day.',
    ],
  ],
  [
    'no room in two empty calendars',
    [offer('2026-05-05T10:00Z', { ...ROOM, isCalendarEmpty: true }, { ...ROOM, isCalendarEmpty: true })],
    ['Tuesday, 5 May at 10:00.'],
  ],
  [
    'the only time, and how far it looked',
    [offer('2026-05-05T10:00Z', { isOverLunch: true }, {}, { isOnlyTime: true, isOnlyOfDay: true })],
    ['Tuesday, 5 May at 10:00: the only time that suits both through 14 May, but over lunch for Ada.'],
  ],
  [
    'the only hour of every day',
    [
      offer('2026-05-04T10:00Z', {}, {}, { isOnlyOfDay: true, isOnlyHour: true, isFirst: true }),
      offer('2026-05-05T10:00Z', {}, {}, { isOnlyOfDay: true, isOnlyHour: true }),
    ],
    ['Monday, 4 May at 10:00: the only hour of the day that suits both.', 'Tuesday, 5 May at 10:00.'],
  ],
  [
    'the only time of a day',
    [offer('2026-05-05T10:00Z', {}, {}, { isOnlyOfDay: true }), offer('2026-05-04T10:00Z', {}, {}, { isFirst: true })],
    [
      'Tuesday, 5 May at 10:00: the only time that suits both that day.',
      'Monday, 4 May at 10:00: the earliest option.',
    ],
  ],
  [
    'how far an alternative lies from the time that was asked for',
    [
      offer('2026-05-05T10:00Z', {}, {}, { fromAsked: { days: 0, minutes: -45 } }),
      offer('2026-05-06T10:45Z', AFTER, {}, { fromAsked: { days: 1, minutes: 0 } }),
      offer('2026-05-07T10:00Z', {}, {}, { fromAsked: { days: 2, minutes: -45 } }),
    ],
    [
      'Tuesday, 5 May at 10:00: 45 minutes earlier than asked.',
      "Wednesday, 6 May at 10:45: the same time a day later, but straight after another meeting of Ada's.",
      'Thursday, 7 May at 10:00.',
    ],
  ],
])('a sentence names %s', (_, offered, expected) => {
  expect(sayReasons(offered)).toEqual(expected);
});
