// Lengths of time in milliseconds. `schema` may not import from `lib`, so it has these of its own. `lib` and
// `functions` use those in `lib/engine/time/dates.ts`, which have the same values.

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** Instants in epoch milliseconds. */
export type Interval = { start: number; end: number };
