import type { Cause } from '../rules/why-empty.ts';
import type { DayPart } from '../time/moment.ts';
import type { EnergyPattern, FocusBlock, Weekday } from '../types.ts';
import type { Wish, WishPart } from '../wish/wish.ts';
import type { MeetingContext } from './contexts.ts';
import type { Fairness } from './fairness.ts';
import type { TimeFacts } from './time-facts.ts';

/**
 * A reason why a person likes or dislikes a time: their own energy setting or learned preferences. The part of the day
 * or the weekday is on that person's clock.
 */
export type Liking =
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday };

/**
 * The part of the day in which a time lies on both people's clocks, and which suits the meeting's context.
 */
export interface ContextFit {
  kind: 'context';
  context: MeetingContext;
  part: DayPart;
}

/** A reason why Tandem picked this time. If the reason is a person's preference, `email` names that person. */
export type Decided =
  /** The caller gave a range of instants, and the search did not look outside it. */
  | { kind: 'in_range' }
  | ContextFit
  | Liking
  /** The time meets this part of the rescheduling wish, such as `weekdaysWanted`. */
  | { kind: 'wish'; part: WishPart }
  /** No possible time is nearer to the meeting's old time, or to the time that was asked for. */
  | { kind: 'nearest'; to: 'old_time' | 'asked_time' };

/**
 * A drawback that the time that Tandem picked avoids. Without anybody's stated preferences, Tandem would have picked a
 * time with this drawback.
 */
export type Avoided =
  | Liking
  | { kind: 'back_to_back'; email: string }
  | { kind: 'focus_block'; email: string }
  /** A rule in a person's own words that rules the time out, with the weekly times that it is about. */
  | { kind: 'standing_rule'; email: string; words: string; blocks: FocusBlock[] };

/** A drawback of the time that Tandem picked, beyond those that the facts about the two people's days have. */
export type Drawback =
  /**
   * No common time had the context's minimum notice, `wantedMinutes`. The picked time starts `keptMinutes` from now.
   */
  | { kind: 'notice'; wantedMinutes: number; keptMinutes: number }
  | Liking
  /**
   * A person asked to move the meeting by a number of minutes, but the rules in `because` leave no common time there.
   */
  | { kind: 'shift'; minutes: number; because: Cause[] }
  /**
   * The picked time misses this part of the rescheduling wish. `no_common_time` means that no common time meets the
   * part, because of the rules in `because`. `other_parts` means that some times meet it, but they miss other parts of
   * the wish.
   */
  | { kind: 'wish'; part: WishPart; why: 'no_common_time' | 'other_parts'; because?: Cause[] };

/** The reasons why Tandem picked a time, as data from which sentences are written. The strongest comes first. */
export interface PickFacts extends TimeFacts {
  context: MeetingContext | undefined;
  /**
   * Alternative of a person's request for a new time to which the chosen time comes closest. The reasons and drawbacks
   * are about the demands in it.
   */
  wish?: Wish | undefined;
  decided: Decided[];
  avoided: Avoided[];
  drawbacks: Drawback[];
  /** The settings of the person who asked for the time that it leaves aside, because they asked for it. */
  leftAside?: { email: string; settings: ('work_hours' | 'standing_rule' | 'day_limit' | 'buffer')[] } | undefined;
  /**
   * The pair's record of meetings outside 08:00-18:00. Undefined if neither person has had such a meeting, or gets one
   * now.
   */
  fairness: Fairness | undefined;
}
