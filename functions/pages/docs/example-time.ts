import { DAY, formatDate, mondayOf } from '../../../lib/engine/time/dates.ts';

/**
 * Returns the date that the examples use, YYYY-MM-DD: the Tuesday of next week, so that an example that somebody copies
 * is in the future.
 */
export const exampleDate = (now: number): string => formatDate(mondayOf(Math.floor(now / DAY)) + 8);
