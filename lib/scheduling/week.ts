import { parseMinute, WEEKDAYS } from './dates.ts';
import { type Edges, subtract, union } from './intervals.ts';
import type { FocusBlock, WorkHours } from './types.ts';

/** Minutes of the wall clock's day, as edges, for Monday to Sunday. */
export type Week = readonly Edges[];

/** Every minute of every day. */
export const WHOLE_WEEK: Week = WEEKDAYS.map(() => [0, 24 * 60]);

/** Every weekday's work hours. */
export function workWeek(workHours: WorkHours): Week {
  return WEEKDAYS.map((day) => {
    const { enabled, start, end } = workHours[day];
    return enabled ? union([{ start: parseMinute(start), end: parseMinute(end) }]) : [];
  });
}

/** Every weekday's focus blocks, overlapping ones joined. */
export function focusWeek(focusBlocks: readonly FocusBlock[]): Week {
  return WEEKDAYS.map((day) =>
    union(
      focusBlocks
        .filter((block) => block.day === day)
        .map((block) => ({ start: parseMinute(block.start), end: parseMinute(block.end) })),
    ),
  );
}

/** Every weekday's minutes of `week` outside `taken`. */
export function withoutWeek(week: Week, taken: Week): Week {
  return week.map((minutes, day) => subtract(minutes, taken[day] ?? []));
}
