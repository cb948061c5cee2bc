import { expect, test } from 'vitest';
import type { TimeFacts } from '../../../lib/engine/rank/time-facts.ts';
import { sayReasons } from '../../../lib/words/slots.ts';
import { type About, offer } from './offered.ts';

const zones = (start: string, one: string, two: string, more: About = {}) =>
  offer(start, { timeZone: one, ...more }, { timeZone: two, ...more });
const EARLIER = { date: '2026-05-01', name: 'May Day' };
const MAY: About = { holidays: [{ date: '2026-05-04', name: 'May Day' }] };
const CHRISTMAS: About = {
  holidays: [
    { date: '2026-12-25', name: 'Christmas Day' },
    { date: '2026-12-26', name: 'Boxing Day' },
  ],
};

test.each<[string, TimeFacts[], string[]]>([
  [
    'the clocks between two changes, once',
    [
      { ...zones('2026-03-10T14:00Z', 'Europe/Berlin', 'America/New_York'), isFirst: true },
      zones('2026-03-11T14:00Z', 'Europe/Berlin', 'America/New_York'),
    ],
    [
      'Tuesday, 10 March at 15:00 in Berlin, 10:00 in New York: the earliest option; New York is then 5 hours behind Berlin, not 6.',
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
    'the holiday in a gap of the dates, beside the next one',
    [offer('2026-05-01T14:00Z', MAY, MAY, { isFirst: true }), offer('2026-05-05T14:00Z', MAY, MAY)],
    [
      'Friday, 1 May at 14:00: the earliest option.',
      'Tuesday, 5 May at 14:00; Monday, 4 May is May Day, a day off for both.',
    ],
  ],
  [
    'the holiday right before or after the dates, beside the nearest one',
    [offer('2026-05-05T14:00Z', MAY), offer('2026-05-07T14:00Z', MAY)],
    ['Tuesday, 5 May at 14:00; Monday, 4 May is May Day, a day off for Ada.', 'Thursday, 7 May at 14:00.'],
  ],
  [
    'nothing of a holiday in a gap that has working days too',
    [offer('2026-12-23T14:00Z', CHRISTMAS, CHRISTMAS), offer('2027-01-04T14:00Z', CHRISTMAS, CHRISTMAS)],
    ['Wednesday, 23 December at 14:00.', 'Monday, 4 January at 14:00.'],
  ],
  [
    'nothing of Christmas if a sentence says that a time is on Christmas Eve',
    [
      offer('2026-12-24T14:00Z', { ...CHRISTMAS, season: 'eve' }, CHRISTMAS, { isFirst: true }),
      offer('2026-12-28T14:00Z', CHRISTMAS, CHRISTMAS),
    ],
    [
      'Thursday, 24 December at 14:00: the earliest option, but Christmas Eve.',
      'Monday, 28 December at 14:00: between Christmas and New Year.',
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
