import type { Band } from '../../../lib/scheduling/week-bands.ts';

/** What is drawn on one line of every day, and the clock it is told by. */
export interface WeekLane {
  /** Short, as it stands beside every day. */
  name: string;
  timeZone: string;
  /** By day. */
  bands: readonly (readonly Band[])[];
  /** Where the clock's hours stand; none when absent. */
  ruler?: 'above' | 'below';
}

/** A place on a day that has a sign of its own. */
export interface WeekMark {
  /** The day's position in the week. */
  day: number;
  /** Minutes from the start of the day. */
  from: number;
  to: number;
  /** A pick in the common lane, the time that is asked for over all lanes, or what stands against it in one. */
  kind: 'pick' | 'asked' | 'against';
  lane?: number;
  /** A digit or a letter, as the text beside the drawing has it. */
  sign: string;
  title: string;
}
