import type { AutoFactor, AutoSearch } from './auto-factors.ts';
import type { MeetingContext } from './contexts.ts';
import { MINUTE } from './dates.ts';
import { type Carried, carriedIn } from './fairness.ts';
import { overlaps } from './intervals.ts';
import { type DayPart, dayPartOf, type Moment, weekdayOf } from './moment.ts';
import { momentAt } from './ranked.ts';
import { outsideDay } from './score.ts';
import type { EnergyPattern, Weekday } from './types.ts';
import { daysAround, wallInstants } from './wall-instants.ts';
import { focusWeek } from './week.ts';
import type { Cause } from './why-empty.ts';
import type { WishPart } from './wish.ts';
import { localDate } from './zone.ts';

/** What one person likes or not, by their own settings or by what was learned; times are on their clock. */
export type Liking =
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday };

/** What a time takes from one person. */
export type Burden = { kind: 'lunch'; email: string } | { kind: 'back_to_back'; email: string };

/** How the part of the requester's day suits the kind of meeting. */
export interface ContextFit {
  kind: 'context';
  context: MeetingContext;
  part: DayPart;
}

/** What spoke for the picked time; `email` is whose it is. */
export type Decided =
  /** There is no other common time. */
  | { kind: 'only_time' }
  /** Every common time lies on this date of the requester. */
  | { kind: 'only_day'; date: string }
  /** The first common time there is. */
  | { kind: 'soonest' }
  /** It lies where the caller wants it; what lies elsewhere was not looked for. */
  | { kind: 'in_range' }
  | { kind: 'mid_morning' }
  /** Within 72 hours. */
  | { kind: 'recency' }
  | ContextFit
  | Liking
  /** This part of the wish is met. */
  | { kind: 'wish'; part: WishPart }
  /** As near as can be to the time it had, or to the time that was asked for. */
  | { kind: 'nearest'; to: 'old_time' | 'asked_time' };

/** What the time that would have been picked, had nobody asked for anything, has against it and this one has not. */
export type Avoided = Liking | Burden | { kind: 'focus_block'; email: string } | { kind: 'friday_afternoon' };

/** What the picked time costs. */
export type GivenUp =
  /** Nothing was free with the notice the context wants; this much was kept. */
  | { kind: 'notice'; wantedMinutes: number; keptMinutes: number }
  /** It starts before 08:00 or ends after 18:00 on this person's clock. */
  | { kind: 'outside_day'; email: string; side: 'early' | 'late' }
  | { kind: 'friday_afternoon' }
  | ContextFit
  | Liking
  | Burden
  /** It was to move by so many minutes, and there is no common time then, `because` of these rules. */
  | { kind: 'shift'; because: Cause[] }
  /** This part of the wish is not met. `no_common_time`: no common time meets it, `because` of these rules; `other_parts`:
   * some do, but not together with the parts that are met. */
  | { kind: 'wish'; part: WishPart; why: 'no_common_time' | 'other_parts'; because?: Cause[] };

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
  /** Absent when neither meets the other outside 08:00-18:00. */
  fairness: Fairness | undefined;
}

/** Minutes outside 08:00-18:00 on each one's clocks in their other meetings with each other, from 90 days ago on. */
export interface Fairness {
  carried: Record<string, number>;
  /** Whose turn it was, where that decided among otherwise equal times. */
  turn: string | undefined;
}

/** What each has carried so far, and whose turn decided: an equal time would have been outside the day of the other. */
export function fairnessOf(search: AutoSearch, start: number, equals: readonly number[]): Fairness | undefined {
  const { requester, other } = search;
  const zones = [requester.timeZone, other.timeZone] as const;
  const before = carriedIn(search.pairMeetings ?? [], zones);
  const outside = (at: number) => carriedIn([{ start: at, end: at + search.durationMinutes * MINUTE }], zones);
  const own = outside(start);
  if (before.requester + before.other + own.requester + own.other === 0) return undefined;
  const carried = { [requester.email]: before.requester, [other.email]: before.other };
  const isTurn = (one: keyof Carried, two: keyof Carried) =>
    own[one] > 0 &&
    own[two] === 0 &&
    before[one] < before[two] &&
    equals.some((at) => isOpposite(outside(at), one, two));
  const turn = isTurn('requester', 'other') ? requester : isTurn('other', 'requester') ? other : undefined;
  return { carried, turn: turn?.email };
}

const isOpposite = (carried: Carried, one: keyof Carried, two: keyof Carried) => carried[one] === 0 && carried[two] > 0;

/** The factors that are somebody's wishes, not the table's. */
const ASKED_FOR: ReadonlySet<AutoFactor['name']> = new Set([
  'lunch_hour',
  'other_lunch_hour',
  'energy_pattern',
  'time_of_day_preference',
  'day_of_week_preference',
  'buffer_importance',
] as const);

