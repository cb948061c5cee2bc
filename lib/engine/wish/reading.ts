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

/** Times that a text names, on the writer's clock. A missing part does not restrict. Dates with weekdays mean both. */
export interface Box {
  dates?: DateSpan[] | undefined;
  /** Weekdays of any week, 0 for Monday to 6 for Sunday. */
  weekdays?: number[] | undefined;
  clock?: ClockSpan | undefined;
}

/** Days and hours that the text asks for: `must` if no other time will do, `rather` if others are possible too. */
export interface Wanted extends Box {
  strength: 'must' | 'rather';
  /** The minute of the day near which the meeting should start, for "around 4". */
  aim?: number | undefined;
  /** It will do only if nothing that was asked for before it is free, as in "or else Monday". */
  isOtherwise?: boolean | undefined;
  quote: string;
}

/** Days and hours in which the meeting must not lie. */
export interface Refused extends Box {
  /** How the words refuse the times themselves. Undefined if they only name what takes place then. */
  said?: 'firmly' | 'softly' | undefined;
  quote: string;
}

/** Part of a text that asks to move a meeting relative to its old time, such as "an hour later". */
export interface Move {
  direction: 'earlier' | 'later';
  /** Part of the meeting's time that a text asks to change: the clock time, the day, or either of them. */
  what: 'clock' | 'day' | 'time';
  /** The amount by which to move: in days if `what` is `day`, otherwise in minutes. */
  by?: number | undefined;
  /** True if the text says by how much the meeting should move, false for "a bit later". */
  exactly?: boolean | undefined;
  quote: string;
}

export type Rule = {
  quote: string;
  /** The kinds of meeting that the rule is for, if not for all. */
  contexts?: readonly string[] | undefined;
} & (
  | {
      kind: 'times';
      verdict: 'never' | 'rather_not' | 'prefer';
      weekdays?: number[] | undefined;
      clock?: ClockSpan | undefined;
      /** The dates on which the rule holds, if not on all. */
      dates?: DateSpan | undefined;
    }
  | { kind: 'buffer'; verdict: 'wanted' | 'unwanted'; minutes?: number | undefined }
  | { kind: 'most_per_day'; most: number }
);

/** Each part quotes the words it was read from. */
export interface Reading {
  /** Alternatives in order of preference. A new time in one of them meets the request. */
  wanted: Wanted[];
  refused: Refused[];
  moves: Move[];
  /** `soonest` if the text asks for the soonest time, `sooner` if any time before the old one will do. */
  soon?: { when: 'sooner' | 'soonest'; quote: string } | undefined;
  standing: Rule[];
  /** Words that ask to cancel the meeting, and not to move it. */
  cancels?: string | undefined;
  /** Words that ask for another length of the meeting, which a reschedule keeps. */
  length?: string | undefined;
  /** The words about times that the reader did not understand. */
  unread: string[];
  by: 'model' | 'rules';
}

export const nothingRead = (by: Reading['by']): Reading => ({
  wanted: [],
  refused: [],
  moves: [],
  standing: [],
  unread: [],
  by,
});
