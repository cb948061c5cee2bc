import { Board } from '../../lib/engine/plan/board.ts';
import { Placing } from '../../lib/engine/plan/placing.ts';
import { plannedOf, startPlan } from '../../lib/engine/plan/plan.ts';
import type { OpenTime, PlannedPair } from '../../lib/engine/plan/round.ts';

/**
 * Places pair by pair, as a platform does that calls `POST /v1/schedule/auto` for one after another: each takes the best
 * time that is left, and the earliest of equals.
 */
export function pairByPair(pairs: readonly PlannedPair[], atOnce = Number.POSITIVE_INFINITY): Map<string, OpenTime> {
  const placed = new Map<string, OpenTime>();
  const taken = new Map<string, OpenTime[]>();
  for (const { reference, people, open } of pairs) {
    const isFree = ({ start, end }: OpenTime) =>
      people.every((person) => !taken.get(person)?.some((other) => other.start < end && start < other.end)) &&
      [...placed.values()].filter((other) => other.start < end && start < other.end).length < atOnce;
    const [best] = open.filter(isFree).sort(bestFirst);
    if (best === undefined) continue;
    placed.set(reference, best);
    for (const person of people) taken.set(person, [...(taken.get(person) ?? []), best]);
  }
  return placed;
}

/** Returns how many pairs find times scarcest first with least harm, before any chain. */
export function withoutChains(pairs: readonly PlannedPair[], atOnce?: number): number {
  const { round, progress, done } = startPlan(pairs, { atOnce });
  const board = new Board(round, progress.placed);
  const placing = new Placing(board, 0, { spent: 0, limit: Number.POSITIVE_INFINITY });
  while (placing.placeNext());
  return plannedOf({ round, progress: { ...progress, placed: board.placed }, done }).placed.size;
}

function bestFirst(a: OpenTime, b: OpenTime): number {
  return b.product - a.product || b.comfort - a.comfort || a.start - b.start;
}
