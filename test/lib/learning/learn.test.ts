import { expect, test } from 'vitest';
import { describeLearning } from '../../../lib/learning/learn.ts';

const morning = { pattern: 'too early', weight: 'time_of_day_preference.morning' };

test('a change is named by pattern and weight, with before and after', () => {
  const buffer = { pattern: 'back-to-back', weight: 'buffer_importance', before: 1, after: 1.25 };
  expect(describeLearning([{ ...morning, before: 1, after: 0.8 }, buffer])).toBe(
    '"too early" lowered time_of_day_preference.morning from 1 to 0.8. "back-to-back" raised buffer_importance from 1 to 1.25.',
  );
});

test('a weight at its bound is said to stay there', () => {
  expect(describeLearning([{ ...morning, before: 0.2, after: 0.2 }])).toBe(
    '"too early" left time_of_day_preference.morning at its bound of 0.2.',
  );
});

test('nothing learned is said too', () => {
  expect(describeLearning([])).toBe('Nothing in the reason matched a pattern; no weight was changed.');
});
