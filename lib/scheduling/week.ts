import { parseMinute, WEEKDAYS } from './dates.ts';
import { type Edges, inOrder, subtract, union } from './intervals.ts';
import type { FocusBlock, WorkHours } from './types.ts';

/** Minutes of the wall clock's day, as edges, for Monday to Sunday. */
export type Week = readonly Edges[];

/** Every minute of every day. */
export const WHOLE_WEEK: Week = WEEKDAYS.map(() => [0, 24 * 60]);

/** Every weekday's work hours, without the focus blocks. */
export function openWeek(workHours: WorkHours, focusBlocks: readonly FocusBlock[]): Week {
  const work = workWeek(workHours);
  if (focusBlocks.length === 0) return work;
  const focus = focusWeek(focusBlocks);
  return work.map((minutes, day) => subtract(minutes, focus[day] ?? []));
}

/** Every weekday's work hours. */
export function workWeek(workHours: WorkHours): Week {
  return WEEKDAYS.map((day) => {
    const { enabled, start, end } = workHours[day];
    return enabled ? [parseMinute(start), parseMinute(end)] : [];
  });
}

/** Every weekday's focus blocks, overlapping ones joined. */
export function focusWeek(focusBlocks: readonly FocusBlock[]): Week {
  return WEEKDAYS.map((weekday) => {
    const blocks = focusBlocks.filter(({ day }) => day === weekday);
    return union(inOrder(blocks.map(({ start, end }) => ({ start: parseMinute(start), end: parseMinute(end) }))));
  });
}
