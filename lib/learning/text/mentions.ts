import type { Calendar } from './calendar.ts';

/** Something a text names that bears on when. Days count from 1970-01-01 and are both inclusive, minutes from midnight. */
export type Mention =
  | {
      kind: 'days';
      first: number;
      last: number;
      /** 0 for Monday to 6 for Sunday: a weekday plainly named, of no week in particular. */
      weekday?: number;
      /** The day of the month it was named by. */
      date?: number;
    }
  | { kind: 'weekdays'; days: number[] }
  /** A point, or hours of the day. */
  | { kind: 'clock'; from: number; to: number; isPoint: boolean }
  /** How much, with no word on its own of which way. */
  | { kind: 'amount'; days: number; minutes: number }
  /** Another clock time than it had, by so many minutes; `isLoose` when they are not said. */
  | { kind: 'relative'; to: 'earlier' | 'later'; minutes?: number; isLoose?: boolean }
  /** A complaint of the hour; `mild` when it is a bit early or late, `bare` without a word of too much. */
  | { kind: 'complaint'; of: 'early' | 'late'; degree: 'too' | 'mild' | 'bare' }
  | { kind: 'more_time' | 'soonest' | 'sooner' | 'other_day' | 'same_time' | 'back_to_back' | 'pause' };

/** What stands before or after a mention and makes it an edge. */
export type Bound = 'after' | 'before' | 'from' | 'until' | 'through' | 'by' | 'between' | 'around' | 'at';

/** A pattern that is tried at the start of a word, and what it names there; undefined when it names nothing after all. */
export interface Reader {
  pattern: RegExp;
  read(match: RegExpExecArray, calendar: Calendar): Found | undefined;
}

export interface Found {
  mention: Mention;
  bound?: Bound;
}

/** A pattern that begins where it is tried and ends where a word ends. */
export const words = (source: string) => new RegExp(`(?:${source.replace(/\s+/g, ' ')})(?= |$)`, 'y');

const NUMBERS = [
  'a',
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

/** An amount in words or digits; a few are three. */
export const AMOUNT = `half an?|half|an?|another|${NUMBERS.slice(1).join('|')}|(?:a )?couple(?: of)?|(?:a )?few(?: more)?|\\d{1,3}`;

/** The number an amount names. */
export function amountOf(text: string): number {
  if (text.startsWith('half')) return 0.5;
  if (text === 'an' || text === 'another') return 1;
  if (text.includes('couple')) return 2;
  if (text.includes('few')) return 3;
  return NUMBERS.includes(text) ? Math.max(1, NUMBERS.indexOf(text)) : Number(text);
}

export const days = (first: number, last = first, bound?: Bound): Found => ({
  mention: { kind: 'days', first, last },
  ...(bound && { bound }),
});
