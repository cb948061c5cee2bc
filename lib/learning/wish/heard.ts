/** What a text asks of a new time, in days since 1970-01-01 and minutes of the asker's day, before it becomes a wish. */
export interface Heard {
  days: { first: number; last: number; isNamed?: boolean }[];
  daysUnwanted: { first: number; last: number }[];
  /** 0 for Monday to 6 for Sunday. */
  weekdays: number[];
  weekdaysUnwanted: number[];
  firstDay: number | undefined;
  lastDay: number | undefined;
  clockFrom: number;
  clockTo: number;
  clocks: { from: number; to: number; isOfOneDay?: boolean }[];
  clocksUnwanted: { from: number; to: number }[];
  relative: 'earlier' | 'later' | undefined;
  /** By how many minutes. */
  by: number | undefined;
  soon: 'sooner' | 'soonest' | undefined;
  moreTime: boolean;
}

export const nothingHeard = (): Heard => ({
  days: [],
  daysUnwanted: [],
  weekdays: [],
  weekdaysUnwanted: [],
  firstDay: undefined,
  lastDay: undefined,
  clockFrom: 0,
  clockTo: 24 * 60,
  clocks: [],
  clocksUnwanted: [],
  relative: undefined,
  by: undefined,
  soon: undefined,
  moreTime: false,
});
