import { expect, test } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import type { PersonFacts, SlotFacts } from '../../../lib/engine/rank/slot-facts.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import { explanationWithWords } from '../../../lib/words/explanation.ts';
import { sayReasons } from '../../../lib/words/slots.ts';
import { PAIRS, pairAt } from '../../stories/corpus.ts';
import { type About, offer } from './offered.ts';

const ROOM: About = { hasRoom: true };
const FREE: About = { freeHalf: 'morning' };
const BESIDE: About = { sidesTaken: 1 };
const THANKSGIVING = { date: '2026-11-26', name: 'Thanksgiving Day' };
const BRIDGE: About = { bridge: { holiday: THANKSGIVING, side: 'after' }, holidays: [THANKSGIVING] };
const OFF: About = { holidays: [THANKSGIVING] };

test.each<[string, SlotFacts[], string[]]>([
  [
    'in the first sentence alone, if other times have it too',
    [offer('2026-05-05T10:00Z', ROOM, ROOM), offer('2026-05-06T10:00Z', ROOM, ROOM), offer('2026-05-07T10:00Z')],
    [
      'Tuesday, 5 May at 10:00, with room to breathe before and after.',
      'Wednesday, 6 May at 10:00.',
      'Thursday, 7 May at 10:00.',
    ],
  ],
  [
    'in no sentence, if only later times share it',
    [offer('2026-05-05T10:00Z'), offer('2026-05-06T10:00Z', ROOM, ROOM), offer('2026-05-07T10:00Z', ROOM, ROOM)],
    ['Tuesday, 5 May at 10:00, the soonest of these.', 'Wednesday, 6 May at 10:00.', 'Thursday, 7 May at 10:00.'],
  ],
  [
    'where it is of that time alone, and in the first sentence too before what others share',
    [
      offer('2026-05-05T10:00Z', { ...FREE, hasRoom: true }, ROOM),
      offer('2026-05-06T10:00Z', ROOM, ROOM),
      offer('2026-05-07T10:00Z', {}, FREE),
    ],
    [
      'Tuesday, 5 May at 10:00, a free morning for Ada.',
      'Wednesday, 6 May at 10:00.',
      'Thursday, 7 May at 10:00, a free morning for Bob.',
    ],
  ],
  [
    'for one person nowhere, if another time is as good for that person',
    [offer('2026-05-05T10:00Z', BESIDE), offer('2026-05-06T10:00Z', FREE, FREE), offer('2026-05-07T10:00Z', {}, FREE)],
    [
      'Tuesday, 5 May at 10:00, the soonest of these, but back to back for Ada.',
      'Wednesday, 6 May at 10:00, a free morning for both.',
      'Thursday, 7 May at 10:00.',
    ],
  ],
  [
    'of a day without another time wherever it is so, and before a cost',
    [
      offer('2026-05-05T10:00Z', { afterOpening: 0 }, {}, { isOnlyOfDay: true }),
      offer('2026-05-06T10:00Z', {}, {}, { isOnlyOfDay: true }),
    ],
    [
      'Tuesday, 5 May at 10:00, the only time that day, but first thing for Ada.',
      'Wednesday, 6 May at 10:00, the only time that day.',
    ],
  ],
  [
    'of the hour in no sentence, if it is the first hour of somebody’s day',
    [
      offer('2026-05-05T10:00Z', { isMidMorning: true }, { isMidMorning: true, afterOpening: 30 }),
      offer('2026-05-06T14:00Z'),
    ],
    ['Tuesday, 5 May at 10:00, the soonest of these.', 'Wednesday, 6 May at 14:00.'],
  ],
  [
    'of the hour before a drawback in the first sentence, because the ranking counts it',
    [offer('2026-12-28T10:00Z', { isMidMorning: true }, { isMidMorning: true }), offer('2026-12-21T14:00Z')],
    [
      'Monday, 28 December at 10:00, mid-morning for both, but between Christmas and New Year.',
      'Monday, 21 December at 14:00, the soonest of these.',
    ],
  ],
  [
    'of the first time on its weekday before a drawback, if another weekday comes sooner',
    [
      offer('2026-05-11T08:15Z', { afterOpening: 15 }),
      offer('2026-05-11T13:00Z'),
      offer('2026-05-08T14:15Z', { isFridayAfternoon: true }),
    ],
    [
      'Monday, 11 May at 8:15, the earliest of these on Monday, but first thing for Ada.',
      'Monday, 11 May at 13:00.',
      'Friday, 8 May at 14:15, the soonest of these, but close to the weekend.',
    ],
  ],
  [
    'of room nowhere, if both calendars are empty',
    [offer('2026-05-05T10:00Z', { hasRoom: true, isCalendarEmpty: true }, { hasRoom: true, isCalendarEmpty: true })],
    ['Tuesday, 5 May at 10:00.'],
  ],
  [
    'of the only time with the date until which Tandem looked',
    [offer('2026-05-05T10:00Z', BESIDE, BESIDE, { isOnlyTime: true })],
    ['Tuesday, 5 May at 10:00, the only time through 14 May, but back to back for both.'],
  ],
  [
    'of the earliest time nowhere, if an earlier one suits both and only the notice rules it out',
    [offer('2026-05-01T08:30Z', {}, {}, { isFirst: true, isFirstWithNotice: true })],
    ['Friday, 1 May at 8:30.'],
  ],
  [
    'of the earliest time in no search that begins later',
    [
      offer(
        '2026-05-05T10:00Z',
        {},
        {},
        {
          isFirst: true,
          searched: { first: '2026-05-05', last: '2026-05-08', isFromNow: false },
        },
      ),
    ],
    ['Tuesday, 5 May at 10:00.'],
  ],
  [
    'on no bridge day, which names the holiday',
    [
      offer('2026-11-25T10:00Z', {}, OFF),
      offer('2026-11-27T10:00Z', { ...FREE, ...ROOM }, { ...FREE, ...ROOM, ...BRIDGE }),
    ],
    [
      'Wednesday, 25 November at 10:00, the soonest of these.',
      "Friday, 27 November at 10:00, the day after Bob's public holiday, Thanksgiving Day.",
    ],
  ],
  [
    'of one person’s room nowhere, because it would say that the other has none',
    [offer('2026-05-05T10:00Z', ROOM, {}), offer('2026-05-06T10:00Z', {}, ROOM)],
    ['Tuesday, 5 May at 10:00, the soonest of these.', 'Wednesday, 6 May at 10:00.'],
  ],
  [
    'on no bridge day of both',
    [offer('2026-11-27T10:00Z', { ...FREE, ...BRIDGE, ...BESIDE }, { ...FREE, ...BRIDGE })],
    [
      'Friday, 27 November at 10:00, back to back for Ada, and the day after Thanksgiving Day, a public holiday for both.',
    ],
  ],
  [
    'between Christmas and New Year nowhere',
    [offer('2026-12-28T10:00Z', FREE, FREE), offer('2026-12-31T10:00Z', { isHalfDay: true }, { isHalfDay: true })],
    [
      'Monday, 28 December at 10:00, the soonest of these, but between Christmas and New Year.',
      "Thursday, 31 December at 10:00, on New Year's Eve.",
    ],
  ],
])('an advantage stands %s', (_, offered, expected) => {
  expect(sayReasons(offered)).toEqual(expected);
});

