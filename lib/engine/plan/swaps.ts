import type { Board } from './board.ts';
import { enter, type Left, type Looks, TOLERANCE } from './placing.ts';
import { at } from './round.ts';

/** Most times that the swaps of one pair look at. */
const MOST_LOOKS = 2_000;

/**
 * All who make room must find open times and gain together, first in products, then in comforts. No pair of a higher
 * priority gets a worse time. Returns true if it moved.
 */
export function improve(board: Board, pair: number, looks: Looks): boolean {
  const { priority } = board.pair(pair);
  const { limit } = looks;
  looks.limit = Math.min(limit, looks.spent + MOST_LOOKS);
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

/** Returns the times of a pair that are better than the one it had, best first. */
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
    return board.isOpen(first.pair, time);
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
