import type { BusySnapshot } from '../../../schema/access/busy-snapshots.ts';
import { cut } from '../../engine/time/intervals.ts';
import type { Interval } from '../../engine/types.ts';
import { SERVED_FOR_MS } from './timing.ts';

/**
 * Returns undefined if stored busy times must not be used: the calendar has changed since, or they are too old (sooner
 * so without pushes) or do not cover the span.
 */
export function servedFrom(snapshot: BusySnapshot | undefined, span: Interval, now: number) {
  if (snapshot === undefined || !snapshot.isCurrent) return undefined;
  const { busy, coversFrom, coversUntil, readAt, isWatched } = snapshot;
  if (readAt === null || coversFrom === null || coversUntil === null) return undefined;
  if (span.start < coversFrom || span.end > coversUntil) return undefined;
  if (now - readAt > (isWatched ? SERVED_FOR_MS.watched : SERVED_FOR_MS.unwatched)) return undefined;
  return { busy: Float64Array.from(cut(busy, span.start, span.end)), readAt };
}
