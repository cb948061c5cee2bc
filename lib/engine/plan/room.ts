import type { Board } from './board.ts';

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
 * until `next` returns true. Otherwise everything is put back, and the result is false.
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