/** Advantages, as sentences say them, with the condition under which a person has one. */
const GAINS: [RegExp, (person: PersonFacts, half: string) => boolean][] = [
  [/a free (morning|afternoon) for (\w+)/, ({ freeHalf }, half) => freeHalf === half],
  [/with (room) to breathe before and after/, ({ hasRoom }) => hasRoom],
  [/(mid-morning) for (\w+)/, ({ isMidMorning }) => isMidMorning],
];
/** Nobody's sentence calls a time mid-morning if somebody's working day has only just begun. */
const isInFirstHour = ({ afterOpening }: PersonFacts) => afterOpening >= 0 && afterOpening < 60;
const DAYS_KEPT = /on (?:Christmas|New Year's) Eve|between Christmas and|the day (?:before|after) /;

test('from the second sentence on, an advantage is one that no other time offered has', () => {
  const met = new Set<string>();
  for (let i = 0; i < 2 * PAIRS; i += 1) {
    const search = pairAt(i);
    const facts = findSlots(search).facts();
    const reasons = sayReasons(facts);
    const who = reasons.map((reason) => GAINS.map(([gain]) => gain.exec(reason)));
    for (const [place, found] of who.entries())
      for (const [kind, words] of found.entries()) {
        if (place === 0 || words === null) continue;
        const [, half = '', name = 'both'] = words;
        const [, holds] = GAINS[kind] ?? [];
        met.add(String(kind));
        const isOf = ({ email }: PersonFacts) => name === 'both' || email.startsWith(name.toLowerCase());
        const sharing = facts.filter(
          ({ people }, k) =>
            k !== place &&
            !DAYS_KEPT.test(reasons[k] ?? '') &&
            !people.every(({ outside }) => outside !== undefined) &&
            people.filter(isOf).every((person) => holds?.(person, half)) &&
            !(half === 'mid-morning' && people.some(isInFirstHour)),
        );
        expect({ reason: reasons[place], shared: sharing.length }).toEqual({ reason: reasons[place], shared: 0 });
      }
  }
  expect([...met].sort()).toEqual(['0', '1', '2']);
});

test('no sentence is about its place in the list', () => {
  for (let i = 0; i < 40; i += 1) {
    const one = pairAt(i);
    for (const start of candidateStarts(one).filter((_, k) => k % 5 === 0)) {
      const said = explanationWithWords(explainTime({ ...one, start }));
      if (said.free) expect(said.slot.reason).not.toMatch(/offered/);
    }
  }
});
