import type { BusySnapshot } from '../../../schema/busy-snapshots/queries.ts';
import type { Interval } from '../../engine/types.ts';
import { SERVED_FOR_MS } from './timing.ts';

/**
 * Returns a snapshot's busy times, as one flat array of starts and ends, and the time of the read. Returns undefined if
 * the snapshot must not be used: if the calendar has changed since, or if the snapshot is too old or does not cover the
 * whole span. The age limit is lower for a calendar that sends no pushes.
 */
export function servedFrom(snapshot: BusySnapshot | undefined, span: Interval, now: number) {
  if (snapshot === undefined || !snapshot.isCurrent) return undefined;
  const { busy, coversFrom, coversUntil, readAt, isWatched } = snapshot;
  if (readAt === null || coversFrom === null || coversUntil === null) return undefined;
  if (span.start < coversFrom || span.end > coversUntil) return undefined;
  if (now - readAt > (isWatched ? SERVED_FOR_MS.watched : SERVED_FOR_MS.unwatched)) return undefined;
  return { busy: Float64Array.from(busy), readAt };
}
