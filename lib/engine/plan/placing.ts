import { type Board, UNPLACED } from './board.ts';
import { at } from './round.ts';

/** Number of open times from which on a pair can lose one without harm, because enough others are left. */
const SPARE = 4;
/** Number of looks as which one look at a waiting neighbor counts, because all its open times are searched. */
const LOOKS_A_NEIGHBOR = 4;
/** The largest difference at which two products, two comforts or two harms count as equal. */
export const TOLERANCE = 1e-9;

/** Places the pair with the fewest open times first, and keeps track of which times are still open. */
export class Placing {
  private readonly board: Board;
  private readonly looks: Looks;
  private readonly waiting = new Set<number>();
  /** The times that are still open for each pair of people without a time. */
  private readonly open: (readonly number[])[] = [];
  /** For each person, the number of their pairs without a time. */
  private readonly waitingOf: Int32Array;

  constructor(board: Board, priority: number, looks: Looks) {
    this.board = board;
    this.looks = looks;
    this.waitingOf = new Int32Array(board.round.people.length);
    board.round.pairs.forEach((pair, index) => {
      const isAsked = pair.priority === priority && at(board.placed, index) === UNPLACED;
      const open = isAsked ? board.openTimes(index) : [];
      this.open.push(open);
      if (open.length > 0) this.setWaiting(index, true);
    });
  }

  /** Chooses a time for the pair that has the fewest open times. Returns false if no pair has an open time. */
  placeNext(): boolean {
    const next = this.scarcest();
    if (next === undefined) return false;
    this.board.put(next, this.bestTime(next));
    this.setWaiting(next, false);
    const neighbors = this.neighbors(next);
    this.looks.spent += LOOKS_A_NEIGHBOR * neighbors.length;
    for (const other of neighbors) {
      const open = this.board.openBeside(next, other, at(this.open, other));
      this.open[other] = open;
      if (open.length === 0) this.setWaiting(other, false);
    }
    return true;
  }

  private setWaiting(pair: number, isWaiting: boolean): void {
    if (isWaiting) this.waiting.add(pair);
    else this.waiting.delete(pair);
    for (const person of this.board.pair(pair).people)
      this.waitingOf[person] = at(this.waitingOf, person) + (isWaiting ? 1 : -1);
  }

  /** Among equals, the pair whose two people wait for the most other meetings comes first. */
  private scarcest(): number | undefined {
    let best: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    let busiest = 0;
    for (const pair of this.waiting) {
      const count = at(this.open, pair).length;
      if (count > fewest) continue;
      const [one, other] = this.board.pair(pair).people;
      const busy = at(this.waitingOf, one) + at(this.waitingOf, other);
      if (count === fewest && busy <= busiest) continue;
      [best, fewest, busiest] = [pair, count, busy];
    }
    return best;
  }

  /** Returns the waiting pairs that a pair can be in the way of. */
  private neighbors(pair: number): number[] {
    const { board, waiting } = this;
    const [one, other] = board.pair(pair).people;
    const found = at(board.pairsOf, one).filter((near) => near !== pair && waiting.has(near));
    // A pair of the same two people is in both lists.
    for (const near of at(board.pairsOf, other))
      if (waiting.has(near) && !board.pair(near).people.includes(one)) found.push(near);
    return found;
  }

  /** Takes the time that closes the fewest of other pairs' times, then the best product, then the best comfort. */
  private bestTime(pair: number): number {
    const { products, comforts } = this.board.pair(pair);
    const neighbors = this.neighbors(pair).filter((other) => at(this.open, other).length < SPARE);
    this.looks.spent += neighbors.length * at(this.open, pair).length;
    const times = at(this.open, pair).map((time) => ({
      time,
      harm: this.harm(pair, time, neighbors),
      product: at(products, time),
      comfort: at(comforts, time),
    }));
    return times.reduce((best, time) => {
      const gap = gapOf(best.harm, time.harm) || gapOf(time.product, best.product) || gapOf(time.comfort, best.comfort);
      return gap > 0 ? time : best;
    }).time;
  }

  /** Adds up the shares of other pairs' open times, each from 0 to 1, that the time closes. */
  private harm(pair: number, time: number, neighbors: readonly number[]): number {
    const { board } = this;
    board.put(pair, time);
    let harm = 0;
    for (const other of neighbors) {
      const open = at(this.open, other);
      harm += 1 - board.openBeside(pair, other, open).length / open.length;
    }
    board.take(pair);
    return harm;
  }
}

function gapOf(a: number, b: number): number {
  return Math.abs(a - b) <= TOLERANCE ? 0 : a - b;
}

/** Pair of people that gave up its time in the plan, so that another pair can have one. */
export interface Left {
  pair: number;
  time: number;
}

/** Counter of the times that a search for room in the plan has looked at. The search gives up beyond the limit. */
export interface Looks {
  spent: number;
  limit: number;
}

/**
 * Takes one of an unplaced pair's times after all in its way have left, and calls `next` with those. Tries each way
 * until `next` returns true. Otherwise puts everything back and returns false.
 */
export function enter(
  board: Board,
  { pair, time }: Left,
  looks: Looks,
  mayLeave: (other: number) => boolean,
  next: (left: readonly Left[]) => boolean,
  left: readonly Left[] = [],
): boolean {
  if (++looks.spent > looks.limit) return false;
  const obstacle = board.obstacle(pair, time);
  if (obstacle === undefined) {
    board.put(pair, time);
    if (next(left)) return true;
    board.take(pair);
    return false;
  }
  return obstacle.some((other) => {
    if (!mayLeave(other)) return false;
    const before = board.take(other);
    if (enter(board, { pair, time }, looks, mayLeave, next, [...left, { pair: other, time: before }])) return true;
    board.put(other, before);
    return false;
  });
}
