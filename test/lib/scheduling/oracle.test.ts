import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidateStarts } from '../../../lib/scheduling/candidates.ts';
import { findSlots } from '../../../lib/scheduling/find-slots.ts';
import { allowedStarts, expectedSlots, rankedStarts } from './oracle.ts';
import { randomSearch } from './random-search.ts';

const numRuns = Number(process.env.ORACLE_RUNS ?? 300);

test(`the engine agrees with the minute-by-minute oracle on ${numRuns} random searches`, { timeout: 0 }, () => {
  let found = 0;
  fc.assert(
    fc.property(randomSearch, (search) => {
      const starts = allowedStarts(search);
      expect(candidateStarts(search)).toEqual(starts);
      const { slots, message } = findSlots(search);
      expect(message === undefined).toBe(starts.length > 0);
      found += slots.length;
      const comparable = slots.map(({ start, startTime, endTime, score, product, reason, factors, attendees }) => ({
        start,
        startTime,
        endTime,
        otherStartTime: attendees[1]?.startTime,
        score,
        product,
        reason,
        factors: factors.map(({ name, multiplier }) => [name, multiplier]),
      }));
      expect(comparable).toEqual(expectedSlots(search, rankedStarts(search, starts)));
    }),
    { numRuns },
  );
  expect(found).toBeGreaterThan(numRuns / 2);
});
