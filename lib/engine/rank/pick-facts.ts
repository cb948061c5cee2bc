import type { Bridge } from '../rules/bridges.ts';
import type { Searched } from '../rules/searched.ts';
import type { Cause } from '../rules/why-empty.ts';
import type { DayPart } from '../time/moment.ts';
import type { EnergyPattern, FocusBlock, Weekday } from '../types.ts';
import type { Wish, WishPart } from '../wish/wish.ts';
import type { MeetingContext } from './contexts.ts';
import type { Fairness } from './fairness.ts';

/**
 * A reason why a person likes or dislikes a time: their own energy setting or learned preferences. The part of the day
 * or the weekday is on that person's clock.
 */
export type Liking =
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday };

/**
 * A drawback of a time for one person: it takes their lunch hour (`lunch`), or leaves them less than 15 minutes beside
 * another meeting (`back_to_back`).
 */
export type Burden = { kind: 'lunch'; email: string } | { kind: 'back_to_back'; email: string };

/**
 * The part of the day in which a time lies, and how well that part suits the meeting's context. `email` names the
 * person whose clock shows the part, and is null if both people's clocks do.
 */
export interface ContextFit {
  kind: 'context';
  context: MeetingContext;
  part: DayPart;
  email: string | null;
}

/** A reason why Tandem picked this time. If the reason is a person's preference, `email` names that person. */
export type Decided =
  /** Reason: the time that Tandem picked is the only start at which both people are free. */
  | { kind: 'only_time' }
  /** Reason: all times at which both people are free lie on this date, in the requester's zone. */
  | { kind: 'only_day'; date: string }
  /**
   * Reason: the time that Tandem picked is the first start at which both people are free. `isWithNotice` means that only
   * the minimum notice rules an earlier one out.
   */
  | { kind: 'soonest'; isWithNotice?: true }
  /**
   * Reason: the time that Tandem picked lies in the range that the caller gave. The search did not look outside that
   * range.
   */
  | { kind: 'in_range' }
  /** Reason: the time that Tandem picked is mid-morning on the clocks of the people named in `emails`. */
  | { kind: 'mid_morning'; emails: string[] }
  /** Reason: the time that Tandem picked starts within 72 hours from now. */
  | { kind: 'recency' }
  | ContextFit
  | Liking
  /** Reason: the time that Tandem picked meets this part of the rescheduling wish, such as `weekdaysWanted`. */
  | { kind: 'wish'; part: WishPart }
  /**
   * Reason: no possible time is nearer to the meeting's old time, or to the time that was asked for, than the time that
   * Tandem picked.
   */
  | { kind: 'nearest'; to: 'old_time' | 'asked_time' };

/**
 * A drawback that the time that Tandem picked avoids. Without anybody's stated preferences, Tandem would have picked a
 * time with this drawback.
 */
export type Avoided =
  | Liking
  | Burden
  | { kind: 'focus_block'; email: string }
  /** A rule in a person's own words that rules the time out, with the weekly times that it is about. */
  | { kind: 'standing_rule'; email: string; words: string; blocks: FocusBlock[] }
  | { kind: 'friday_afternoon' };

/** A drawback of the time that Tandem picked. */
export type GivenUp =
  /**
   * Drawback: no common time had the context's minimum notice, `wantedMinutes`. The picked time starts `keptMinutes`
   * from now.
   */
  | { kind: 'notice'; wantedMinutes: number; keptMinutes: number }
  /** Drawback: the meeting starts before 08:00 (`early`) or ends after 18:00 (`late`) on this person's clock. */
  | { kind: 'outside_day'; email: string; side: 'early' | 'late' }
  /** Drawback: the meeting is on a Friday from 14:00 on, on the clocks of the people named in `emails`. */
  | { kind: 'friday_afternoon'; emails: string[] }
  | ContextFit
  | Liking
  | Burden
  /** Drawback: another meeting or a focus block of the person is right beside the time, on one or both sides. */
  | { kind: 'beside'; email: string; sides: 1 | 2 }
  /** Drawback: the meeting starts in the first half hour of the person's work hours, or ends in their last hour. */
  | { kind: 'edge_of_day'; email: string; edge: 'start' | 'end' }
  /** Drawback: it is night for the person now, and less than two hours of their next working day lie before the meeting. */
  | { kind: 'overnight'; email: string }
  /** Drawback: a person would rather not meet then, in their own words. */
  | { kind: 'standing_rule'; email: string; words: string }
  /**
   * Drawback: a person asked to move the meeting by a number of minutes, but the rules in `because` leave no common
   * time there.
   */
  | { kind: 'shift'; minutes: number; because: Cause[] }
  /**
   * Drawback: the picked time misses this part of the rescheduling wish. `no_common_time` means that no common time
   * meets the part, because of the rules in `because`. `other_parts` means that some times meet it, but they miss other
   * parts of the wish.
   */
  | { kind: 'wish'; part: WishPart; why: 'no_common_time' | 'other_parts'; because?: Cause[] };

export interface PickedPerson {
  email: string;
  timeZone: string;
  /** The public holiday that the meeting's date bridges to days off, if this person would usually work on it. */
  bridge?: Bridge | undefined;
  /** True for a guest whose time zone is unknown. `timeZone` is the requester's then. */
  isClockUnknown?: boolean | undefined;
}

/**
 * The reasons why Tandem picked a time, as data from which a sentence is written. The strongest reason of each list
 * comes first.
 */
export interface PickFacts {
  start: number;
  end: number;
  /** The dates that the search covers. Undefined if the caller gave a range of instants. */
  searched: Searched | undefined;
  /** The two attendees of the meeting: the requester, then the other person. */
  people: [PickedPerson, PickedPerson];
  context: MeetingContext | undefined;
  /**
   * Alternative of a person's request for a new time to which the chosen time comes closest. The reasons and drawbacks
   * are about the demands in it.
   */
  wish?: Wish | undefined;
  decided: Decided[];
  avoided: Avoided[];
  givenUp: GivenUp[];
  /** The settings of the person who asked for the time that it leaves aside, because they asked for it. */
  leftAside?: { email: string; settings: ('work_hours' | 'standing_rule' | 'day_limit' | 'buffer')[] } | undefined;
  /**
   * The pair's record of meetings outside 08:00-18:00. Undefined if neither person has had such a meeting, or gets one
   * now.
   */
  fairness: Fairness | undefined;
}
