import { DAY, MINUTE, weekdayIndex } from './dates.ts';
import { append, edgeAt } from './intervals.ts';
import type { Interval } from './types.ts';
import type { Week } from './week.ts';
import { offsetSpans } from './zone.ts';

/** Local calendar days since 1970-01-01, both inclusive. */
export interface Days {
  first: number;
  last: number;
}

/** Every day that any zone's clocks show during the span. */
export function daysAround(span: Interval): Days {
  return { first: Math.floor(span.start / DAY) - 1, last: Math.floor(span.end / DAY) + 1 };
}

/** Every day that some zone's clocks show while another's show the given days. */
export function daysElsewhere({ first, last }: Days): Days {
  return { first: first - 2, last: last + 2 };
}

const NO_DAYS: ReadonlySet<number> = new Set();

/** The instants at which the zone's clocks show a minute of `week` on one of `days`, but not on a day of `except`. */
export function wallInstants(timeZone: string, days: Days, week: Week, except = NO_DAYS): number[] {
  const edges: number[] = [];
  for (const span of offsetSpans(timeZone, (days.first - 1) * DAY, (days.last + 2) * DAY)) {
    const first = Math.max(days.first, Math.floor((span.start + span.offset) / DAY));
    const last = Math.min(days.last, Math.floor((span.end + span.offset - 1) / DAY));
    for (let day = first; day <= last; day++) {
      if (except.has(day)) continue;
      const minutes = week[weekdayIndex(day)] ?? [];
      const midnight = day * DAY - span.offset;
      for (let i = 0; i < minutes.length; i += 2) {
        const start = midnight + edgeAt(minutes, i) * MINUTE;
        const end = midnight + edgeAt(minutes, i + 1) * MINUTE;
        append(edges, Math.max(start, span.start), Math.min(end, span.end));
      }
    }
  }
  return edges;
}
