import { expect, test } from 'vitest';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { weigh } from '../../../lib/engine/rank/merit.ts';
import { type TimeFacts, timeFacts } from '../../../lib/engine/rank/time-facts.ts';
import type { SearchedPerson, StandingRule } from '../../../lib/engine/types.ts';
import { sayReasons, sayWhy, withWords } from '../../../lib/words/slots.ts';
import { PAIRS, pairAt } from '../../stories/corpus.ts';
import { at, everyDay, span } from '../engine/people.ts';
import { type About, offer } from './offered.ts';

const CORPUS = Array.from({ length: PAIRS }, (_, i) => pairAt(i));
const NEVER = [
  /when both are free/i,
  /with (?:a|\d+) days? to prepare/,
  /\balso\b/,
  /\bsoon\b/,
  /\b0 (?:minutes|hours|days)/,
  /\b(?:he|she|his|her|him)\b/i,
  /\(.* time\)/,
];

const reasonsOf = (search: Parameters<typeof findSlots>[0]) =>
  withWords(findSlots(search)).slots.map(({ reason }) => reason);

/** Advantages, as sentences say them. */
const GAINS = /with room to breathe|mid-morning for \w+|the earliest option/;

test('five times have five different sentences, and no advantage stands in two of them', () => {
  const answers = CORPUS.map(reasonsOf).filter(({ length }) => length === 5);
  expect(answers.length).toBeGreaterThan(150);
  for (const reasons of answers) {
    expect(new Set(reasons).size).toBe(5);
    const gains = reasons.flatMap((reason) => GAINS.exec(reason) ?? []);
    expect(gains).toEqual([...new Set(gains)]);
  }
});

test('every sentence has its date, because it may be read on another day, and says nothing that none should', () => {
  for (const search of CORPUS)
    for (const reason of reasonsOf(search)) {
      for (const never of NEVER) expect(reason).not.toMatch(never);
      expect(reason).toMatch(/^[A-Z]\w+day, \d+ \w+ at \d[^.]*[a-z\d)]\.$/);
    }
});

const plain = (one: SearchedPerson) => ({ ...one, bufferMinutes: 0, holidays: undefined, busy: [] });

/** Two people in Berlin and London with the same calendars every week, seen on the Monday before. */
const pair = (more: object = {}) => {
  const base = pairAt(1);
  const [ada, ben] = [
    { ...plain(base.requester), timeZone: 'Europe/Berlin', workHours: everyDay('09:00', '17:00') },
    { ...plain(base.other), timeZone: 'Europe/London', workHours: everyDay('08:00', '16:00') },
  ];
  const window = { start: '2026-05-05', end: '2026-05-05', days: 1 };
  return { ...base, requester: ada, other: ben, durationMinutes: 60, now: at('2026-05-04T09:00Z'), window, ...more };
};

test.each([
  ['11:00', '20:00', ''],
  ['11:00', '18:30', ', but late for Ada'],
  ['00:00', '24:00', ', but late for Ada'],
])('an evening in hours from %s to %s is late only where the person usually has no meeting', (from, to, cost) => {
  const { requester, other, ...search } = pair({ within: span('2026-05-05T16:00Z', '2026-05-05T16:30Z') });
  const [ada, ben] = [
    { ...requester, workHours: everyDay(from, to) },
    { ...other, workHours: everyDay('08:00', '24:00') },
  ];
  expect(reasonsOf({ ...search, requester: ada, other: ben, durationMinutes: 30 })).toEqual([
    `Tuesday, 5 May at 18:00 in Berlin, 17:00 in London: the only time that suits both in the preferred time range${cost}.`,
  ]);
});

test('no edge of a day is held against a time that the person likes', () => {
  const blocks = [{ day: 'tuesday' as const, start: '17:00', end: '22:00' }];
  const { requester, other, ...search } = pair({ within: span('2026-05-05T19:00Z', '2026-05-05T20:00Z') });
  const ada = { ...requester, timeZone: 'UTC', workHours: everyDay('11:00', '20:00') };
  const ben = { ...other, timeZone: 'UTC', workHours: everyDay('06:00', '24:00') };
  const reasonFor = (one: SearchedPerson) =>
    reasonsOf({ ...search, requester: one, other: ben, durationMinutes: 60 }).join();
  expect(reasonFor(ada)).toContain('late for both');
  expect(reasonFor({ ...ada, standing: [{ verdict: 'prefer', words: 'evenings', blocks }] })).not.toMatch(
    /late for (?:both|Ada)/,
  );
});

const PM: StandingRule = { verdict: 'prefer', words: 'pm', blocks: [{ day: 'tuesday', start: '13:00', end: '17:00' }] };

test.each<[string, string, Partial<SearchedPerson>, RegExp]>([
  ['a morning to somebody who prefers afternoons', '08:15', { standing: [PM] }, /mid-morning/],
  ['a morning to an afternoon person', '08:15', { energyPattern: 'afternoon_person' }, /mid-morning/],
  ['a late hour to an evening person', '14:00', { energyPattern: 'evening_person' }, /late in Ada's day/],
  ['an early hour to a morning person', '07:00', { energyPattern: 'morning_person' }, /first thing for (?:Ada|both)/],
])('no sentence praises or excuses %s', (_, clock, about, words) => {
  const start = at(`2026-05-05T${clock}Z`);
  const { requester, ...search } = pair();
  const why = (own: SearchedPerson) => {
    const asked = { ...search, requester: own };
    return sayWhy(timeFacts(asked, weigh(asked, [start, start + 60_000]))(0), []);
  };
  expect(why(requester)).toMatch(words);
  expect(why({ ...requester, ...about })).not.toMatch(words);
});

test.each([
  ['09:00', ' first thing for Ada'],
  ['16:00', ''],
])('a day that begins at %s is “first thing” in the morning alone', (from, cost) => {
  const start = `2026-05-05T${from}`;
  const { requester, other, ...search } = pair({ within: span(`${start}Z`, `${start.slice(0, 14)}30Z`) });
  const [ada, ben] = [requester, other].map((one) => ({ ...one, timeZone: 'UTC' }));
  if (ada === undefined || ben === undefined) throw new Error('A search has two people.');
  ada.workHours = everyDay(from, '22:00');
  ben.workHours = everyDay('06:00', '22:00');
  const [reason = ''] = reasonsOf({ ...search, requester: ada, other: ben, durationMinutes: 30 });
  expect(reason.includes('first thing')).toBe(cost !== '');
});

test.each([
  [['05', '06', '07'], ': the only time that suits both in the preferred time range'],
  [['05', '07'], ': the only time that suits both in the preferred time range, but over lunch for Ada'],
])('lunch that the calendar shows is neither noon nor another meeting, on May %s', (days, cost) => {
  const { requester, other, ...search } = pair({ within: span('2026-05-05T10:30Z', '2026-05-05T11:00Z') });
  const busy = days.map((day) => span(`2026-05-${day}T11:00Z`, `2026-05-${day}T12:00Z`));
  const ben = { ...other, timeZone: 'Asia/Dubai', workHours: everyDay('08:00', '24:00') };
  expect(reasonsOf({ ...search, requester: { ...requester, busy }, other: ben, durationMinutes: 30 })).toEqual([
    `Tuesday, 5 May at 12:30 in Berlin, 14:30 in Dubai${cost}.`,
  ]);
});

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
