// `lib/engine/time/dates.ts` has the same for lib and functions, which schema may not import.

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