/** The factors as they would be if nobody's wishes were held against a time. */
export function withoutObjections(factors: readonly AutoFactor[]): AutoFactor[] {
  return factors.map((factor) =>
    ASKED_FOR.has(factor.name) ? { ...factor, of: (moment) => Math.max(1, factor.of(moment)) } : factor,
  );
}

/** Where a pick stands among all common times: the only one, the first, or on the only day. */
export function placeAmong({ requester }: AutoSearch, starts: readonly number[], start: number): Decided[] {
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined || first === last) return [{ kind: 'only_time' }];
  const date = localDate(requester.timeZone, start);
  const isOnlyDay = [first, last].every((edge) => localDate(requester.timeZone, edge) === date);
  return [
    ...(isOnlyDay ? [{ kind: 'only_day', date } as const] : []),
    ...(start === first ? [{ kind: 'soonest' } as const] : []),
  ];
}

/** What the factors say for a pick, strongest first. */
export function gainsOf(search: AutoSearch, factors: readonly AutoFactor[], start: number): Decided[] {
  const moment = momentAt(search, start);
  return factors
    .filter((factor) => factor.of(moment) > 1)
    .sort((a, b) => b.of(moment) - a.of(moment))
    .flatMap(({ name, email }): Decided[] => {
      if (name === 'mid_morning' || name === 'recency') return [{ kind: name }];
      return fitOf(search, name, moment) ?? likingOf(search, name, email, moment) ?? [];
    });
}

/** What the factors say against a pick, worst first. */
export function costsOf(search: AutoSearch, factors: readonly AutoFactor[], start: number): GivenUp[] {
  const moment = momentAt(search, start);
  return factors
    .filter((factor) => factor.of(moment) < 1)
    .sort((a, b) => a.of(moment) - b.of(moment))
    .flatMap(({ name, email }): GivenUp[] => {
      if (name === 'friday_afternoon') return [{ kind: name }];
      if (name === 'timezone_fairness') return outsideDays(search, moment);
      return fitOf(search, name, moment) ?? objectionOf(search, name, email, moment);
    });
}

/** What speaks against the time that would have been picked without anybody's objections, and not against the pick. */
export function avoidedFor(
  search: AutoSearch,
  factors: readonly AutoFactor[],
  start: number,
  instead: number,
): Avoided[] {
  const [picked, other] = [momentAt(search, start), momentAt(search, instead)];
  const meeting = { start: instead, end: instead + search.durationMinutes * MINUTE };
  const avoided = factors
    .filter(({ name, of }) => ASKED_FOR.has(name) && of(other) < 1 && of(picked) >= 1)
    .sort((a, b) => a.of(other) - b.of(other))
    .flatMap(({ name, email }): Avoided[] => objectionOf(search, name, email, other));
  for (const { email, timeZone, focusBlocks } of [search.requester, search.other])
    if (overlaps(wallInstants(timeZone, daysAround(meeting), focusWeek(focusBlocks)), meeting))
      avoided.push({ kind: 'focus_block', email });
  return avoided;
}

function fitOf({ context }: AutoSearch, name: AutoFactor['name'], { requester }: Moment): [ContextFit] | undefined {
  if (name !== 'meeting_context' || context === undefined) return undefined;
  return [{ kind: 'context', context, part: dayPartOf(requester) }];
}

function likingOf(
  { other, requesterPreferences, otherPreferences }: AutoSearch,
  name: AutoFactor['name'],
  email: string | null,
  moment: Moment,
): [Liking] | undefined {
  if (email === null) return undefined;
  const isOther = email === other.email;
  const wall = isOther ? moment.other : moment.requester;
  const { energyPattern: pattern } = isOther ? otherPreferences : requesterPreferences;
  if (name === 'energy_pattern') return [{ kind: 'energy', email, pattern, part: dayPartOf(wall) }];
  if (name === 'time_of_day_preference') return [{ kind: 'learned_part', email, part: dayPartOf(wall) }];
  if (name === 'day_of_week_preference') return [{ kind: 'learned_day', email, weekday: weekdayOf(wall) }];
  return undefined;
}

function objectionOf(
  search: AutoSearch,
  name: AutoFactor['name'],
  email: string | null,
  moment: Moment,
): (Liking | Burden)[] {
  if (name === 'lunch_hour') return [{ kind: 'lunch', email: search.requester.email }];
  if (name === 'other_lunch_hour') return [{ kind: 'lunch', email: search.other.email }];
  if (name === 'buffer_importance' && email !== null) return [{ kind: 'back_to_back', email }];
  return likingOf(search, name, email, moment) ?? [];
}

function outsideDays({ requester, other }: AutoSearch, moment: Moment): GivenUp[] {
  const sides = [
    { email: requester.email, side: outsideDay(moment.requester) },
    { email: other.email, side: outsideDay(moment.other) },
  ];
  return sides.flatMap(({ email, side }) => (side === undefined ? [] : [{ kind: 'outside_day', email, side }]));
}
