import { type Board, UNPLACED } from './board.ts';
import { enter, type Looks } from './placing.ts';
import { at } from './round.ts';

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
