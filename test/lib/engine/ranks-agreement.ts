import fc from 'fast-check';
import { expect } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import { findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../lib/engine/rules/candidates.ts';
import { randomSearch } from './random-search.ts';

const SAME = 1e-9;
const product = (values: number[]) => values.reduce((all, value) => all * value, 1);

/** Least number of random times, how many searches draw them at once, and the seed of the first draw. */
interface RandomTimes {
  times: number;
  atOnce?: number;
  seed?: number;
}

/**
 * Explains every start of random searches, so many in all. Each must have the rank that follows from the factors,
 * the people's own rules and the parts of comfort that the explanations list, and be offered if the search offers it. The slots that the search
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
          const score = product(place.slot.factors.map(({ multiplier }) => multiplier));
          const comfort = product(place.comfortParts.map(({ value }) => value));
          const has = (email: string, verdict: string) =>
            place.ownRules.some((rule) => rule.email === email && rule.verdict === verdict);
          const people = [search.requester.email, search.other.email];
          const disliked = people.filter((email) => has(email, 'rather_not'));
          const liked = people.filter((email) => has(email, 'prefer') && !disliked.includes(email));
          return [{ start, score, comfort, taste: liked.length - 3 * disliked.length, ...place }];
        });
        const ranked = explained.toSorted((a, b) => {
          if (Math.abs(a.score - b.score) > SAME) return b.score - a.score;
          if (a.taste !== b.taste) return b.taste - a.taste;
          return Math.abs(a.comfort - b.comfort) > SAME ? b.comfort - a.comfort : a.start - b.start;
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
