import { expect, test } from 'vitest';
import {
  expectBandsToAgree,
  expectExplanationsToAgree,
  expectMeritToAgree,
  expectReasonsToAgree,
  expectSearchesToAgree,
} from './agreement.ts';
import { expectMovesToAgree, expectPicksToAgree } from './picks-agreement.ts';
import { testPlans } from './plan/properties.ts';

const { ORACLE_RUNS = '1000', ORACLE_SEED } = process.env;
const numRuns = Number(ORACLE_RUNS);
const seed = ORACLE_SEED === undefined ? {} : { seed: Number(ORACLE_SEED) };
const times = numRuns * 100;
const SHORT_SEED = 20_261_123;

test('more picks and merit of the short test’s seed are the oracle’s', () => {
  expectMeritToAgree({ times: 8_000, seed: SHORT_SEED });
  expectPicksToAgree({ numRuns: 100, seed: SHORT_SEED });
});

test(`the engine agrees with the minute-by-minute oracle on ${numRuns} random searches`, () => {
  expectSearchesToAgree({ numRuns, ...seed });
});

test('explanation, search and oracle agree on twenty times in each of a sixth as many, two hundred at least', () => {
  expectExplanationsToAgree({ numRuns: Math.max(200, Math.ceil(numRuns / 6)), ...seed });
});

test('the reasons of empty answers, and the changes that would open times, are the oracle’s on a fortieth as many searches', () => {
  const { rules, changes } = expectReasonsToAgree({ numRuns: Math.max(40, Math.ceil(numRuns / 40)), ...seed });
  expect(rules.size).toBeGreaterThanOrEqual(2);
  expect(changes.size).toBeGreaterThanOrEqual(2);
});

test(`auto picks the oracle’s times on ${numRuns} random searches`, () => {
  expectPicksToAgree({ numRuns, ...seed });
});

test(`${numRuns} random meetings move where the oracle moves them, and nothing untrue is told of it`, () => {
  expectMovesToAgree({ numRuns, ...seed });
});

test(`the parts of merit are what the published table says on ${times} random times`, () => {
  expectMeritToAgree({ times, ...seed });
});

test('every minute of more random weeks is what the minute-by-minute oracle says', () => {
  expectBandsToAgree({ numRuns: 40, seed: 20_261_122 });
});

testPlans(400);
