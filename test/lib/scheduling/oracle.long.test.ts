import { test } from 'vitest';
import { expectExplanationsToAgree, expectSearchesToAgree } from './agreement.ts';

const { ORACLE_RUNS = '3000', ORACLE_SEED } = process.env;
const numRuns = Number(ORACLE_RUNS);
const seed = ORACLE_SEED === undefined ? {} : { seed: Number(ORACLE_SEED) };

test(`the engine agrees with the minute-by-minute oracle on ${numRuns} random searches`, () => {
  expectSearchesToAgree({ numRuns, ...seed });
});

test('explanation, search and oracle agree on twenty times in each of a sixth as many, a thousand at least', () => {
  expectExplanationsToAgree({ numRuns: Math.max(1_000, Math.ceil(numRuns / 6)), ...seed });
});
