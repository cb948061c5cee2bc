import { expect, test } from 'vitest';
import { describeLearning, sayLearned } from '../../../lib/words/learned.ts';

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
