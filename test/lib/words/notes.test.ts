import { expect, test } from 'vitest';
import type { SlotFacts } from '../../../lib/engine/rank/slot-facts.ts';
import { sayReasons } from '../../../lib/words/slots.ts';
import { type About, offer } from './offered.ts';

const zones = (start: string, one: string, two: string, more: About = {}) =>
  offer(start, { timeZone: one, ...more }, { timeZone: two, ...more });
const EARLIER = { date: '2026-05-01', name: 'May Day' };
const CHRISTMAS: About = {
  holidays: [
    { date: '2026-12-25', name: 'Christmas Day' },
    { date: '2026-12-26', name: 'Boxing Day' },
  ],
};

const FREE = { freeHalf: 'afternoon' } as const;

test.each<[string, SlotFacts[], string[]]>([
  [
    'the clocks between two changes, once',
    [
      zones('2026-03-10T14:00Z', 'Europe/Berlin', 'America/New_York'),
      zones('2026-03-11T14:00Z', 'Europe/Berlin', 'America/New_York'),
    ],
    [
      'Tuesday, 10 March at 15:00 in Berlin, 10:00 in New York: the soonest of these; New York is then 5 hours behind Berlin, not 6.',
      'Wednesday, 11 March at 15:00 in Berlin, 10:00 in New York.',
    ],
  ],
  [
    'nothing of clocks that are as far apart as ever',
    [zones('2026-04-10T13:00Z', 'Europe/Berlin', 'America/New_York')],
    ['Friday, 10 April at 15:00 in Berlin, 9:00 in New York.'],
  ],
  [
    'nothing of clocks whose distance depends on the season',
    [zones('2026-03-31T20:00Z', 'Australia/Sydney', 'Europe/London')],
    ['Wednesday, 1 April at 7:00 in Sydney, 21:00 on Tuesday in London.'],
  ],
  [
    'the holidays among the dates, in one list',
    [
      offer('2026-12-23T14:00Z', CHRISTMAS, CHRISTMAS),
      offer('2027-01-04T14:00Z', { ...CHRISTMAS, ...FREE }, CHRISTMAS),
    ],
    [
      'Wednesday, 23 December at 14:00, the soonest of these; Friday, 25 December is Christmas Day and Saturday, 26 December is Boxing Day, days off for both.',
      'Monday, 4 January at 14:00, a free afternoon for Ada.',
    ],
  ],
  [
    'nothing of Christmas if a sentence says that a time is between it and New Year',
    [offer('2026-12-23T14:00Z', CHRISTMAS, CHRISTMAS), offer('2026-12-29T14:00Z', CHRISTMAS, CHRISTMAS)],
    [
      'Wednesday, 23 December at 14:00, the soonest of these.',
      'Tuesday, 29 December at 14:00, between Christmas and New Year.',
    ],
  ],
  [
    'nothing of Christmas if a sentence says that a time is on Christmas Eve',
    [offer('2026-12-24T14:00Z', CHRISTMAS, CHRISTMAS), offer('2027-01-04T14:00Z', CHRISTMAS, CHRISTMAS)],
    [
      'Thursday, 24 December at 14:00, the soonest of these, but on Christmas Eve.',
      'Monday, 4 January at 14:00, the only one of these after Boxing Day.',
    ],
  ],
  [
    'a holiday beside the time that is nearest to it',
    [
      offer('2026-12-08T14:00Z', { ...CHRISTMAS, ...FREE }, CHRISTMAS),
      offer('2027-01-04T14:00Z', { ...CHRISTMAS, hasRoom: true }, { ...CHRISTMAS, hasRoom: true }),
    ],
    [
      'Tuesday, 8 December at 14:00, a free afternoon for Ada.',
      'Monday, 4 January at 14:00, with room to breathe before and after; Friday, 25 December is Christmas Day and Saturday, 26 December is Boxing Day, days off for both.',
    ],
  ],
  [
    'no holiday that lies before the dates',
    [offer('2026-05-05T14:00Z', { holidays: [EARLIER] })],
    ['Tuesday, 5 May at 14:00.'],
  ],
])('the sentences say %s', (_, offered, expected) => {
  expect(sayReasons(offered)).toEqual(expected);
});
