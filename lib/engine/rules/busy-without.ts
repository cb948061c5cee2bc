import { inOrder, subtract, union } from '../time/intervals.ts';
import type { BusyTimes, Interval } from '../types.ts';

/** Removes one event's span from a person's busy times, but keeps the parts of it that other events cover too. */
export function busyWithout(busy: BusyTimes, own: Interval | undefined, others: readonly Interval[]): BusyTimes {
  if (own === undefined || own.start >= own.end) return busy;
  const alone = subtract([own.start, own.end], inOrder(others));
  return new Float64Array(subtract(union(inOrder(busy)), alone));
}
