import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Board, UNPLACED } from '../../../../lib/engine/plan/board.ts';
import {
  improve,
  type Planned,
  type PlanState,
  placeByChain,
  plannedOf,
  planSlice,
  startPlan,
} from '../../../../lib/engine/plan/plan.ts';
import type { OpenTime, PlannedPair, RoundLimits } from '../../../../lib/engine/plan/round.ts';

const SEED = 20_290_101;
const unlimited = () => ({ spent: 0, limit: Number.POSITIVE_INFINITY });

export const planRound = (pairs: readonly PlannedPair[], limits: RoundLimits): Planned =>
  plannedOf(planSlice(startPlan(pairs, limits), Number.POSITIVE_INFINITY));

/** Returns the state after each slice, up to the end. */
function slices({ pairs, limits }: RandomRound, size: number, carry = (state: PlanState) => state): PlanState[] {
  const states = [startPlan(pairs, limits)];
  for (let state = states[0]; state !== undefined && !state.done; ) {
    state = planSlice(carry(state), size);
    states.push(state);
  }
  return states;
}

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

const QUARTER = 900_000;
const DAY = 86_400_000;

/** Returns a time on the first of two days: `start` and `length` in quarter hours, both people in one zone. */
export function quarterAt(start: number, length = 2, product = 1, comfort = 0): OpenTime {
  const date = `2029-01-0${1 + Math.floor((start * QUARTER) / DAY)}`;
  return { start: start * QUARTER, end: (start + length) * QUARTER, product, comfort, dates: [date, date] };
}

/** Returns a pair of priority 0 that can meet at the given quarter hours. */
export const pairOf = (reference: string, people: [string, string], ...starts: number[]): PlannedPair => ({
  reference,
  people,
  priority: 0,
  open: starts.map((start) => quarterAt(start)),
});

/** A round as a caller passes it. */
interface RandomRound {
  pairs: PlannedPair[];
  limits: RoundLimits;
}

const randomTime = fc
  .record({
    start: fc.nat(14),
    day: fc.nat(1),
    length: fc.integer({ min: 1, max: 4 }),
    product: fc.constantFrom(0.5, 1, 1.2),
    comfort: fc.constantFrom(0, 0.3, 0.9),
    laterThere: fc.boolean(),
  })
  .map(({ start, day, length, product, comfort, laterThere }): OpenTime => {
    const time = quarterAt(start + day * 96, length, product, comfort);
    return { ...time, dates: [time.dates[0], laterThere ? `2029-01-0${day + 2}` : time.dates[0]] };
  });

/** Rounds of few people, so that most meetings are in each other's way. */
const randomRound: fc.Arbitrary<RandomRound> = fc.record({
  pairs: fc
    .array(
      fc.record({
        people: fc.uniqueArray(fc.constantFrom('ada', 'bob', 'cyd', 'dan', 'eve'), { minLength: 2, maxLength: 2 }),
        priority: fc.constantFrom(0, 0, 0, 5, 9),
        open: fc.uniqueArray(randomTime, { maxLength: 5, selector: ({ start, end }) => `${start} ${end}` }),
      }),
      { minLength: 1, maxLength: 10 },
    )
    .map((pairs) =>
      pairs.map(({ people: [one = '', other = ''], ...pair }, index): PlannedPair => {
        return { ...pair, reference: `r${index}`, people: [one, other] };
      }),
    ),
  limits: fc
    .record({
      perPerson: fc.constantFrom(undefined, undefined, 1, 2, 3),
      perDay: fc.constantFrom(undefined, undefined, 1, 2),
      adaOnTheFirst: fc.constantFrom(undefined, 0, 1),
      bobsBuffer: fc.constantFrom(0, QUARTER),
    })
    .map(
      ({ adaOnTheFirst, bobsBuffer, ...limits }): RoundLimits => ({
        ...limits,
        buffers: new Map([['bob', bobsBuffer]]),
        ...(adaOnTheFirst === undefined
          ? {}
          : { dailyLimits: new Map([['ada', new Map([['2029-01-01', adaOnTheFirst]])]]) }),
      }),
    ),
});

/** Returns a sentence for each rule that a plan breaks. It shares no code with the planner. */
function breaches({ pairs, limits }: RandomRound, placed: ReadonlyMap<string, OpenTime>): string[] {
  const found: string[] = [];
  const meetings = [...placed].map(([reference, time]) => {
    const pair = pairs.find((one) => one.reference === reference);
    if (pair === undefined) throw new Error(`${reference} is not in the round`);
    if (!pair.open.some((open) => JSON.stringify(open) === JSON.stringify(time)))
      found.push(`${reference} is placed at a time that is not open`);
    return { reference, time, pair };
  });
  for (const person of new Set(pairs.flatMap((pair) => pair.people))) {
    const own = meetings.filter(({ pair }) => pair.people.includes(person));
    const buffer = limits.buffers?.get(person) ?? 0;
    own.forEach((one, index) => {
      for (const other of own.slice(index + 1))
        if (one.time.start < other.time.end + buffer && other.time.start < one.time.end + buffer)
          found.push(`${one.reference} and ${other.reference} are too close for ${person}`);
    });
    if (own.length > (limits.perPerson ?? own.length)) found.push(`${person} has too many meetings`);
    const dates = own.map(({ pair, time }) => time.dates[pair.people[0] === person ? 0 : 1]);
    for (const date of new Set(dates)) {
      const count = dates.filter((one) => one === date).length;
      const own = limits.dailyLimits?.get(person)?.get(date);
      if (count > (limits.perDay ?? count) || count > (own ?? count)) found.push(`${person} has too many on ${date}`);
    }
  }
  return found;
}

/** Returns the most pairs that any plan can place, by trying all plans. */
function mostPlaced(round: RandomRound): number {
  const search = (index: number, placed: ReadonlyMap<string, OpenTime>): number => {
    const pair = round.pairs[index];
    if (pair === undefined) return placed.size;
    const counts = pair.open.flatMap((time) => {
      const next = new Map(placed).set(pair.reference, time);
      return breaches(round, next).length === 0 ? [search(index + 1, next)] : [];
    });
    return Math.max(search(index + 1, placed), ...counts);
  };
  return search(0, new Map());
}

export const startsOf = ({ placed }: Planned): Record<string, number> =>
  Object.fromEntries([...placed].map(([reference, { start }]) => [reference, start / QUARTER]));
