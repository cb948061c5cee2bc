/** A half-open span of instants, epoch ms. */
export interface Interval {
  start: number;
  end: number;
}

/** Intervals in any order, as objects or packed as start, end, start, end …. */
export type BusyTimes = readonly Interval[] | Float64Array;

export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

/** HH:MM on the person's wall; `end` may be 24:00. */
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

export type EnergyPattern = 'flexible' | 'morning_person' | 'afternoon_person' | 'evening_person';

export interface LearnedWeights {
  timeOfDay: { morning: number; afternoon: number; evening: number };
  dayOfWeek: Record<Weekday, number>;
  bufferImportance: number;
}

/** One person as the engine sees them: rules, the provider's busy times, and our own live meetings. */
export interface Person {
  email: string;
  timeZone: string;
  workHours: WorkHours;
  focusBlocks: FocusBlock[];
  bufferMinutes: number;
  maxMeetingsPerDay: number;
  busy: BusyTimes;
  meetings: Interval[];
}

/** Whole local dates (YYYY-MM-DD) of the requester's zone, both inclusive. */
export interface DateWindow {
  start: string;
  end: string;
  days: number;
}

export interface Factor {
  name: string;
  multiplier: number;
}

/** What a search asks: two people, a duration, a window, and the time it is. */
export interface Search {
  requester: Person;
  other: Person;
  durationMinutes: number;
  window: DateWindow;
  now: number;
  /** The instants the meeting must lie in, when narrower than the window. */
  within?: Interval | undefined;
  /** The instants the meeting must lie in, as edges in order. */
  only?: ArrayLike<number> | undefined;
  /** The instant before which no meeting starts, when later than the notice. */
  notBefore?: number | undefined;
  /** Starts that must not be chosen: those the meeting had before. */
  notAt?: readonly number[] | undefined;
  /** How many days after the window both calendars were read for as well. */
  daysKnownAfter?: number | undefined;
}

export interface Slot {
  start: number;
  end: number;
  /** ISO 8601 with the requester's offset. */
  startTime: string;
  endTime: string;
  /** The product capped at 1; both at four places. */
  score: number;
  product: number;
  timezone: string;
  /** The factors as a sentence. */
  reason: string;
  factors: Factor[];
  attendees: { email: string; startTime: string; timezone: string }[];
}
