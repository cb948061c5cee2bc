import type { BusySnapshot } from '../../../schema/busy-snapshots/queries.ts';
import type { Interval } from '../../scheduling/types.ts';
import { SERVED_FOR_MS } from './timing.ts';

/**
 * The busy times of a snapshot that may be served for this span, packed, with when they were read: nothing is known to have changed
 * since, the span was read whole, and it is young, the younger the less would tell of a change. Undefined otherwise.
 */
export function servedFrom(snapshot: BusySnapshot | undefined, span: Interval, now: number) {
  if (snapshot === undefined || !snapshot.isCurrent) return undefined;
  const { busy, coversFrom, coversUntil, readAt, isWatched } = snapshot;
  if (readAt === null || coversFrom === null || coversUntil === null) return undefined;
  if (span.start < coversFrom || span.end > coversUntil) return undefined;
  if (now - readAt > (isWatched ? SERVED_FOR_MS.watched : SERVED_FOR_MS.unwatched)) return undefined;
  return { busy: Float64Array.from(busy), readAt };
}
