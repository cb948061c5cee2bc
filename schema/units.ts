// The lengths of time for schema, which may not import from lib. lib and functions use `lib/engine/time/dates.ts`,
// which has the same numbers.

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
