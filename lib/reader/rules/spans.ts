import { DAY_MINUTES, mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, DateSpan } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import type { Bound } from '../text/mentions.ts';
import type { Item, Marked } from './scan.ts';

const ABOUT = 30;

export const EVENING = 17 * 60;

/** Returns true if the times that a person asks for or refuses have days, and not only hours. */
export const hasDays = ({ dates, weekdays }: Box): boolean => dates !== undefined || weekdays !== undefined;

/** Puts the hour of "tomorrow evening after 7" into the evening. */
export function inEvening({ text, bound }: Item, { from, to }: ClockSpan): ClockSpan {
  const isLate = from > 0 && from < 12 * 60 && !/am|morning/.test(text);
  if (!isLate) return { from, to };
  return { from: from + 12 * 60, to: bound === 'after' || bound === 'from' ? to : to + 12 * 60 };
}

/** Returns the days that a mention names together with its limit word: "after Friday" begins on the day after. */
export function spanOf({ first, last }: { first: number; last: number }, bound: Bound | undefined): DateSpan {
  switch (bound) {
    case 'after':
      return { first: last + 1 };
    case 'from':
      return { first };
    case 'before':
      return { last: first - 1 };
    case 'until':
    case 'through':
    case 'by':
      return { last };
    default:
      return { first, last };
  }
}

/**
 * Returns the hours that a mention of a clock time names. For "the same time", these are the meeting's present hours.
 */
export function clockOf({ mention, bound }: Marked, { oldMinute, durationMinutes }: Calendar): ClockSpan | undefined {
  if (mention.kind === 'same_time') return { from: oldMinute, to: oldMinute + durationMinutes };
  if (mention.kind !== 'clock') return undefined;
  const { from, to, isPoint } = mention;
  switch (bound) {
    case 'after':
      return { from: to, to: DAY_MINUTES };
    case 'from':
      return { from, to: DAY_MINUTES };
    case 'before':
    case 'until':
      return { from: 0, to: from === 0 ? to : from };
    case 'through':
    case 'by':
      return { from: 0, to };
    case 'around':
      return isPoint ? { from: from - ABOUT, to: from + durationMinutes + ABOUT } : { from, to };
    default:
      return { from, to: isPoint ? from + durationMinutes : to };
  }
}

/** Returns the days that lie in both of two spans of days. */
export const both = (a: DateSpan, b: DateSpan): DateSpan => ({
  first: a.first === undefined ? b.first : b.first === undefined ? a.first : Math.max(a.first, b.first),
  last: a.last === undefined ? b.last : b.last === undefined ? a.last : Math.min(a.last, b.last),
});

/** Moves a span of days into the week of a day, to the same weekdays. */
export function inWeek(span: DateSpan, day: number): DateSpan {
  const first = mondayOf(day) + weekdayIndex(span.first ?? day);
  return { first, last: first + (span.last ?? 0) - (span.first ?? span.last ?? 0) };
}

/** Returns the spans without the days of another span. A span is split in two if the other one lies within it. */
export function withoutDays(spans: readonly DateSpan[], { first = -1e9, last = 1e9 }: DateSpan): DateSpan[] {
  return spans.flatMap((span) => {
    const [from, to] = [span.first ?? -1e9, span.last ?? 1e9];
    if (last < from || to < first) return [span];
    return [
      ...(from < first ? [{ first: span.first, last: first - 1 }] : []),
      ...(last < to ? [{ first: last + 1, last: span.last }] : []),
    ];
  });
}
