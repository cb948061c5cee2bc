import type { Weekday } from '../types.ts';

/**
 * Decided in schema/DECISIONS.md, "Wishes". Every part is optional, and without parts it asks for nothing. Dates,
 * weekdays and clock times are in the asker's zone.
 */
export interface Wish extends WishedBox {
  /** These dates, weekdays and hours will do too, in order of preference, such as "or Friday after 2". */
  or?: WishedBox[] | undefined;
  /** The meeting must not touch these hours, every day or on certain days. */
  refused?: RefusedHours[] | undefined;
  datesUnwanted?: string[] | undefined;
  weekdaysUnwanted?: Weekday[] | undefined;
  /** Minutes of the day on the asker's clock, [from, to), that no instant of the meeting touches. */
  clockUnwanted?: { from: number; to: number } | undefined;
  /** Compared with the clock time of the old start, on any day. */
  relative?: 'earlier' | 'later' | undefined;
  /** The number of minutes to move the meeting by, if the person named one. `relative` gives the direction. */
  shiftMinutes?: number | undefined;
  /** The new time may lie on a day before the old one: the person asked for a sooner time or named an earlier one. */
  sooner?: boolean | undefined;
  /** True if the person needs more time to prepare. The meeting then starts no earlier than its old start. */
  notBeforeOldStart?: boolean | undefined;
  /** The person asks for a break, so an uncomfortable time counts as farther away: 8:15 the next day is no break. */
  pause?: boolean | undefined;
  /** True if the person asked for no time. They cannot make the old one, so the next day comes first. */
  unasked?: boolean | undefined;
  /** `near` is an instant, such as the old start plus seven days for "a week later". The old time if absent. */
  closeness?: 'soonest' | { near: number } | undefined;
}

/** Every part is optional, and a time must meet all parts that are set. */
export interface WishedBox {
  /** The earliest start that the wish allows, in epoch ms. */
  earliest?: number | undefined;
  /** The latest end that the wish allows, in epoch ms. */
  latest?: number | undefined;
  /** They are YYYY-MM-DD in the zone of the person who asked. */
  dates?: string[] | undefined;
  weekdaysWanted?: Weekday[] | undefined;
  /** The earliest start on the clock of the person who asked, in minutes of the day, 0 to 1440. */
  clockFrom?: number | undefined;
  /** The latest end on the clock of the person who asked, in minutes of the day, 0 to 1440. */
  clockTo?: number | undefined;
  /** The minute of the day near which the meeting should start, within these hours. */
  clockAim?: number | undefined;
  /** True if the person named no hour, as in "not too early", so that Tandem guessed the bound of the clock time. */
  isClockGuessed?: boolean | undefined;
  /** True if the person said that any hour suits, so that the old one counts for nothing. */
  isAnyHour?: boolean | undefined;
  /** True if it will do only where no time meets those before it. */
  isOtherwise?: boolean | undefined;
}

/** Minutes of the day on the asker's clock, [from, to), on the named dates or weekdays, or on every day. */
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
