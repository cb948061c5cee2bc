import { expect, test } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { findSlots, findSlotsAround } from '../../../lib/engine/rank/find-slots.ts';
import type { SearchedPerson } from '../../../lib/engine/types.ts';
import { explanationWithWords } from '../../../lib/words/explanation.ts';
import { withWords } from '../../../lib/words/found.ts';
import { PAIRS, pairAt } from '../../stories/corpus.ts';
import { afterClocks } from '../../stories/figures.ts';
import { at, everyDay, span } from '../engine/people.ts';

const CORPUS = Array.from({ length: PAIRS }, (_, i) => pairAt(i));
const NEVER = [
  /when both are free/i,
  /\bsoon\b/,
  /\b0 (?:minutes|hours|days)/,
  /\b(?:he|she|his|her|him)\b/i,
  /\(.* time\)/,
];

const reasonsOf = (search: Parameters<typeof findSlots>[0]) =>
  withWords(findSlots(search)).slots.map(({ reason }) => reason);

test('five times have five different sentences, also without their clock times', () => {
  const answers = CORPUS.map(reasonsOf).filter(({ length }) => length === 5);
  const differ = answers.filter((reasons) => new Set(reasons.map(afterClocks)).size === 5);
  expect(answers.length).toBeGreaterThan(150);
  expect(differ.length / answers.length).toBeGreaterThanOrEqual(0.98);
});

test('no sentence says what none should', () => {
  for (const search of CORPUS)
    for (const reason of reasonsOf(search)) {
      for (const never of NEVER) expect(reason).not.toMatch(never);
      expect(reason).toMatch(/^[A-Z][^.]*[a-z]\.$/);
    }
});

test('an explanation has the sentence of the search', () => {
  for (const search of CORPUS.slice(0, 20))
    for (const { start, reason } of withWords(findSlots(search)).slots)
      expect(explanationWithWords(explainTime({ ...search, start }))).toMatchObject({ slot: { reason } });
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
  [
    'the only time of a day, at a cost',
    { within: span('2026-05-05T06:30Z', '2026-05-05T08:00Z') },
    ['Tuesday 9:00 in Berlin, 8:00 in London: first thing for both, but the only time that suits both.'],
  ],
  [
    'the last time of a day',
    { within: span('2026-05-05T14:00Z', '2026-05-05T15:00Z') },
    ['Tuesday 16:00 in Berlin, 15:00 in London: at the end of the day for both, but the only time that suits both.'],
  ],
])('%s', (_, more, expected) => {
  expect(reasonsOf(pair(more))).toEqual(expected);
});

test('alternatives say how far they are from the time that was asked for', () => {
  const busy = [span('2026-05-05T08:00Z', '2026-05-05T09:00Z')];
  const search = pair({ window: { start: '2026-05-05', end: '2026-05-06', days: 2 } });
  const { slots } = withWords(
    findSlotsAround({ ...search, other: { ...search.other, busy } }, at('2026-05-05T08:00Z')),
  );
  expect(slots.slice(0, 2).map(({ reason }) => reason)).toEqual([
    'Tuesday 11:00 in Berlin, 10:00 in London: an hour later than asked, back to back for Bob.',
    'Tuesday 9:00 in Berlin, 8:00 in London: an hour earlier than asked, first thing for both and back to back for Bob.',
  ]);
});
