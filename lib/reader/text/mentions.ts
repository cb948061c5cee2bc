import type { Calendar } from './calendar.ts';

/**
 * A part of a text that says something about the meeting's time, such as a day, clock time or complaint. Days count
 * from 1970-01-01 and both ends are inclusive. Minutes count from midnight.
 */
export type Mention =
  | {
      kind: 'days';
      first: number;
      last: number;
      /** The weekday, 0 for Monday to 6 for Sunday, set if the text names it without a week. */
      weekday?: number;
      /** True for days from one weekday to another that the text names without a week: "Monday to Wednesday". */
      isSpan?: boolean;
      /** The day of the month, set if the text names the day by it. */
      date?: number;
    }
  | { kind: 'weekdays'; days: number[] }
  /** A point of the day or a span of hours, in minutes since midnight. */
  | { kind: 'clock'; from: number; to: number; isPoint: boolean }
  /** An amount of time, such as "two days", that says no direction by itself. */
  | { kind: 'amount'; days: number; minutes: number }
  /**
   * A request for a clock time earlier or later than the old one, by `minutes` if known. `isLoose` is true for "a bit
   * later", where `minutes` is our guess.
   */
  | { kind: 'relative'; to: 'earlier' | 'later'; minutes?: number; isLoose?: boolean }
  /**
   * A complaint that the meeting is early or late in the day. It is `mild` for "a bit early", and `bare` for "early"
   * without a word such as "too".
   */
  | { kind: 'complaint'; of: 'early' | 'late'; degree: 'too' | 'mild' | 'bare' }
  /** Words for a time that people understand in different ways, such as "the Friday after next". */
  | { kind: 'unclear' }
  | { kind: 'more_time' | 'soonest' | 'sooner' | 'other_day' | 'same_time' | 'back_to_back' | 'pause' };

/** A word next to a day or clock time that makes it a limit for the meeting, as in "after 3pm" or "by Friday". */
export type Bound = 'after' | 'before' | 'from' | 'until' | 'through' | 'by' | 'between' | 'around' | 'at';

/**
 * A pattern that is tried at the start of each word, and a function that turns its match into a mention, such as a day
 * or an hour. The function returns undefined if the match means nothing after all.
 */
export interface Reader {
  pattern: RegExp;
  read(match: RegExpExecArray, calendar: Calendar): Found | undefined;
}

export interface Found {
  mention: Mention;
  bound?: Bound;
}

/**
 * Compiles a regular expression source to a sticky pattern, which must match from the current position to the end of a
 * word.
 */
export const words = (source: string) => anyOf([source]);

/** Compiles several sources to one sticky pattern, which matches what the first of them that fits does. */
export const anyOf = (sources: readonly string[]) =>
  new RegExp(sources.map((source) => `(?:${source.replace(/\s+/g, ' ')})(?= |$)`).join('|'), 'y');

export const NUMBER_NAMES = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const NUMBERS = ['a', ...NUMBER_NAMES];

/** A pattern for an amount in words or digits, such as "two" or "a few". */
export const AMOUNT = `(?:another )?half an?|(?:another )?half|an?(?: extra)?|another|${NUMBER_NAMES.join('|')}|(?:a )?couple(?: of)?|(?:a )?few(?: more)?|\\d{1,3}`;

/** Returns the number that an amount names. "A few" counts as three, "a couple" as two and "half" as 0.5. */
export function amountOf(text: string): number {
  if (/half/.test(text)) return 0.5;
  if (/^(?:an|another|an? extra)$/.test(text)) return 1;
  if (text.includes('couple')) return 2;
  if (text.includes('few')) return 3;
  return NUMBERS.includes(text) ? Math.max(1, NUMBERS.indexOf(text)) : Number(text);
}

export const days = (first: number, last = first, bound?: Bound): Found => ({
  mention: { kind: 'days', first, last },
  ...(bound && { bound }),
});

export const NOON = 12 * 60;

/**
 * Builds the mention of one clock time, such as "3pm", from its minutes since midnight. Returns undefined without them.
 */
export function point(minute: number | undefined, bound?: Bound): Found | undefined {
  if (minute === undefined) return undefined;
  return { mention: { kind: 'clock', from: minute, to: minute, isPoint: true }, ...(bound && { bound }) };
}

/**
 * Builds the mention of the hours between two clock times, such as "2 to 4pm". Returns undefined if one of them is
 * missing or they are not in order.
 */
export function span(from: number | undefined, to: number | undefined): Found | undefined {
  if (from === undefined || to === undefined || from >= to) return undefined;
  return { mention: { kind: 'clock', from, to, isPoint: false } };
}
