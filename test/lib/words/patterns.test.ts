import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { rankReschedule } from '../../../lib/engine/move/rank-reschedule.ts';
import { findSlots, findSlotsAround } from '../../../lib/engine/rank/find-slots.ts';
import { rankAuto } from '../../../lib/engine/rank/rank-auto.ts';
import type { Search } from '../../../lib/engine/types.ts';
import { narrowed } from '../../../lib/engine/wish/narrowing.ts';
import { SUGGESTIONS } from '../../../lib/meetings/protocol/failure.ts';
import { ANY, readByRules } from '../../../lib/reader/grammar/read.ts';
import { explanationWithWords, sayNotice, sayPlace } from '../../../lib/words/explanation.ts';
import { sayNoTimes, saySuggestions } from '../../../lib/words/no-times.ts';
import { PATTERNS, say } from '../../../lib/words/patterns.ts';
import { describePick } from '../../../lib/words/reasoning.ts';
import { withWords } from '../../../lib/words/slots.ts';
import { describeLearning, describeReading, sayLearned, sayReading } from '../../../lib/words/understood.ts';
import { PAIRS, pairAt } from '../../stories/corpus.ts';
import { STORIES } from '../../stories/stories.ts';
import { randomAuto, randomMove } from '../engine/picks-agreement.ts';
import { randomSearch } from '../engine/random-search.ts';
import { OF_GROUP, OF_SENTENCE, USUAL } from './examples.ts';
import { patternsOf, SENTENCES, sentencesOf } from './grammar.ts';

const patterns = Object.entries(PATTERNS) as [keyof typeof PATTERNS, string][];
const fill = say as (key: string, values: object) => string;
const SEED = 15;

test('no pattern stands twice', () => {
  const all = patterns.map(([, pattern]) => pattern);
  expect(all.filter((pattern, i) => all.indexOf(pattern) !== i)).toEqual([]);
});

test("a sentence's example matches its own pattern and no other", () => {
  for (const key of SENTENCES) {
    const sentence = fill(key, { ...USUAL, ...OF_GROUP[key.replace(/\..*/, '')], ...OF_SENTENCE[key] });
    expect({ sentence, patterns: patternsOf(sentence) }).toEqual({ sentence, patterns: [key] });
  }
});

/** Fails for the first sentence of a text that does not match exactly one pattern. */
function expectOnePatternEach(text: string): void {
  for (const sentence of sentencesOf(text)) {
    const patterns = patternsOf(sentence);
    if (patterns.length !== 1) expect({ sentence, patterns }).toBe('a sentence with one pattern');
  }
}

/** Names the two people as their addresses would. */
const named = <S extends Search>(search: S): S => ({
  ...search,
  requester: { ...search.requester, email: 'ada.adams@example.com' },
  other: { ...search.other, email: 'ben.brown@example.org' },
});

const offersOf = (search: Search) => {
  const { slots, message = '', suggestions = [] } = withWords(findSlots(search));
  return [...slots.map(({ reason }) => reason), ...(message === '' ? [] : [message]), ...suggestions];
};

test('every sentence about offered times has one pattern', () => {
  for (let i = 0; i < PAIRS; i += 1) for (const text of offersOf(pairAt(i))) expectOnePatternEach(text);
  fc.assert(
    fc.property(randomSearch, (search) => {
      const start = search.now + 36 * 3_600_000;
      const around = withWords(findSlotsAround(named(search), start)).slots.map(({ reason }) => reason);
      for (const text of [...offersOf(named(search)), ...around]) expectOnePatternEach(text);
    }),
    { numRuns: 150, seed: SEED },
  );
});

/** Answers in stories that are no sentence about times: errors of the API, and a field. */
const NO_SENTENCES = [/has no calendar connected/, /^Nothing was booked: /, /^(?:Booked|match_quality): /];

/** Narrows a search to some hours of each day, as words and as ranges do. */
const narrowedSearch = fc
  .tuple(randomSearch, fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 8 }), fc.boolean())
  .map(([search, hour, hours, isBoth]) => {
    const clock = { from: hour * 60, to: Math.min(1440, (hour + hours) * 60) };
    const words = { quotes: ['Thursday afternoon', 'not at 3'], wanted: [{ clock }], refused: [], isSoonest: false };
    const ranges = [{ start: search.now, end: search.now + 20 * 86_400_000 }];
    return narrowed(named(search), { words, ...(isBoth && { ranges }) });
  });

