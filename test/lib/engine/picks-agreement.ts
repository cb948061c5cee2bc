import fc from 'fast-check';
import { expect } from 'vitest';
import { rankReschedule } from '../../../lib/engine/move/rank-reschedule.ts';
import { rankAuto } from '../../../lib/engine/rank/rank-auto.ts';
import { expectedMoves, missesOf, movableStarts } from './oracle/moves.ts';
import { carriedBefore, expectedPicks } from './oracle/picks.ts';
import { randomAuto, randomMove } from './random-picks.ts';

/** Largest rounding error of a score, which has four decimal places. */
const HALF_A_PLACE = 0.5001e-4;

/** The two bounds of the clock time, which a reader sees as one wish: "from two to four". */
const OF_THE_CLOCK: string[] = ['clockFrom', 'clockTo'];

/** Number of random cases, and the seed that draws them. Without a seed, each run draws other cases. */
interface Sample {
  numRuns: number;
  seed?: number;
}

/**
 * Checks that automatic scheduling tries the oracle's times in the oracle's order, with the oracle's scores, in each
 * random search.
 */
export function expectPicksToAgree(sample: Sample): void {
  const seen = { picked: 0, fair: 0, none: 0 };
  fc.assert(
    fc.property(randomAuto, (search) => {
      const { ranked } = rankAuto(search);
      const expected = expectedPicks(search);
      expect(ranked.map(({ start }) => start)).toEqual(expected.map(({ start }) => start));
      for (const [i, { score, matchQuality }] of ranked.entries()) {
        expect(Math.abs(score - (expected[i]?.score ?? 0))).toBeLessThan(HALF_A_PLACE);
        expect(matchQuality).toBe(score >= 0.8 ? 'excellent' : score >= 0.6 ? 'good' : 'fair');
      }
      seen[ranked.length > 0 ? 'picked' : 'none']++;
      const fairness = ranked[0]?.facts().fairness;
      if (fairness === undefined) return;
      expect(Object.values(fairness.carried)).toEqual(carriedBefore(search));
      seen.fair++;
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(Math.ceil(sample.numRuns / 100));
}

/**
 * Checks that a meeting moves as the oracle says in each random case, and that every sentence about the move is true.
 */
export function expectMovesToAgree(sample: Sample): void {
  const seen = { met: 0, bent: 0, none: 0 };
  fc.assert(
    fc.property(randomMove, (search) => {
      const { ranked } = rankReschedule(search);
      expect(ranked.map(({ start }) => start)).toEqual(expectedMoves(search));
      const [pick] = ranked;
      if (pick === undefined) {
        seen.none++;
        return;
      }
      const { decided, drawbacks, wish } = pick.facts();
      const misses = missesOf(search, pick.start, wish);
      const partsOf = (list: { kind: string; part?: string }[]) =>
        list.flatMap(({ kind, part }) => (kind === 'wish' ? [part] : [])).sort();
      const partsThat = (isMet: boolean) => misses.flatMap(([part, by]) => (by <= 0 === isMet ? [part] : [])).sort();
      expect([partsOf(decided), partsOf(drawbacks)]).toEqual([partsThat(true), partsThat(false)]);
      const movable = movableStarts(search);
      for (const fact of drawbacks)
        if (fact.kind === 'wish') {
          const together = OF_THE_CLOCK.includes(fact.part) ? OF_THE_CLOCK : [fact.part];
          const meetsIt = (start: number) =>
            missesOf(search, start, wish).every(([part, by]) => !together.includes(part) || by <= 0);
          expect(movable.some(meetsIt)).toBe(fact.why === 'other_parts');
        }
      seen[partsOf(drawbacks).length === 0 ? 'met' : 'bent']++;
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(Math.ceil(sample.numRuns / 100));
}
