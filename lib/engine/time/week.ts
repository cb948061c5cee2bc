import type { RuleBlock, WorkHours } from '../types.ts';
import { DAY_MINUTES, parseMinute, WEEKDAYS, weekdayIndex } from './dates.ts';
import { type Edges, inOrder, subtract, union } from './intervals.ts';

/** Each weekday, Monday first, has one flat array of minutes: start, end, start, end …. */
export type Week = readonly Edges[];

export const WHOLE_WEEK: Week = WEEKDAYS.map(() => [0, DAY_MINUTES]);

/** Returns every weekday's work hours, given in wall-clock minutes, without the blocks that hold in each week. */
export function openWeek(work: Week, kept: readonly RuleBlock[]): Week {
  if (kept.length === 0) return work;
  const focus = focusWeek(kept.filter(({ dates }) => dates === undefined));
  return work.map((minutes, day) => subtract(minutes, focus[day] ?? []));
}

/** Returns every weekday's work hours in wall-clock minutes. A day off has none. */
export function workWeek(workHours: WorkHours): Week {
  return WEEKDAYS.map((day) => {
    const { enabled, start, end } = workHours[day];
    return enabled ? [parseMinute(start), parseMinute(end)] : [];
  });
}

/** Returns true if a person works on the weekday of a day, counted from 1970-01-01. */
export const isWorkday = ({ workHours }: { workHours: WorkHours }, day: number): boolean =>
  workHours[WEEKDAYS[weekdayIndex(day)] ?? 'monday'].enabled;

export function focusWeek(kept: readonly RuleBlock[]): Week {
  const byDay = Map.groupBy(kept, ({ day }) => day);
  return WEEKDAYS.map((weekday) => {
    const blocks = byDay.get(weekday) ?? [];
    return union(inOrder(blocks.map(({ start, end }) => ({ start: parseMinute(start), end: parseMinute(end) }))));
  });
}
