import type { Cause } from '../rules/why-empty.ts';
import type { DayPart } from '../time/moment.ts';
import type { EnergyPattern, RuleBlock, Weekday } from '../types.ts';
import type { Wish } from '../wish/wish.ts';
import type { WishPart } from '../wish/wish-parts.ts';
import type { MeetingContext } from './contexts.ts';
import type { Fairness } from './fairness.ts';
import type { TimeFacts } from './time-facts.ts';

/** The part of the day or the weekday is on that person's clock. */
export type Liking =
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday };

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
  | { kind: 'nearest'; to: 'old_time' | 'asked_time' };

/** Without anybody's stated preferences, Tandem would have picked a time with this drawback. */
export type Avoided =
  | Liking
  | { kind: 'back_to_back'; email: string }
  | { kind: 'focus_block'; email: string }
  /** A person's own rule excludes the time, with the weekly times that it is about. */
  | { kind: 'standing_rule'; email: string; blocks: RuleBlock[] };

/** A drawback of the time that Tandem picked, beyond those that the facts about the two people's days have. */
export type Drawback =
  /** `keptMinutes` is from now until the picked time, less than the context's `wantedMinutes`. */
  | { kind: 'notice'; wantedMinutes: number; keptMinutes: number }
  | Liking
  /** The rules in `because` leave no common time there. */
  | { kind: 'shift'; minutes: number; because: Cause[] }
  /**
   * `no_common_time`: no common time meets the part, because of the rules in `because`. `other_parts`: some do, but
   * they miss other parts of the wish.
   */
  | { kind: 'wish'; part: WishPart; why: 'no_common_time' | 'other_parts'; because?: Cause[] };

/** The reasons why Tandem picked a time, as data from which sentences are written. The strongest comes first. */
export interface PickFacts extends TimeFacts {
  context: MeetingContext | undefined;
  /** The chosen time comes closest to this alternative, and reasons and drawbacks are about its demands. */
  wish?: Wish | undefined;
  decided: Decided[];
  avoided: Avoided[];
  drawbacks: Drawback[];
  /** The settings of the person who asked for the time that it leaves aside, because they asked for it. */
  leftAside?: { email: string; settings: ('work_hours' | 'standing_rule' | 'day_limit' | 'buffer')[] } | undefined;
  /** Undefined if neither person has had a meeting outside 08:00-18:00, or gets one now. */
  fairness: Fairness | undefined;
}
