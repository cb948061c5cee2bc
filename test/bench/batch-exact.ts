import type { PlannedPair } from '../../lib/engine/plan/round.ts';

/** Most steps of one search. Beyond it the best bound that is proven counts instead of the optimum. */
const MOST_STEPS = 300_000;

/** How many pairs a best plan places, at most. `proven` is false if no plan is known that places as many. */
export interface Most {
  placed: number;
  proven: boolean;
}

/**
 * Returns the most pairs of a round that can meet, where all meetings start on one grid and no limits apply. Rounds in
 * which every pair has a person of its own fall apart into matchings, which are solved exactly. For other rounds, a plan
 * that places as many as an upper bound is proven. Between the two, branch and bound searches for more than `known`.
 */
export function mostPlaced(pairs: readonly PlannedPair[], known: number): Most {
  const degree = degrees(pairs);
  const isStars = pairs.every(({ people }) => people.some((person) => degree.get(person) === 1));
  const bound = isStars ? byMatching(pairs, degree) : upperBound(pairs);
  if (isStars || bound === known) return { placed: bound, proven: true };
  const search = new Search(pairs, known, bound);
  search.run();
  return search.isComplete || search.best === bound
    ? { placed: search.best, proven: true }
    : { placed: bound, proven: false };
}

/** Returns how many pairs of a person can meet at different times, if only this person counts. */
function matched(pairs: readonly PlannedPair[]): number {
  const holder = new Map<number, PlannedPair>();
  const assign = (pair: PlannedPair, seen: Set<number>): boolean =>
    pair.open.some(({ start }) => {
      if (seen.has(start)) return false;
      seen.add(start);
      const before = holder.get(start);
      if (before !== undefined && !assign(before, seen)) return false;
      holder.set(start, pair);
      return true;
    });
  return pairs.filter((pair) => assign(pair, new Set())).length;
}

function byMatching(pairs: readonly PlannedPair[], degree: ReadonlyMap<string, number>): number {
  const groups = Map.groupBy(pairs, ({ people: [one, other] }) => ((degree.get(one) ?? 0) > 1 ? one : other));
  return [...groups.values()].reduce((sum, group) => sum + matched(group), 0);
}

/** Returns a number of pairs that no plan can exceed: every person alone leaves out as many as a matching shows. */
function upperBound(pairs: readonly PlannedPair[]): number {
  const feasible = pairs.filter(({ open }) => open.length > 0);
  const lacks = [...degrees(feasible).keys()]
    .map((person) => {
      const own = feasible.filter(({ people }) => people.includes(person));
      return { own, lack: own.length - matched(own) };
    })
    .filter(({ lack }) => lack > 0)
    .sort((a, b) => b.lack - a.lack);
  const counted = new Set<PlannedPair>();
  let left = feasible.length;
  for (const { own, lack } of lacks) {
    // A pair of two people who both lack times may be left out for both, so it counts once.
    const shared = own.filter((pair) => counted.has(pair)).length;
    left -= Math.max(0, lack - shared);
    for (const pair of own) counted.add(pair);
  }
  return left;
}

function degrees(pairs: readonly PlannedPair[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const person of pairs.flatMap(({ people }) => people)) count.set(person, (count.get(person) ?? 0) + 1);
  return count;
}

/** Branch and bound: the pair with the fewest times left comes next, at each of them or without a place. */
class Search {
  best: number;
  isComplete = true;
  private readonly pairs: readonly PlannedPair[];
  private readonly bound: number;
  private readonly taken = new Set<string>();
  private steps = 0;

  constructor(pairs: readonly PlannedPair[], known: number, bound: number) {
    this.pairs = pairs;
    this.best = known;
    this.bound = bound;
  }

  run(): void {
    this.branch(this.pairs, 0);
  }

  private branch(waiting: readonly PlannedPair[], placed: number): void {
    if (this.best === this.bound) return;
    if (++this.steps > MOST_STEPS) {
      this.isComplete = false;
      return;
    }
    this.best = Math.max(this.best, placed);
    const open = waiting.map((pair) => ({ pair, times: this.openTimes(pair) })).filter(({ times }) => times.length > 0);
    const left = open.map(({ pair, times }) => ({ ...pair, open: times }));
    if (placed + upperBound(left) <= this.best) return;
    const next = open.reduce((scarcest, one) => (one.times.length < scarcest.times.length ? one : scarcest));
    const rest = open.flatMap(({ pair }) => (pair === next.pair ? [] : [pair]));
    for (const { start } of next.times) {
      const keys = next.pair.people.map((person) => `${person} ${start}`);
      for (const key of keys) this.taken.add(key);
      this.branch(rest, placed + 1);
      for (const key of keys) this.taken.delete(key);
    }
    this.branch(rest, placed);
  }

  private openTimes({ people, open }: PlannedPair): PlannedPair['open'] {
    return open.filter(({ start }) => !people.some((person) => this.taken.has(`${person} ${start}`)));
  }
}
