import { expect, test } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { explanationWithWords, sayNotice, sayPlace } from '../../../lib/words/explanation.ts';
import { describeLearning, sayLearned } from '../../../lib/words/learned.ts';
import { search } from '../engine/explain/explained-search.ts';
import { at, dates } from '../engine/people.ts';

const HOUR = 3_600_000;

test.each([
  ['client_demo', 24, "For a demo, Tandem looks for times with a day's notice. This time has it."],
  [
    'client_demo',
    23,
    "For a demo, Tandem looks for times with a day's notice. This time comes sooner, so Tandem picks it only if no time has that notice.",
  ],
  ['review', 2, "For a review, Tandem looks for times with 2 hours' notice. This time has it."],
  ['urgent', 1, "For an urgent meeting, Tandem looks for times with 15 minutes' notice. This time has it."],
] as const)('the notice of %s, %d hours ahead', (context, hours, sentence) => {
  expect(sayNotice(context, hours * HOUR, 0)).toBe(sentence);
});

const detailsAt = (start: string, more: object = {}) =>
  explanationWithWords(explainTime({ ...search, ...more, start: at(start) })).against.map(({ detail }) => detail);

test.each([
  ['2026-05-05T12:00Z', ['A meeting starts at least 15 minutes from now.']],
  [
    '2026-05-05T14:05Z',
    ['Meetings start at :00, :15, :30 or :45, and at another minute only where none of these fits.'],
  ],
  ['2026-05-05T13:00Z', ['9:00 to 9:30 in New York on Tuesday, 5 May overlaps a focus block.']],
  ['2026-05-05T14:45Z', ['10:45 to 11:15 in New York on Tuesday, 5 May is not free.']],
  ['2026-05-05T14:30Z', ['10:30 to 11:00 in New York on Tuesday, 5 May is less than 15 minutes from a busy time.']],
  ['2026-05-06T16:00Z', ['18:00 to 18:30 in Berlin on Wednesday, 6 May is outside the work hours.']],
  ['2026-05-07T12:00Z', ['1 meeting a day is the limit, and that day has it.']],
  [
    '2026-05-04T12:00Z',
    [
      'A meeting starts at least 15 minutes from now.',
      'The search covers Tuesday, 5 May to Friday, 8 May in New York.',
    ],
  ],
])('against %s stands %j', (start, details) => {
  expect(detailsAt(start)).toEqual(details);
});

test('a time in which the clocks go back is told with its offsets', () => {
  const more = { window: dates('2026-10-31', '2026-11-01'), now: at('2026-10-30T12:00Z') };
  expect(detailsAt('2026-11-01T05:30Z', more)[0]).toBe(
    '1:30 (-04:00) to 1:00 (-05:00) in New York on Sunday, 1 November is outside the work hours.',
  );
});

test('a free time has its place in the search, its sentence, and why it is not offered', () => {
  const explanation = explanationWithWords(explainTime({ ...search, start: at('2026-05-08T12:30Z') }));
  expect(explanation.free && sayPlace(explanation)).toBe(
    "Both are free then, but it's a Friday afternoon for Bob. A better time is Tuesday, 5 May at 10:15 in New York, 16:15 in Berlin, mid-morning for Ada.",
  );
});

const morning = { pattern: 'too early', weight: 'time_of_day_preference.morning' };

test('a change is named by pattern and weight, with before and after', () => {
  const buffer = { pattern: 'back-to-back', weight: 'buffer_importance', before: 1, after: 1.25 };
  expect(describeLearning([{ ...morning, before: 1, after: 0.8 }, buffer])).toBe(
    '"too early" lowered the weight of mornings (time_of_day_preference.morning) from 1 to 0.8. "back-to-back" raised the weight of breaks between meetings (buffer_importance) from 1 to 1.25.',
  );
});

test('a weight at its bound is said to stay there', () => {
  expect(describeLearning([{ ...morning, before: 0.2, after: 0.2 }])).toBe(
    '"too early" left the weight of mornings (time_of_day_preference.morning) at its bound of 0.2.',
  );
});

test('a reason that taught nothing gets a sentence that says so', () => {
  expect(describeLearning([])).toBe('The reason teaches nothing for later meetings, so no weight was changed.');
});

test('weights that one pattern moved alike share a sentence', () => {
  const only = { pattern: 'only tuesday', before: 1, after: 0.8 };
  const days = ['monday', 'friday'].map((day) => ({ ...only, weight: `day_of_week_preference.${day}` }));
  expect(describeLearning(days)).toBe(
    '"only tuesday" lowered the weight of Mondays (day_of_week_preference.monday) and Fridays (day_of_week_preference.friday) from 1 to 0.8.',
  );
});

test('the person reads what counts more or less, and why', () => {
  expect(sayLearned({ ...morning, source: 'reschedule', before: 1, after: 0.8 })).toBe(
    'Mornings count 20% less, because a meeting was moved with the words “too early”.',
  );
  const buffer = { pattern: 'scheduling_context', weight: 'buffer_importance', source: 'scheduling_context' };
  expect(sayLearned({ ...buffer, before: 1, after: 1.5 })).toBe(
    'Breaks between meetings count 50% more, because your own words ask for it.',
  );
});

test('the person reads of a weight at its bound that it can go no further', () => {
  expect(sayLearned({ ...morning, source: 'reschedule', before: 0.2, after: 0.2 })).toBe(
    'A meeting was moved with the words “too early”, but mornings already count as little as they can.',
  );
  expect(sayLearned({ ...morning, source: 'scheduling_context', before: 2, after: 2 })).toBe(
    'Your own words ask for it, but mornings already count as much as they can.',
  );
});
