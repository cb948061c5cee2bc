import { type Band, type LocalDay, placeOnDays } from '../../../lib/engine/explain/week-bands.ts';
import type { Interval } from '../../../lib/engine/types.ts';

/** One line on every day, such as one person's calendar, with the clock that its times are in. */
export interface WeekLane {
  /** Short name of one line of the week drawing, such as a person's name, shown beside every day. */
  name: string;
  timeZone: string;
  /** There is one list for each day of the week. */
  bands: readonly (readonly Band[])[];
  /** Its clock's hours are shown there. Undefined if it shows none. */
  ruler?: 'above' | 'below';
}

/** The text beside the drawing explains its digit or letter. */
export interface WeekMark {
  /** Day on which the mark stands, by its position in the drawn week: 0 for the first day. */
  day: number;
  /** Start of the marked time, in minutes from the start of the day. */
  from: number;
  /** End of the marked time, in minutes from the start of the day. */
  to: number;
  /** The search picked it, the person asked about it or is asked, or something in one person's lane rules it out. */
  kind: 'pick' | 'asked' | 'offered' | 'against';
  lane?: number;
  /** Digit or letter that refers to the text beside the drawing. Empty for a mark without one. */
  sign: string;
  title: string;
}

/** Marks a time on each of the days on which it lies. */
export const marksOn = (
  days: readonly LocalDay[],
  span: Interval,
  what: Omit<WeekMark, 'day' | 'from' | 'to'>,
): WeekMark[] =>
  placeOnDays(span, days).flatMap((place, day) => (place === undefined ? [] : [{ day, ...place, ...what }]));
