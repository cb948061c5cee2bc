import fc from 'fast-check';
import { expect } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import { randomSearch } from './random-search.ts';

const SAME = 1e-9;
/** Largest rounding error of a merit, which has four decimal places. */
const HALF_A_PLACE = 0.500_01e-4;
const STATED = ['half_day', 'half_day_afternoon', 'quiet_day', 'rather_not', 'not_preferred'];
const product = (values: number[]) => values.reduce((all, value) => all * value, 1);

/** Least number of random times, how many searches draw them at once, and the seed of the first draw. */
interface RandomTimes {
  times: number;
  atOnce?: number;
  seed?: number;
}

/**
 * Explains every start of random searches, so many in all. Each must have the merit and the rank that follow from
 * the factors and the parts that the explanations list, and be offered if the search offers it. The slots that the search
 * offers stand in the order of their ranks.
 */
export function expectRanksToAgree({ times, atOnce = 20, seed }: RandomTimes): void {
  const seen = { times: 0, offered: 0, equals: 0 };
  for (let run = 0; seen.times < times; run++)
    fc.assert(
      fc.property(randomSearch, (search) => {
        const { slots } = findSlots(search);
        const explained = candidateStarts(search).flatMap((start) => {
          const { free, ...place } = explainTime({ ...search, start });
          if (!('rank' in place)) throw new Error('A start of the search is not free in its explanation.');
          const factors = product(place.slot.factors.map(({ multiplier }) => multiplier));
          const merit = factors * product(place.parts.map(({ value }) => value));
          expect(Math.abs(merit - place.slot.merit)).toBeLessThan(HALF_A_PLACE);
          const stated = place.parts.filter(({ name }) => STATED.includes(name)).map(({ value }) => value);
          return [{ start, score: Math.min(1, factors), merit, worth: factors * product(stated), ...place }];
        });
        if ([search.requester, search.other].every(({ busy, meetings }) => busy.length + meetings.length === 0)) {
          const highest = Math.max(...explained.map(({ worth }) => worth));
          const [first] = explained
            .filter(({ worth }) => highest - worth <= SAME)
            .sort((a, b) => (Math.abs(a.merit - b.merit) > SAME ? b.merit - a.merit : a.start - b.start));
          if (first !== undefined) first.score = 2;
        }
        const ranked = explained.toSorted((a, b) => {
          if (Math.abs(a.score - b.score) > SAME) return b.score - a.score;
          return Math.abs(a.merit - b.merit) > SAME ? b.merit - a.merit : a.start - b.start;
        });
        expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, i) => i + 1));
        for (const { candidates } of ranked) expect(candidates).toBe(ranked.length);
        const offered = ranked.filter((one) => one.offered);
        expect(offered.map(({ start }) => start)).toEqual(slots.map(({ start }) => start));
        expect(offered.map(({ slot }) => slot)).toEqual(slots);
        seen.times += ranked.length;
        seen.offered += offered.length;
        seen.equals += ranked.filter(({ score }, i) => Math.abs(score - (ranked[i - 1]?.score ?? 0)) <= SAME).length;
      }),
      { numRuns: atOnce, ...(seed === undefined ? {} : { seed: seed + run }) },
    );
  expect(seen.offered).toBeGreaterThan(0);
  expect(seen.equals).toBeGreaterThan(times / 10);
}
