import fc from 'fast-check';
import { expect } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import { allowedStarts, objectionsTo } from './oracle/rules.ts';
import { expectedSlots, rankedStarts } from './oracle/slots.ts';
import { randomSearch } from './random-search.ts';

const MINUTE = 60_000;
const TIMES_PER_SEARCH = 20;
/** Four places of comfort and merit are told, and a rounding error may fall between two of them. */
const A_PLACE = 0.000_100_1;

/** Number of random cases, and the seed that draws them. Without a seed, each run draws other cases. */
interface Sample {
  numRuns: number;
  seed?: number;
}

/** Checks that the engine answers each random search as the oracle does, which tests every minute. */
export function expectSearchesToAgree(sample: Sample): void {
  let found = 0;
  fc.assert(
    fc.property(randomSearch, (search) => {
      const starts = allowedStarts(search);
      expect(candidateStarts(search)).toEqual(starts);
      const { slots, none } = findSlots(search);
      expect(none === undefined).toBe(starts.length > 0);
      found += slots.length;
      const comparable = slots.map(({ start, startTime, endTime, score, product, factors, attendees }) => ({
        start,
        startTime,
        endTime,
        otherStartTime: attendees[1]?.startTime,
        score,
        product,
        factors: factors.map(({ name, multiplier }) => [name, multiplier]),
      }));
      const expected = expectedSlots(search, rankedStarts(search, starts));
      expect(comparable).toEqual(expected.map(({ comfort, merit, ...slot }) => slot));
      for (const [i, { comfort, merit }] of slots.entries()) {
        expect(Math.abs(comfort - (expected[i]?.comfort ?? 0))).toBeLessThan(A_PLACE);
        expect(Math.abs(merit - (expected[i]?.merit ?? 0))).toBeLessThan(A_PLACE);
      }
    }),
    sample,
  );
  expect(found).toBeGreaterThan(sample.numRuns / 2);
}

/** Checks that explanation, search and oracle agree about twenty times in each random search. */
export function expectExplanationsToAgree(sample: Sample): void {
  const minutesFromStart = fc.oneof(
    fc.integer({ min: -40, max: 200 }).map((quarters) => quarters * 15),
    fc.integer({ min: -600, max: 3000 }),
  );
  const times = fc.array(minutesFromStart, { minLength: TIMES_PER_SEARCH, maxLength: TIMES_PER_SEARCH });
  const seen = { refused: 0, free: 0, offered: 0 };
  fc.assert(
    fc.property(randomSearch, times, (random, minutes) => {
      const allowed = allowedStarts(random);
      const ranked = rankedStarts(random, allowed);
      const offered = findSlots(random).slots;
      minutes.forEach((minute, i) => {
        const near = i % 4 === 0 ? allowed[i * 7] : offered[i % 4]?.start;
        const start = i % 2 === 0 && near ? near : Date.parse(`${random.window.start}T00:00Z`) + minute * MINUTE;
        const explained = explainTime({ ...random, start });
        const against = [...new Set(explained.against.map(({ email, rule }) => `${email} ${rule}`))].sort();
        expect(against).toEqual(objectionsTo(random, allowed, start));
        expect(explained.free).toBe(allowed.includes(start));
        expect(explained.free).toBe(against.length === 0);
        expect(explained.offered).toBe(offered.some((slot) => slot.start === start));
        seen[explained.offered ? 'offered' : explained.free ? 'free' : 'refused']++;
        if (!explained.free) return;
        expect([explained.rank, explained.candidates]).toEqual([
          ranked.findIndex((one) => one.start === start) + 1,
          allowed.length,
        ]);
        if (explained.offered) expect(offered).toContainEqual(explained.slot);
      });
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(sample.numRuns / 10);
}
