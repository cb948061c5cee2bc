import type { Weekday } from '../types.ts';

/**
 * A person's request for the new time of one meeting, in the form in which the search uses it (schema/DECISIONS.md,
 * "Wishes"). Every part is optional, and without parts it asks for nothing. Dates, weekdays and clock times are in the
 * time zone of the person who asked to move the meeting.
 */
export interface Wish extends WishedBox {
  /**
   * Alternatives to the dates, weekdays and clock times that the person asks for first, such as "or Friday after 2".
   * The person is content with any of them, and they come in order of preference.
   */
  or?: WishedBox[] | undefined;
  /**
   * Hours that the person asks to avoid, each on every day or only on certain days. The meeting must not touch them.
   */
  refused?: RefusedHours[] | undefined;
  /** The dates on which the meeting may not lie, as YYYY-MM-DD, in the time zone of the person who asked to move it. */
  datesUnwanted?: string[] | undefined;
  /** The weekdays on which the meeting should not lie. */
  weekdaysUnwanted?: Weekday[] | undefined;
  /**
   * The hours to avoid on the clock of the person who asked, in minutes of the day. No instant of the meeting lies in
   * [from, to).
   */
  clockUnwanted?: { from: number; to: number } | undefined;
  /**
   * The direction in which the clock time should move: earlier or later than the meeting's old clock time, on any day.
   */
  relative?: 'earlier' | 'later' | undefined;
  /** The number of minutes to move the meeting by, if the person named one. `relative` gives the direction. */
  shiftMinutes?: number | undefined;
  /**
   * True if the new time may lie on a day before the old one, because the person asked for a sooner time or named an
   * earlier one.
   */
  sooner?: boolean | undefined;
  /** True if the person needs more time to prepare. The meeting then starts no earlier than its old start. */
  notBeforeOldStart?: boolean | undefined;
  /**
   * True if the person asks for a break. An uncomfortable time then counts as farther away, because a person who moves
   * a meeting out of a full morning gets no break at 8:15 the next day.
   */
  pause?: boolean | undefined;
  /**
   * True if the person asked for no time. They cannot make the old one, so the new one is among the best from the next
   * day on, near the same hour.
   */
  unasked?: boolean | undefined;
  /**
   * Time to which the new time should be close: the soonest possible, or an instant. For example, "a week later" gives
   * the old start plus seven days. If absent, it is the old time.
   */
  closeness?: 'soonest' | { near: number } | undefined;
}

/**
 * Days and hours that a person asks for, such as "Thursday after 2". Every part is optional, and a time must meet all
 * parts that are set.
 */
export interface WishedBox {
  /** The earliest start that the wish allows, in epoch ms. */
  earliest?: number | undefined;
  /** The latest end that the wish allows, in epoch ms. */
  latest?: number | undefined;
  /**
   * The dates on which the meeting may lie, as YYYY-MM-DD, in the time zone of the person who asked to move the
   * meeting.
   */
  dates?: string[] | undefined;
  /** The weekdays on which the meeting should lie. */
  weekdaysWanted?: Weekday[] | undefined;
  /** The earliest start on the clock of the person who asked, in minutes of the day, 0 to 1440. */
  clockFrom?: number | undefined;
  /** The latest end on the clock of the person who asked, in minutes of the day, 0 to 1440. */
  clockTo?: number | undefined;
  /** True if the person named no hour, as in "not too early", so that Tandem guessed the bound of the clock time. */
  isClockGuessed?: boolean | undefined;
}

/**
 * Hours to avoid on the clock of the person who asked, in minutes of the day, [from, to). They hold on the named dates
 * or weekdays, or on every day.
 */
export interface RefusedHours {
  dates?: string[] | undefined;
  weekdays?: Weekday[] | undefined;
  from: number;
  to: number;
  /**
   * How the person refuses the hours themselves, as in "not before 18:00", which names the hours from then on. The
   * meeting never moves into hours that are refused firmly. Undefined for hours at which something else takes place.
   */
  said?: 'firmly' | 'softly' | undefined;
}

/** Name of one demand in a person's request for a new time, such as the weekday, which a time can meet or miss. */
export type WishPart =
  | 'earliest'
  | 'latest'
  | 'dates'
  | 'datesUnwanted'
  | 'weekdaysWanted'
  | 'weekdaysUnwanted'
  | 'clockFrom'
  | 'clockTo'
  | 'clockUnwanted'
  | 'refused'
  | 'relative'
  | 'notBeforeOldStart';
