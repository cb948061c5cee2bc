import { Board, UNPLACED } from './board.ts';
import { enter, type Left, type Looks, Placing, TOLERANCE } from './placing.ts';
import { at, type OpenTime, openTimeAt, type PlannedPair, type Round, type RoundLimits, roundOf } from './round.ts';

/** Lengths of the chains of each pass over the pairs without a time. Exchanges follow from the third on. */
const CHAINS = [[0, 1], [2], [3], [1, 2, 3], [1, 2, 3]];
const FIRST_EXCHANGES = 2;
/** Most passes of swaps over all pairs. */
const SWAPS = 3;
/** How many times the chains of one priority may look at: so many, and so many more for each of its pairs. */
const LOOKS = 200_000;
const MORE_LOOKS_A_PAIR = 500;
/** How many times the searches of a slice may look at for each of its pairs. */
const LOOKS_A_PAIR = 400;

/** JSON that can be stored. The same pairs and limits always give the same `round`, so `progress` alone may be kept. */
export interface PlanState {
  round: Round;
  progress: Progress;
  done: boolean;
}

/** How far a plan is. The priorities are placed one after another, highest first, and swaps come last. */
export interface Progress {
  /** For each pair of people, ordered by reference, the index of its chosen time, or -1 if it has none. */
  placed: number[];
  levels: number;
  phase: 'place' | 'chain' | 'swap';
  /** Index of the pair at which the present pass over all pairs goes on. */
  next: number;
  /** How many passes over all pairs the phase has finished. */
  passes: number;
  /** True if the present pass changed something, so that another one may. */
  gained: boolean;
  /** How many times the chains of the present priority have looked at. */
  looks: number;
}

export interface Planned {
  placed: Map<string, OpenTime>;
  /** References of the pairs for which no time was found, in order. */
  unplaced: string[];
}

/** No pair has a time yet. The references of the pairs must be unique. */
export function startPlan(pairs: readonly PlannedPair[], limits: RoundLimits): PlanState {
  const round = roundOf(pairs, limits);
  const progress: Progress = {
    placed: round.pairs.map(() => UNPLACED),
    levels: 0,
    phase: 'place',
    next: 0,
    passes: 0,
    gained: false,
    looks: 0,
  };
  return { round, progress, done: false };
}

/** Returns the new state and leaves the given one. Long searches shorten a slice, so its time stays in proportion. */
export function planSlice({ round, progress, done }: PlanState, pairs: number): PlanState {
  const slice = new Slice(round, progress);
  let isDone = done;
  const limit = pairs * LOOKS_A_PAIR;
  for (let left = pairs; left > 0 && slice.looks.spent < limit && !isDone; left--) isDone = !slice.step();
  return { round, progress: slice.progress, done: isDone };
}

export function plannedOf({ round, progress }: PlanState): Planned {
  const placed = new Map<string, OpenTime>();
  const unplaced: string[] = [];
  round.pairs.forEach((pair, index) => {
    const time = at(progress.placed, index);
    if (time === UNPLACED) unplaced.push(pair.reference);
    else placed.set(pair.reference, openTimeAt(round, pair, time));
  });
  return { placed, unplaced };
}

/** Each step gives one pair a time, moves others to make room for it, or swaps it to a better time. */
class Slice {
  readonly looks: Looks = { spent: 0, limit: Number.POSITIVE_INFINITY };
  readonly progress: Progress;
  private readonly board: Board;
  private readonly priorities: number[];
  private placing: Placing | undefined;
  private level: number[] = [];

  constructor(round: Round, progress: Progress) {
    this.board = new Board(round, progress.placed);
    this.progress = { ...progress, placed: this.board.placed };
    this.priorities = [...new Set(round.pairs.map(({ priority }) => priority))].sort((a, b) => b - a);
    this.readLevel();
  }

