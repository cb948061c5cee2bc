/** The dates from `first` to `last`, as days since 1970-01-01, both inclusive. A missing end is open. */
export interface DateSpan {
  first?: number | undefined;
  last?: number | undefined;
}

/** A span of the wall clock in minutes since midnight. `to` is not part of it. */
export interface ClockSpan {
  from: number;
  to: number;
}

/**
 * A set of times on the writer's clock: these dates or weekdays, at these hours. A part that is missing does not
 * restrict. Dates and weekdays together mean those weekdays among those dates.
 */
export interface Box {
  dates?: DateSpan[] | undefined;
  /** Weekdays that recur, 0 for Monday to 6 for Sunday. */
  weekdays?: number[] | undefined;
  clock?: ClockSpan | undefined;
}

/** Days and hours that the text asks for: `must` if no other time will do, `rather` if others are possible too. */
export interface Wanted extends Box {
  strength: 'must' | 'rather';
  quote: string;
}

/** Days and hours in which the meeting must not lie. */
export interface Refused extends Box {
  quote: string;
}

/** A change from the meeting's old time. */
export interface Move {
  direction: 'earlier' | 'later';
  /** The part of the time that changes: the clock time, the day, or either of them. */
  what: 'clock' | 'day' | 'time';
  /** The amount of the change: in days if `what` is `day`, otherwise in minutes. */
  by?: number | undefined;
  /** True if the text names the amount, false for "a bit later". */
  exactly?: boolean | undefined;
  quote: string;
}

/** Something that a person says about times in general, and not about one day, one week or one occasion. */
export type Rule = { quote: string } & (
  | {
      kind: 'times';
      verdict: 'never' | 'rather_not' | 'prefer';
      weekdays?: number[] | undefined;
      clock?: ClockSpan | undefined;
    }
  | { kind: 'buffer'; verdict: 'wanted' | 'unwanted'; minutes?: number | undefined }
  | { kind: 'most_per_day'; most: number }
);

/**
 * Everything that was read in one text: the times wanted and refused for this meeting, the move asked for, and what
 * holds in general. Each part has the words that it rests on.
 */
export interface Reading {
  /** The alternatives in order of preference. A time is right if it lies in one of them. */
  wanted: Wanted[];
  refused: Refused[];
  moves: Move[];
  /** `soonest` for as soon as possible, `sooner` for any time before the old one. */
  soon?: { when: 'sooner' | 'soonest'; quote: string } | undefined;
  standing: Rule[];
  /** The words that speak of time and were not understood. */
  unread: string[];
  by: 'model' | 'rules';
}

/** Creates a reading of a text that asks for nothing. */
export const nothingRead = (by: Reading['by']): Reading => ({
  wanted: [],
  refused: [],
  moves: [],
  standing: [],
  unread: [],
  by,
});
