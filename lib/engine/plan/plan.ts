import { Board, UNPLACED } from './board.ts';
import { placeByChain, placeByExchange } from './chains.ts';
import { type Looks, Placing } from './placing.ts';
import { at, type OpenTime, openTimeAt, type PlannedPair, type Round, type RoundLimits, roundOf } from './round.ts';
import { improve } from './swaps.ts';

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

/** Result of planning a round of meetings: the time of each pair of people, and the pairs that got none. */
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

export function planRound(pairs: readonly PlannedPair[], limits: RoundLimits): Planned {
  let state = startPlan(pairs, limits);
  while (!state.done) state = planSlice(state, Number.POSITIVE_INFINITY);
  return plannedOf(state);
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