  /** Takes the next step for one pair of people. Returns false if the plan is finished. */
  step(): boolean {
    const { progress, priorities } = this;
    if (progress.phase === 'place') {
      const priority = priorities[progress.levels];
      if (priority === undefined) return this.begin('swap');
      this.placing ??= new Placing(this.board, priority, this.looks);
      return this.placing.placeNext() || this.begin('chain');
    }
    const pair = this.nextPair();
    if (pair !== undefined) {
      progress.next = pair + 1;
      if (this.change(pair)) progress.gained = true;
      return true;
    }
    const passes = progress.passes + 1;
    const most = progress.phase === 'swap' ? SWAPS : CHAINS.length;
    const isDeeper = progress.phase === 'chain' && passes <= FIRST_EXCHANGES;
    if (passes < most && (progress.gained || isDeeper)) return this.begin(progress.phase, passes);
    if (progress.phase === 'swap') return false;
    progress.levels++;
    progress.looks = 0;
    return this.begin('place');
  }

  private begin(phase: Progress['phase'], passes = 0): true {
    Object.assign(this.progress, { phase, passes, next: 0, gained: false });
    this.placing = undefined;
    if (phase === 'place') this.readLevel();
    return true;
  }

  private readLevel(): void {
    const priority = this.priorities[this.progress.levels];
    this.level = this.board.round.pairs.flatMap((pair, index) => (pair.priority === priority ? [index] : []));
  }

  private nextPair(): number | undefined {
    const { board, progress } = this;
    const isSwap = progress.phase === 'swap';
    if (!isSwap && progress.looks > LOOKS + MORE_LOOKS_A_PAIR * this.level.length) return undefined;
    const pairs = isSwap ? board.placed.keys() : this.level;
    for (const pair of pairs)
      if (pair >= progress.next && (at(board.placed, pair) !== UNPLACED) === isSwap) return pair;
    return undefined;
  }

  private change(pair: number): boolean {
    const { board, looks, progress } = this;
    if (progress.phase === 'swap') return improve(board, pair, looks);
    const before = looks.spent;
    const isPlaced =
      placeByChain(board, pair, looks, CHAINS[progress.passes]) ||
      (progress.passes >= FIRST_EXCHANGES && placeByExchange(board, pair, looks));
    progress.looks += looks.spent - before;
    return isPlaced;
  }
}

/** Lengths of the chains to try, shortest first. In a chain, each meeting moves to make room for the one before it. */
const DEPTHS = [0, 1, 2, 3];
/** Most times that the search for one chain looks at per depth, so that a slice ends. */
const MOST_LOOKS = 4_000;
/** Most times that the search looks at when it exchanges one pair of people for two others. */
const MOST_LOOKS_OF_EXCHANGES = 8_000;

/** A pair that needs a time, and how many meetings in a row may still make room for it. */
interface Homeless {
  pair: number;
  depth: number;
}

export function placeByChain(board: Board, pair: number, looks: Looks, depths: readonly number[] = DEPTHS): boolean {
  if (board.pair(pair).people.some((person) => board.isFull(person))) return false;
  const { limit } = looks;
  const found = depths.some((depth) => {
    looks.limit = Math.min(limit, looks.spent + MOST_LOOKS);
    return settle(board, [{ pair, depth }], new Set(), looks);
  });
  looks.limit = limit;
  return found;
}

/**
 * Helps where two people both have more pairs than times and one pair in common, and where a long meeting takes the
 * time of two: a third pair of the same priority gives up its time. Returns false if nothing changed.
 */
export function placeByExchange(board: Board, pair: number, looks: Looks): boolean {
  const { priority } = board.pair(pair);
  const { limit } = looks;
  looks.limit = Math.min(limit, looks.spent + MOST_LOOKS_OF_EXCHANGES);
  const found = around(board, pair).some((third) => {
    if (++looks.spent > looks.limit) return false;
    if (at(board.placed, third) === UNPLACED || board.pair(third).priority !== priority) return false;
    return exchange(board, third, pair, furtherPairs(board, third, pair, looks), looks);
  });
  looks.limit = limit;
  return found;
}

