import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { type Cases, openCases } from '../../support/checks/calendar-cases.ts';
import { history, play } from '../../support/fuzz/calendar-history.ts';

const { SNAPSHOT_RUNS = '100', SNAPSHOT_SEED } = process.env;
const seed = SNAPSHOT_SEED === undefined ? {} : { seed: Number(SNAPSHOT_SEED) };

let cases: Cases;
beforeAll(async () => {
  cases = await openCases();
});
afterAll(() => cases.lab.close());

test('after any history of changes, pushes, faults and deaths nothing wrong is served, and at rest all that is right', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, (steps) => play(cases, steps)),
    { ...seed, numRuns: Number(SNAPSHOT_RUNS), endOnFailure: true },
  );
});
