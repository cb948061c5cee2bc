import type { Searched } from '../engine/rules/searched.ts';
import { sayDate } from '../engine/time/dates.ts';
import { say } from './patterns.ts';

/** Says how far a search looked, to stand after "the only time": "through 21 January", "that day". */
export function limitWords(searched: Searched | undefined): string {
  if (searched === undefined) return say('where.range');
  const { first, last, isFromNow } = searched;
  if (first === last) return say('limit.that_day');
  return isFromNow
    ? say('limit.until', { date: dateOf(last) })
    : say('limit.between', { from: dateOf(first), to: dateOf(last) });
}

/** Formats a date without its weekday: "22 January". */
const dateOf = (date: string) => sayDate(date).split(', ')[1] ?? date;
