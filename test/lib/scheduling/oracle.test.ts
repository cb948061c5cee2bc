import { test } from 'vitest';
import { expectExplanationsToAgree, expectSearchesToAgree } from './agreement.ts';

const seed = 20_261_121;

test('the engine agrees with the minute-by-minute oracle on random searches', () => {
  expectSearchesToAgree({ numRuns: 150, seed });
});

test('explanation, search and oracle agree on random times', () => {
  expectExplanationsToAgree({ numRuns: 50, seed });
});
