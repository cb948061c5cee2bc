import type { Interval, RuleBlock, WorkHours } from '../types.ts';
import { DAY, DAY_MINUTES, MINUTE, parseMinute, WEEKDAYS, weekdayIndex } from './dates.ts';
import { append, type Edges, inOrder, subtract, toIntervals, union } from './intervals.ts';
import { offsetSpans } from './zone.ts';

/** Each weekday, Monday first, has one flat array of minutes: start, end, start, end …. */
export type Week = readonly Edges[];

export const WHOLE_WEEK: Week = WEEKDAYS.map(() => [0, DAY_MINUTES]);

export function openWeek(work: Week, kept: readonly RuleBlock[]): Week {
  if (kept.length === 0) return work;
  const focus = focusWeek(kept.filter(({ dates }) => dates === undefined));
  return work.map((minutes, day) => subtract(minutes, focus[day] ?? []));
}

export function workWeek(workHours: WorkHours): Week {
  return WEEKDAYS.map((day) => {
    const { enabled, start, end } = workHours[day];
    return enabled ? [parseMinute(start), parseMinute(end)] : [];
  });
}

export const isWorkday = ({ workHours }: { workHours: WorkHours }, day: number): boolean =>
  workHours[WEEKDAYS[weekdayIndex(day)] ?? 'monday'].enabled;

export function focusWeek(kept: readonly RuleBlock[]): Week {
  const byDay = Map.groupBy(kept, ({ day }) => day);
  return WEEKDAYS.map((weekday) => {
    const blocks = byDay.get(weekday) ?? [];
    return union(inOrder(blocks.map(({ start, end }) => ({ start: parseMinute(start), end: parseMinute(end) }))));
  });
}

/** A range of local calendar days, counted from 1970-01-01, both ends inclusive. */
export interface Days {
  first: number;
  last: number;
}

/** Returns every calendar day that the clocks of any zone show during the span. */
export function daysAround(span: Interval): Days {
  return { first: Math.floor(span.start / DAY) - 1, last: Math.floor(span.end / DAY) + 1 };
}

/** Two clocks in the world differ by at most 26 hours. */
export function daysElsewhere({ first, last }: Days): Days {
  return { first: first - 2, last: last + 2 };
}

/** Days, counted from 1970-01-01, in a set or as the keys of a map. */
export type SomeDays = Pick<ReadonlySet<number>, 'has'>;

export const NO_DAYS: ReadonlySet<number> = new Set();

/** Leaves out the days in `except`. */
export function wallInstants(timeZone: string, days: Days, week: Week, except: SomeDays = NO_DAYS): number[] {
  const edges: number[] = [];
  for (const span of offsetSpans(timeZone, (days.first - 1) * DAY, (days.last + 2) * DAY)) {
    const first = Math.max(days.first, Math.floor((span.start + span.offset) / DAY));
    const last = Math.min(days.last, Math.floor((span.end + span.offset - 1) / DAY));
    for (let day = first; day <= last; day++) {
      if (except.has(day)) continue;
      const minutes = week[weekdayIndex(day)] ?? [];
      const midnight = day * DAY - span.offset;
      for (let i = 0; i < minutes.length; i += 2) {
        const start = midnight + (minutes[i] as number) * MINUTE;
        const end = midnight + (minutes[i + 1] as number) * MINUTE;
        append(edges, Math.max(start, span.start), Math.min(end, span.end));
      }
    }
  }
  return edges;
}

/** Blocks that hold on some dates alone are left out on the others. */
export function blockInstants(timeZone: string, days: Days, blocks: readonly RuleBlock[]): Edges {
  const dated = blocks.filter(isDated);
  const weekly = wallInstants(timeZone, days, focusWeek(blocks.filter((one) => !isDated(one))));
  if (dated.length === 0) return weekly;
  const spans = dated.flatMap((block) => {
    const { first = days.first, last = days.last } = block.dates ?? {};
    const held = { first: Math.max(first, days.first), last: Math.min(last, days.last) };
    return toIntervals(wallInstants(timeZone, held, focusWeek([block])));
  });
  return union(inOrder([...toIntervals(weekly), ...spans]));
}

export const isDated = ({ dates }: RuleBlock): boolean => dates !== undefined;
