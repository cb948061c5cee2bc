import type { Weekday } from '../../../../lib/engine/types.ts';

/** A wish as a person would note it: local dates YYYY-MM-DD (`a..b` both inclusive), clock times HH:MM. */
export interface Said {
  /** From the start of this date. */
  earliest?: string;
  /** Until the start of this date, or until the old start. */
  latest?: string;
  dates?: string[];
  datesUnwanted?: string[];
  wanted?: Weekday[];
  unwanted?: Weekday[];
  from?: string;
  to?: string;
  not?: [from: string, to: string];
  relative?: 'earlier' | 'later';
  sooner?: true;
  moreTime?: true;
  /** Where the closeness is plainly said: `soonest`, or a local time. */
  near?: string;
}

/** Who writes, when, and about a meeting of half an hour at which time; local times of the zone. */
export interface Scene {
  zone: string;
  now: string;
  old: string;
  rows: [text: string, said: Said][];
}

/** Says nothing about when. */
export const NOTHING: Said = {};
