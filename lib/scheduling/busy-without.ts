import { inOrder, subtract, union } from './intervals.ts';
import type { BusyTimes, Interval } from './types.ts';

/** Busy times less the time of one event, but for what others take of that time too. */
export function busyWithout(busy: BusyTimes, own: Interval | undefined, others: readonly Interval[]): BusyTimes {
  if (own === undefined || own.start >= own.end) return busy;
  const alone = subtract([own.start, own.end], inOrder(others));
  return new Float64Array(subtract(union(inOrder(busy)), alone));
}
