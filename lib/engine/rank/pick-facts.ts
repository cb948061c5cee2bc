import { ALL_RULES, candidateStarts, neverRules } from '../rules/free-time.ts';
import type { Cause } from '../rules/why-empty.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt, overlaps } from '../time/intervals.ts';
import { type DayPart, dayPartOf, type Moment, weekdayOf } from '../time/moment.ts';
import { blockInstants, daysAround } from '../time/wall-instants.ts';
import type { EnergyPattern, RuleBlock, Weekday } from '../types.ts';
import type { Wish, WishPart } from '../wish/wish-parts.ts';
import type { AutoFactor, AutoSearch } from './auto-factors.ts';
import type { MeetingContext } from './contexts.ts';
import type { Fairness } from './fairness.ts';
import { momentAt, type Weighed } from './merit.ts';
import type { MeritPart, PartName } from './parts.ts';
import { pickInOrder } from './spread.ts';
import { withoutWishes } from './taste.ts';
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
  | { kind: 'wish'; part: WishPart }
  | { kind: 'nearest'; to: 'old_time' | 'asked_time' };

/** Without anybody's stated preferences, Tandem would have picked a time with this drawback. */
export type Avoided =
  | Liking
  | { kind: 'back_to_back'; email: string }
  | { kind: 'focus_block'; email: string }
  | { kind: 'standing_rule'; email: string; blocks: RuleBlock[] };

/** A drawback of the time that Tandem picked, beyond those that the facts about the two people's days have. */
export type Drawback =
  /** `keptMinutes` is from now until the picked time, less than the context's `wantedMinutes`. */
  | { kind: 'notice'; wantedMinutes: number; keptMinutes: number }
  | Liking
  /** The rules in `because` leave no common time there. */
  | { kind: 'shift'; minutes: number; because: Cause[] }
  /** `other_parts`: some common times meet this part, but they miss others. */
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

const ASKED_FOR: ReadonlySet<AutoFactor['name']> = new Set([
  'energy_pattern',
  'time_of_day_preference',
  'day_of_week_preference',
  'buffer_importance',
] as const);

/** Each multiplier below 1 that expresses one person's preference becomes 1. */
export function withoutObjections(factors: readonly AutoFactor[]): AutoFactor[] {
  return factors.map((factor) =>
    ASKED_FOR.has(factor.name) ? { ...factor, of: (moment) => Math.max(1, factor.of(moment)) } : factor,
  );
}

const STATED: ReadonlySet<PartName> = new Set(['rather_not', 'near_preferred', 'not_preferred'] as const);
/** Below it a factor of one person's says that they mind the part of the day, and not only that others suit them better. */
const MINDED = 0.9;

/** Tandem does not praise an hour for the kind of meeting if one of the two minds that hour, or named others. */
export function gainsOf(
  search: AutoSearch,
  factors: readonly AutoFactor[],
  start: number,
  parts: readonly MeritPart[],
): (ContextFit | Liking)[] {
  const moment = momentAt(search, start);
  const isMinded = ({ name, email, of }: AutoFactor) =>
    (name === 'energy_pattern' || name === 'time_of_day_preference') &&
    of(moment) < MINDED &&
    !saysHours(search, email);
  const isUnsuited = parts.some(({ name }) => STATED.has(name)) || factors.some(isMinded);
  return factors
    .filter((factor) => factor.of(moment) > 1 && !(isUnsuited && factor.name === 'meeting_context'))
    .sort((a, b) => b.of(moment) - a.of(moment))
    .flatMap(
      ({ name, email }): (ContextFit | Liking)[] =>
        fitOf(search, name, moment) ?? likingOf(search, name, email, moment) ?? [],
    );
}

export function againstOf(search: AutoSearch, factors: readonly AutoFactor[], start: number): Liking[] {
  const moment = momentAt(search, start);
  return factors
    .filter((factor) => factor.of(moment) < 1)
    .sort((a, b) => a.of(moment) - b.of(moment))
    .flatMap(({ name, email }) => likingOf(search, name, email, moment) ?? [])
    .filter((fact) => !(fact.kind === 'learned_part' && saysHours(search, fact.email)));
}

/** Returns true if the person's own words name the hours that they dislike. A part of the day is then only near them. */
const saysHours = ({ requester, other }: AutoSearch, email: string | null): boolean =>
  [requester, other].some(
    ({ email: own, standing = [] }) =>
      own === email &&
      standing.some(
        ({ verdict, blocks }) =>
          verdict === 'rather_not' && blocks.some(({ start, end }) => start !== '00:00' || end !== '24:00'),
      ),
  );

const isLearned = (fact: Avoided): fact is Extract<Liking, { kind: 'learned_part' | 'learned_day' }> =>
  fact.kind === 'learned_part' || fact.kind === 'learned_day';

/** Compares the pick with what it would be if nobody objected. `weighOpen` weighs what is open without wishes. */
export function avoidedFor<S extends AutoSearch>(
  search: S,
  factors: readonly AutoFactor[],
  start: number,
  weighOpen: (unwishing: S, starts: readonly number[]) => Weighed,
): Avoided[] {
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false, standingRules: false });
  const [requester, other] = [withoutWishes(search.requester), withoutWishes(search.other)];
  const [best] = pickInOrder(weighOpen({ ...search, requester, other }, open), 0, 1);
  const instead = best === undefined ? start : edgeAt(open, best);
  const [picked, unpicked] = [momentAt(search, start), momentAt(search, instead)];
  const meeting = { start: instead, end: instead + search.durationMinutes * MINUTE };
  const avoided = factors
    .filter(({ name, of }) => ASKED_FOR.has(name) && of(unpicked) < 1 && of(picked) >= 1)
    .sort((a, b) => a.of(unpicked) - b.of(unpicked))
    .flatMap(({ name, email }): Avoided[] => objectionOf(search, name, email, unpicked));
  for (const person of [search.requester, search.other]) {
    const { email, timeZone, focusBlocks } = person;
    const lieIn = (blocks: RuleBlock[]) => overlaps(blockInstants(timeZone, daysAround(meeting), blocks), meeting);
    if (lieIn(focusBlocks)) avoided.push({ kind: 'focus_block', email });
    for (const { blocks } of neverRules(person))
      if (lieIn(blocks)) avoided.push({ kind: 'standing_rule', email, blocks });
  }
  // A standing rule also changes learned weights. Only the rule is given as a reason, because the person stated it.
  const hasRule = (email: string) => avoided.some((fact) => fact.kind === 'standing_rule' && fact.email === email);
  return avoided.filter((fact) => !(isLearned(fact) && hasRule(fact.email)));
}

function fitOf({ context }: AutoSearch, name: AutoFactor['name'], moment: Moment): ContextFit[] | undefined {
  if (name !== 'meeting_context' || context === undefined) return undefined;
  const part = dayPartOf(moment.requester);
  return part === dayPartOf(moment.other) ? [{ kind: 'context', context, part }] : [];
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

function objectionOf(search: AutoSearch, name: AutoFactor['name'], email: string | null, moment: Moment): Avoided[] {
  if (name === 'buffer_importance' && email !== null) return [{ kind: 'back_to_back', email }];
  return likingOf(search, name, email, moment) ?? [];
}
