import type { Band } from '../../../lib/engine/explain/week-bands.ts';

/**
 * A lane of the week drawing: one line on every day, such as one person's calendar, with the clock that its times are
 * in.
 */
export interface WeekLane {
  /** Short name of one line of the week drawing, such as a person's name, shown beside every day. */
  name: string;
  timeZone: string;
  /**
   * Bands, such as work hours or busy times, in one line of the week drawing. It has one list for each day of the week.
   */
  bands: readonly (readonly Band[])[];
  /**
   * Position, above or below the line of the drawing, at which its clock's hours are shown. Undefined if it shows no
   * hours.
   */
  ruler?: 'above' | 'below';
}

/**
 * A mark in the drawing of a week: a time on one day with a digit or letter, which the text beside the drawing
 * explains.
 */
export interface WeekMark {
  /** Day on which the mark stands, by its position in the drawn week: 0 for the first day. */
  day: number;
  /** Start of the marked time, in minutes from the start of the day. */
  from: number;
  /** End of the marked time, in minutes from the start of the day. */
  to: number;
  /**
   * Kind of mark: a time that the search picked, the time that the person asked about, or something in one person's
   * lane that rules that time out.
   */
  kind: 'pick' | 'asked' | 'against';
  lane?: number;
  /** Digit or letter that refers to the text beside the drawing. */
  sign: string;
  title: string;
}
