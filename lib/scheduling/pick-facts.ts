import type { MeetingContext } from './contexts.ts';
import type { DayPart } from './moment.ts';
import type { EnergyPattern, Weekday } from './types.ts';
import type { WishPart } from './wish.ts';

/** What spoke for the picked time; `email` is whose it is. */
export type Decided =
  /** No other common time starts in the window (with the notice that was kept). */
  | { kind: 'only_time' }
  /** Every common time lies on this date of the requester. */
  | { kind: 'only_day'; date: string }
  /** The first common time, for a meeting that is urgent or was asked for as soon as possible. */
  | { kind: 'soonest' }
  | { kind: 'context'; context: MeetingContext; part: DayPart }
  | { kind: 'mid_morning' }
  /** Within 72 hours. */
  | { kind: 'recency' }
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday }
  /** This part of the wish is met. */
  | { kind: 'wish'; part: WishPart }
  /** As near as can be to the time it had, or to the time that was asked for. */
  | { kind: 'nearest'; to: 'old_time' | 'asked_time' };

/** What would have been at least as good, had this person not asked otherwise. */
export type Avoided =
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday }
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'focus_block'; email: string }
  | { kind: 'back_to_back'; email: string }
  | { kind: 'lunch'; email: string };

/** What the picked time costs. */
export type GivenUp =
  /** Nothing was free with the notice the context wants; this much was kept. */
  | { kind: 'notice'; wantedMinutes: number; keptMinutes: number }
  | { kind: 'lunch'; email: string }
  /** It starts before 08:00 or ends after 18:00 on this person's clock. */
  | { kind: 'outside_day'; email: string; side: 'early' | 'late' }
  | { kind: 'friday_afternoon' }
  | { kind: 'back_to_back'; email: string }
  | { kind: 'context'; context: MeetingContext; part: DayPart }
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday }
  /** This part of the wish is not met. `no_common_time`: no common time meets it; `other_parts`: some do, but not
   * together with the parts that are met. */
  | { kind: 'wish'; part: WishPart; why: 'no_common_time' | 'other_parts' };

/** Why a time was picked, as data for the sentence that says it; each list strongest first. */
export interface PickFacts {
  start: number;
  end: number;
  /** The requester, then the other. */
  people: [{ email: string; timeZone: string }, { email: string; timeZone: string }];
  context: MeetingContext | undefined;
  decided: Decided[];
  avoided: Avoided[];
  givenUp: GivenUp[];
}
