import type { Weekday } from './types.ts';

/**
 * What somebody wants of one meeting's new time (decisions, Meetings), every part optional; a wish without parts wants
 * nothing. Dates, weekdays and clock times are those of the asker's own zone.
 */
export interface Wish {
  /** The whole meeting lies in [earliest, latest]; epoch ms. */
  earliest?: number | undefined;
  latest?: number | undefined;
  /** The asker's local dates it may be on, YYYY-MM-DD. */
  dates?: string[] | undefined;
  datesUnwanted?: string[] | undefined;
  weekdaysWanted?: Weekday[] | undefined;
  weekdaysUnwanted?: Weekday[] | undefined;
  /** The whole meeting lies in [clockFrom, clockTo]; minutes of the asker's local day, 0 to 1440. */
  clockFrom?: number | undefined;
  clockTo?: number | undefined;
  /** No instant of the meeting lies in [from, to); minutes of the asker's local day. */
  clockUnwanted?: { from: number; to: number } | undefined;
  /** At an earlier or later clock time than it had, whatever the day. */
  relative?: 'earlier' | 'later' | undefined;
  /** By how many minutes, where that was said. */
  shiftMinutes?: number | undefined;
  /** It may lie before its old day: somebody asked for sooner, or named a time before it. */
  sooner?: boolean | undefined;
  /** More time is needed: not before the instant at which it was to start. */
  notBeforeOldStart?: boolean | undefined;
  /** What a time should be near to: the soonest there is, or an instant (a week later: the old start and seven days).
   * Without it, the old time. */
  closeness?: 'soonest' | { near: number } | undefined;
}

/** The parts of a wish that a time can meet or miss. */
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
  | 'relative'
  | 'notBeforeOldStart';
