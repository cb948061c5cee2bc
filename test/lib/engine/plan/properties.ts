import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Board, UNPLACED } from '../../../../lib/engine/plan/board.ts';
import { placeByChain } from '../../../../lib/engine/plan/chains.ts';
import { type PlanState, plannedOf, planRound, planSlice, startPlan } from '../../../../lib/engine/plan/plan.ts';
import type { PlannedPair } from '../../../../lib/engine/plan/round.ts';
import { improve } from '../../../../lib/engine/plan/swaps.ts';
import { breaches, mostPlaced, type RandomRound, randomRound } from './rounds.ts';

const SEED = 20_290_101;
const unlimited = () => ({ spent: 0, limit: Number.POSITIVE_INFINITY });

/** Returns the state after each slice, up to the end. */
function slices({ pairs, limits }: RandomRound, size: number, carry = (state: PlanState) => state): PlanState[] {
  const states = [startPlan(pairs, limits)];
  for (let state = states[0]; state !== undefined && !state.done; ) {
    state = planSlice(carry(state), size);
    states.push(state);
  }
  return states;
}

/** Tests the planner on so many random rounds of one seed. */
export function testPlans(numRuns: number): void {
  const holds = (property: (round: RandomRound) => void, runs = { numRuns }) =>
    fc.assert(fc.property(randomRound, property), { seed: SEED, ...runs });

  test('every pair is placed at one of its open times, within all limits, or named as unplaced', () => {
    holds((round) => {
      const { placed, unplaced } = planRound(round.pairs, round.limits);
      expect(breaches(round, placed)).toEqual([]);
      expect([...placed.keys(), ...unplaced].sort()).toEqual(round.pairs.map(({ reference }) => reference).sort());
    });
  });

  test('no unplaced pair has an open time left', () => {
    holds((round) => {
      const { placed, unplaced } = planRound(round.pairs, round.limits);
      for (const pair of round.pairs.filter(({ reference }) => unplaced.includes(reference)))
        for (const time of pair.open)
          expect(breaches(round, new Map(placed).set(pair.reference, time))).not.toEqual([]);
    });
  });

  test('the order of pairs, of their times and of the two people changes nothing', () => {
    fc.assert(
      fc.property(
        randomRound.chain((round) =>
          fc.tuple(
            fc.constant(round),
            fc.shuffledSubarray(round.pairs, { minLength: round.pairs.length }),
            fc.array(fc.boolean(), { minLength: round.pairs.length, maxLength: round.pairs.length }),
          ),
        ),
        ([round, shuffled, turned]) => {
          const other = shuffled.map((pair, index): PlannedPair => {
            const { people, open } = pair;
            if (turned[index] !== true) return { ...pair, open: open.toReversed() };
            const [one, two] = people;
            return {
              ...pair,
              people: [two, one],
              open: open.map((time) => ({ ...time, dates: [time.dates[1], time.dates[0]] })),
            };
          });
          const starts = (pairs: readonly PlannedPair[]) =>
            [...planRound(pairs, round.limits).placed]
              .map(([reference, { start, end }]) => `${reference} ${start} ${end}`)
              .sort();
          expect(starts(other)).toEqual(starts(round.pairs));
        },
      ),
      { numRuns, seed: SEED },
    );
  });

  test.each([1, 3, 50])('slices of %i pairs, each carried on as JSON, give the plan of the whole round', (size) => {
    holds((round) => {
      const last = slices(round, size, (state) => JSON.parse(JSON.stringify(state))).at(-1);
      expect(last && plannedOf(last)).toEqual(planRound(round.pairs, round.limits));
    });
  });

  test('a slice leaves the state alone that it continues', () => {
    holds((round) => {
      const state = planSlice(startPlan(round.pairs, round.limits), 2);
      const before = JSON.stringify(state);
      planSlice(state, 50);
      expect(JSON.stringify(state)).toBe(before);
    });
  });

  test('every state is a plan within the limits, and no slice lowers the number of placed pairs', () => {
    holds((round) => {
      const sizes = slices(round, 1).map((state) => {
        const { placed } = plannedOf(state);
        expect(breaches(round, placed)).toEqual([]);
        return placed.size;
      });
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    });
  });

  test('a chain costs nobody a place', () => {
    let chains = 0;
    holds((round) => {
      const { round: data, progress } = startPlan(round.pairs, round.limits);
      const board = new Board(data, progress.placed);
      data.pairs.forEach((_, pair) => {
        const before = [...board.placed];
        const found = placeByChain(board, pair, unlimited());
        if (!found) expect(board.placed).toEqual(before);
        before.forEach((time, other) => {
          if (time !== UNPLACED || (found && other === pair)) expect(board.placed[other]).not.toBe(UNPLACED);
          else expect(board.placed[other]).toBe(UNPLACED);
          if (time !== UNPLACED && board.placed[other] !== time) chains++;
        });
        expect(
          breaches(
            round,
            plannedOf({ round: data, progress: { ...progress, placed: board.placed }, done: false }).placed,
          ),
        ).toEqual([]);
      });
    });
    expect(chains).toBeGreaterThan(numRuns / 8);
  });

  test('a swap costs nobody a place, no higher priority a better time, and the sum of products and comforts rises', () => {
    let swaps = 0;
    holds((round) => {
      const { round: data } = startPlan(round.pairs, round.limits);
      const worst = planRound(
        round.pairs.map((pair) => ({ ...pair, open: pair.open.map((time) => ({ ...time, product: -time.product })) })),
        round.limits,
      );
      const placed = data.pairs.map(({ reference, starts, ends }) => {
        const time = worst.placed.get(reference);
        return time === undefined
          ? UNPLACED
          : starts.findIndex((start, i) => start === time.start && ends[i] === time.end);
      });
      const board = new Board(data, placed);
      data.pairs.forEach(({ priority }, pair) => {
        if (board.placed[pair] === UNPLACED) return;
        const before = [...board.placed];
        const moved = improve(board, pair, unlimited());
        let [product, comfort] = [0, 0];
        data.pairs.forEach((its, other) => {
          const [was, is] = [before[other] ?? UNPLACED, board.placed[other] ?? UNPLACED];
          expect(is === UNPLACED).toBe(was === UNPLACED);
          if (!moved) expect(is).toBe(was);
          if (was === is) return;
          expect(other === pair || its.priority <= priority).toBe(true);
          product += (its.products[is] ?? 0) - (its.products[was] ?? 0);
          comfort += (its.comforts[is] ?? 0) - (its.comforts[was] ?? 0);
        });
        if (moved) swaps++;
        if (moved) expect(product > 1e-9 || (product > -1e-9 && comfort > 1e-9)).toBe(true);
      });
    });
    expect(swaps).toBeGreaterThan(numRuns / 8);
  });

  test('who is placed does not depend on pairs of lower priority', () => {
    holds(({ pairs, limits }) => {
      const placedOf = (some: readonly PlannedPair[], lowest: number) => {
        const { placed } = planRound(some, limits);
        return pairs.flatMap(({ reference, priority }) =>
          priority >= lowest && placed.has(reference) ? [reference] : [],
        );
      };
      for (const lowest of [5, 9]) {
        const higher = pairs.filter(({ priority }) => priority >= lowest);
        expect(placedOf(pairs, lowest)).toEqual(placedOf(higher, lowest));
      }
    });
  });

  test('of the pairs that the best of all plans places, at most two in a thousand are left out', () => {
    let [most, placed] = [0, 0];
    holds(
      (round) => {
        const equal = { ...round, pairs: round.pairs.slice(0, 6).map((pair) => ({ ...pair, priority: 0 })) };
        most += mostPlaced(equal);
        placed += planRound(equal.pairs, equal.limits).placed.size;
      },
      { numRuns: 250 },
    );
    expect(most).toBeGreaterThan(600);
    expect(most - placed).toBeLessThanOrEqual(0.002 * most);
  });
}