test('every sentence about times that somebody asks for has one pattern', () => {
  fc.assert(
    fc.property(narrowedSearch, fc.integer({ min: 1, max: 300 }), (search, quarters) => {
      for (const text of offersOf(search)) expectOnePatternEach(text);
      const start = (Math.floor(search.now / 900_000) + quarters) * 900_000;
      const explanation = explanationWithWords(explainTime({ ...search, start }));
      if (explanation.free) expectOnePatternEach(sayPlace(explanation));
      else for (const { detail } of explanation.against) expectOnePatternEach(detail);
    }),
    { numRuns: 150, seed: SEED },
  );
});

test('every sentence that a story expects has one pattern', () => {
  for (const text of STORIES.flatMap(({ answer = [] }) => answer))
    if (NO_SENTENCES.every((one) => !one.test(text))) expectOnePatternEach(text);
});

test('every piece of advice after a failed job has one pattern', () => {
  for (const text of Object.values(SUGGESTIONS).flat()) expectOnePatternEach(text);
});

test('the tools for agents write no sentence of their own about times', () => {
  const folder = new URL('../../../lib/tools/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const own = readFileSync(new URL(name, folder), 'utf8').match(/^.*\btext: *\[?[`'"][^$]*[A-Za-z]{3}.*$/gm) ?? [];
    expect({ name, own }).toEqual({ name, own: [] });
  }
});

test('every sentence of an explanation has one pattern', () => {
  fc.assert(
    fc.property(randomSearch, fc.integer({ min: -8, max: 500 }), (search, quarters) => {
      const quarter = 15 * 60_000;
      const start = (Math.floor(search.now / quarter) + quarters) * quarter;
      const explanation = explanationWithWords(explainTime({ ...named(search), start }));
      expectOnePatternEach(sayNotice('client_demo', start, search.now));
      if (explanation.free) expectOnePatternEach(sayPlace(explanation));
      else for (const { detail } of explanation.against) expectOnePatternEach(detail);
    }),
    { numRuns: 400, seed: SEED },
  );
});

test('every sentence about a picked time has one pattern', () => {
  fc.assert(
    fc.property(randomAuto, fc.boolean(), (search, isPreview) => {
      const { ranked, none } = rankAuto(named(search));
      for (const slot of ranked.slice(0, 2)) expectOnePatternEach(describePick(slot.facts(), undefined, isPreview));
      if (none) expectOnePatternEach([sayNoTimes(none), ...saySuggestions(none)].join(' '));
    }),
    { numRuns: 300, seed: SEED },
  );
});

test('every sentence about a moved meeting has one pattern', () => {
  fc.assert(
    fc.property(randomMove, fc.boolean(), (search, isTaste) => {
      const move = named(search);
      const { requester, other, askerTimeZone: timeZone } = move;
      const { email } = requester.timeZone === timeZone ? requester : other;
      const asked = { email, timeZone, wish: move.wish, oldStart: move.old.start, isTaste };
      const { ranked, none } = rankReschedule(move);
      for (const slot of ranked.slice(0, 2)) expectOnePatternEach(describePick(slot.facts(), asked));
      if (none) expectOnePatternEach(sayNoTimes(none));
    }),
    { numRuns: 300, seed: SEED },
  );
});

test.each([
  'Could we do Thursday instead? I need more time to prepare.',
  'Not on Monday, and never before 10. After 3pm would be best, or Friday before 11.',
  'Mornings are too early for me, and I never want meetings on Fridays.',
  'Push it back half an hour please',
  'As soon as possible, this is urgent',
  'At most 4 meetings a day, and 15 minutes between meetings please',
  'Back to back again, I need a break',
  'Next week, or the week after the thing on Tuesday',
  'At weekends only',
  'a week later please',
  'thanks for everything',
])('every sentence about what was understood of %j has one pattern', (text) => {
  for (const purpose of ['reason', 'context'] as const) {
    const { understood, notUnderstood } = describeReading(readByRules(text, ANY, purpose));
    expectOnePatternEach(sayReading(understood, notUnderstood));
  }
});

test('every sentence about what was learned has one pattern', () => {
  const weights = ['time_of_day_preference.morning', 'day_of_week_preference.friday', 'buffer_importance'];
  for (const weight of weights)
    for (const [before, after] of [
      [1, 0.8],
      [1, 1.25],
      [0.2, 0.2],
      [2, 2],
    ] as const) {
      const change = { pattern: 'too early', weight, before, after };
      expectOnePatternEach(describeLearning([change, { ...change, weight: 'time_of_day_preference.evening' }]));
      for (const source of ['reschedule', 'scheduling_context'])
        expectOnePatternEach(sayLearned({ ...change, source }));
    }
  expectOnePatternEach(describeLearning([]));
});