/** Returns the pairs without a time that may find one when a third pair leaves and `pair` comes. */
function furtherPairs(board: Board, third: number, pair: number, looks: Looks): number[] {
  const [comes, leaves] = [board.pair(pair).people, board.pair(third).people];
  const candidates = around(board, third);
  looks.spent += candidates.length;
  const stillFull = (person: number) => board.isFull(person) && !leaves.includes(person);
  if (comes.some(stillFull)) return [];
  const fullThen = (person: number) => board.isFull(person) && (comes.includes(person) || !leaves.includes(person));
  return candidates.filter((other) => {
    const { people, priority } = board.pair(other);
    const isWaiting = other !== pair && at(board.placed, other) === UNPLACED;
    return isWaiting && priority === board.pair(pair).priority && !people.some(fullThen);
  });
}

function around(board: Board, pair: number): number[] {
  const pairs = new Set(board.pair(pair).people.flatMap((person) => at(board.pairsOf, person)));
  pairs.delete(pair);
  return [...pairs].sort((a, b) => a - b);
}

function exchange(board: Board, third: number, pair: number, further: readonly number[], looks: Looks): boolean {
  if (further.length === 0) return false;
  const before = [...board.placed];
  board.take(third);
  if (placeByChain(board, pair, looks) && further.some((other) => placeByChain(board, other, looks))) return true;
  board.restore(before);
  return false;
}

/** Finds times for all pairs of the list, the first one first, and for all that make room for them. */
function settle(board: Board, homeless: readonly Homeless[], settled: Set<number>, looks: Looks): boolean {
  const [first, ...rest] = homeless;
  if (first === undefined) return true;
  const { pair, depth } = first;
  settled.add(pair);
  const found = board.bestFirst(pair).some((time) =>
    enter(
      board,
      { pair, time },
      looks,
      (other) => depth > 0 && !settled.has(other),
      (left) => {
        const next = left.map((one) => ({ pair: one.pair, depth: depth - 1 }));
        return settle(board, [...next, ...rest], settled, looks);
      },
    ),
  );
  if (!found) settled.delete(pair);
  return found;
}

/** Most times that the swaps of one pair look at. */
const MOST_LOOKS_OF_SWAPS = 2_000;

/** Moves pairs if they gain together, first in products, then in comforts, and if no pair of higher priority loses. */
export function improve(board: Board, pair: number, looks: Looks): boolean {
  const { priority } = board.pair(pair);
  const { limit } = looks;
  looks.limit = Math.min(limit, looks.spent + MOST_LOOKS_OF_SWAPS);
  const old = { pair, time: board.take(pair) };
  const moved = betterTimes(board, old).some((time) =>
    enter(
      board,
      { pair, time },
      looks,
      (other) => board.pair(other).priority <= priority,
      (left) => left.length <= 2 && settleBest(board, [old], left, looks),
    ),
  );
  looks.limit = limit;
  if (!moved) board.put(pair, old.time);
  return moved;
}

function betterTimes(board: Board, { pair, time }: Left): number[] {
  const { products, comforts } = board.pair(pair);
  return board.bestFirst(pair).filter((other) => {
    const gap = at(products, other) - at(products, time);
    return gap > TOLERANCE || (gap >= -TOLERANCE && at(comforts, other) - at(comforts, time) > TOLERANCE);
  });
}

/** Places those who left at their best open times, one after another. Returns false if the whole exchange is no gain. */
function settleBest(board: Board, moved: readonly Left[], left: readonly Left[], looks: Looks): boolean {
  const [first, ...rest] = left;
  if (first === undefined) return gains(board, moved);
  const open = board.bestFirst(first.pair).find((time) => {
    looks.spent++;
    return board.obstacle(first.pair, time) === undefined;
  });
  if (open === undefined) return false;
  board.put(first.pair, open);
  if (settleBest(board, [...moved, first], rest, looks)) return true;
  board.take(first.pair);
  return false;
}

/** Returns true if pairs are better off together at their present times than at those that they had. */
function gains(board: Board, moved: readonly Left[]): boolean {
  let product = 0;
  let comfort = 0;
  for (const { pair, time } of moved) {
    const { products, comforts } = board.pair(pair);
    const now = at(board.placed, pair);
    product += at(products, now) - at(products, time);
    comfort += at(comforts, now) - at(comforts, time);
  }
  return product > TOLERANCE || (product >= -TOLERANCE && comfort > TOLERANCE);
}
