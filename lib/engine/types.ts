/** A half-open span of time, start included and end excluded, in epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

/** A person's busy times in any order, as objects or as one flat array: start, end, start, end …. */
export type BusyTimes = readonly Interval[] | Float64Array;

export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

/** The work hours of one weekday, as clock times HH:MM in the person's own zone. `end` may be 24:00. */
export interface DayHours {
  enabled: boolean;
  start: string;
  end: string;
}

export type WorkHours = Record<Weekday, DayHours>;

export interface FocusBlock {
  day: Weekday;
  start: string;
  end: string;
  reason?: string | undefined;
}

/** A weekly time. With `dates`, days since 1970-01-01 of which both count, it holds on these alone. */
export interface RuleBlock extends FocusBlock {
  dates?: { first?: number | undefined; last?: number | undefined } | undefined;
}

/** `never` keeps times free, like a focus block. The other two only order equally good times. */
export interface StandingRule {
  words: string;
  verdict: 'never' | 'rather_not' | 'prefer';
  blocks: RuleBlock[];
}

export type EnergyPattern = 'flexible' | 'morning_person' | 'afternoon_person' | 'evening_person';

export interface LearnedWeights {
  timeOfDay: { morning: number; afternoon: number; evening: number };
  dayOfWeek: Record<Weekday, number>;
  bufferImportance: number;
}

/** The keys are days counted from 1970-01-01. */
export type Holidays = ReadonlyMap<number, string>;

/** The rules are the person's own, `busy` the provider's, and the other times those that Tandem reserves. */
export interface SearchedPerson {
  email: string;
  timeZone: string;
  workHours: WorkHours;
  focusBlocks: FocusBlock[];
  standing?: StandingRule[] | undefined;
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  /** The person takes no meetings on these local dates. Undefined if they keep no holidays. */
  holidays?: Holidays | undefined;
  energyPattern?: EnergyPattern | undefined;
  busy: BusyTimes;
  meetings: TakenTime[];
  /** Old start of the meeting that the search moves. It is not among `meetings`, and on its old day it adds none. */
  movesFrom?: number | undefined;
  /**
   * A guest's calendar is unknown (`calendar`), or their zone too (`clock`), so that `timeZone` is the requester's.
   * Sentences leave out what is unknown.
   */
  unknown?: 'calendar' | 'clock' | undefined;
}

/** A time of a person that Tandem reserves for a live meeting or for a proposal. */
export interface TakenTime extends Interval {
  /** Several times of one meeting or proposal on one day count as one meeting. */
  takenBy?: string | undefined;
  /** True if an open proposal of the requesting platform reserves this time. */
  isHeld?: boolean | undefined;
  /** False if the time belongs to another platform, which the requesting platform must not learn. */
  isOwn?: boolean | undefined;
  /** False if only an open proposal reserves the time, which then counts for the daily limit of its platform alone. */
  isMeeting?: boolean | undefined;
}

/** The dates that a search covers, as YYYY-MM-DD in the requester's zone, both inclusive. */
export interface DateWindow {
  start: string;
  end: string;
  days: number;
}

export interface Factor {
  name: string;
  multiplier: number;
}

/**
 * Times to which the caller of a search narrows it. Both people's rules and busy times hold in them as everywhere.
 * - `when`: those that a text asks for, with the words that were understood.
 * - `time_ranges`: ranges of instants.
 */
export interface Narrowing {
  by: 'when' | 'time_ranges';
  words: readonly string[];
  /** A flat list of spans in order: start, end, start, end …. */
  instants: readonly number[] | Float64Array;
}

export interface Search {
  requester: SearchedPerson;
  other: SearchedPerson;
  durationMinutes: number;
  window: DateWindow;
  now: number;
  /** The span that the meeting must lie in, if narrower than the window. */
  within?: Interval | undefined;
  /** The instants that the meeting must lie in, as a flat list of spans in order: start, end, start, end …. */
  only?: readonly number[] | Float64Array | undefined;
  /** The meeting must lie in the instants of each. */
  narrowedTo?: readonly Narrowing[] | undefined;
  /** Matters only after the earliest start that the minimum notice allows. */
  notBefore?: number | undefined;
  notAfter?: number | undefined;
  /** Start times that the meeting that is being moved had before, so that the search does not choose them again. */
  notAt?: readonly number[] | undefined;
  /** The number of days after the window for which both calendars were read too. */
  daysKnownAfter?: number | undefined;
}

export interface Slot {
  start: number;
  end: number;
  startTime: string;
  endTime: string;
  /** The product of the multipliers that rank the time, capped at 1 and rounded to four decimal places. */
  score: number;
  /** Rounded to four places. Unlike `score`, it may exceed 1. */
  product: number;
  /** The parts of the time's merit that are not in its product, multiplied: 0 to 1, rounded to four decimal places. */
  comfort: number;
  /** The product × the comfort, rounded to four decimal places. Of slots with equal scores, the highest merit is first. */
  merit: number;
  timezone: string;
  factors: Factor[];
  attendees: { email: string; startTime: string; timezone: string }[];
}

export type SaidSlot = Slot & { reason: string };
