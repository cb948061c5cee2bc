import { neverRules } from '../rules/free-time.ts';
import type { Cause } from '../rules/why-empty.ts';
import { MINUTE } from '../time/dates.ts';
import { overlaps } from '../time/intervals.ts';
import { type DayPart, dayPartOf, type Moment, type WallTime, weekdayOf } from '../time/moment.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { focusWeek } from '../time/week.ts';
import { localDate } from '../time/zone.ts';
import type { EnergyPattern, FocusBlock, Weekday } from '../types.ts';
import type { Wish, WishPart } from '../wish/wish.ts';
import type { AutoFactor, AutoSearch } from './auto-factors.ts';
import { comfortOf, sidesTaken } from './comfort.ts';
import { contextRow, type MeetingContext } from './contexts.ts';
import { type Carried, carriedIn } from './fairness.ts';
import { isSoonAfterNight } from './overnight.ts';
import { momentAt } from './ranked.ts';
import { isMidMorning, outsideDay, overlapsLunch } from './score.ts';
import { rulesAt } from './taste.ts';

/**
 * A reason why a person likes or dislikes a time: their own energy setting or learned preferences. The part of the day
 * or the weekday is on that person's clock.
 */
export type Liking =
  | { kind: 'energy'; email: string; pattern: EnergyPattern; part: DayPart }
  | { kind: 'learned_part'; email: string; part: DayPart }
  | { kind: 'learned_day'; email: string; weekday: Weekday };

/**
 * A cost of a time to one person: it takes their lunch hour (`lunch`), or leaves them less than 15 minutes beside
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

/** A reason in favor of the time that Tandem picked. `email` names the person whose preference the reason is. */
export type Decided =
  /** Reason: the time that Tandem picked is the only start at which both people are free. */
  | { kind: 'only_time' }
  /** Reason: all times at which both people are free lie on this date, in the requester's zone. */
  | { kind: 'only_day'; date: string }
  /** Reason: the time that Tandem picked is the first start at which both people are free. */
  | { kind: 'soonest' }
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
  /** A rule in a person's own words that rules the time out. */
  | { kind: 'standing_rule'; email: string; words: string }
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
  | { kind: 'friday_afternoon' }
  | ContextFit
  | Liking
  | Burden
  /** Drawback: another meeting or a focus block of the person is right beside the time, on one or both sides. */
  | { kind: 'beside'; email: string; sides: 1 | 2 }
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

/**
 * The reasons why Tandem picked a time, as data from which a sentence is written. The strongest reason of each list
 * comes first.
 */
export interface PickFacts {
  start: number;
  end: number;
  /** The two attendees of the meeting: the requester, then the other person. */
  people: [{ email: string; timeZone: string }, { email: string; timeZone: string }];
  context: MeetingContext | undefined;
  /** The alternative of the rescheduling wish that the time bends least. The facts name its parts. */
  wish?: Wish | undefined;
  decided: Decided[];
  avoided: Avoided[];
  givenUp: GivenUp[];
  /**
   * The pair's record of meetings outside 08:00-18:00. Undefined if neither person has had such a meeting, or gets one
   * now.
   */
  fairness: Fairness | undefined;
}

/**
 * The record of how two people share meetings outside 08:00-18:00. `carried` maps each person's email to their minutes
 * outside, on their own clock, in their other meetings with each other from 90 days ago on.
 */
export interface Fairness {
  carried: Record<string, number>;
  /**
   * The email of the person whose turn it was to meet outside 08:00-18:00. Undefined if fairness did not decide between
   * equally good times.
   */
  turn: string | undefined;
}

/**
 * Returns each person's minutes outside 08:00-18:00 so far, and the person whose turn it was. It was a person's turn if
 * an equally good time would have been outside the other person's day instead. Returns undefined if neither has any
 * such minutes.
 */
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

/**
 * The names of the factors that express one person's wishes, such as lunch or learned weekdays, and not general rules
 * of the ranking table.
 */
const ASKED_FOR: ReadonlySet<AutoFactor['name']> = new Set([
  'lunch_hour',
  'energy_pattern',
  'time_of_day_preference',
  'day_of_week_preference',
  'buffer_importance',
] as const);

/**
 * Returns the ranking factors without any person's objections: a multiplier below 1 that expresses a person's wish
 * becomes 1.
 */
export function withoutObjections(factors: readonly AutoFactor[]): AutoFactor[] {
  return factors.map((factor) =>
    ASKED_FOR.has(factor.name) ? { ...factor, of: (moment) => Math.max(1, factor.of(moment)) } : factor,
  );
}

/**
 * Returns reasons that depend on a start's place among all common starts: the start is the only one or the first one,
 * or all starts lie on its date.
 */
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

/**
 * Returns the ranking factors with a multiplier above 1 for a picked start, as reasons in favor of the start, strongest
 * first.
 */
export function gainsOf(search: AutoSearch, factors: readonly AutoFactor[], start: number): Decided[] {
  const moment = momentAt(search, start);
  return factors
    .filter((factor) => factor.of(moment) > 1)
    .sort((a, b) => b.of(moment) - a.of(moment))
    .flatMap(({ name, email }): Decided[] => {
      if (name === 'recency') return [{ kind: name }];
      if (name === 'mid_morning') return [{ kind: name, emails: emailsOf(search, moment, isMidMorning) }];
      return fitOf(search, name, moment) ?? likingOf(search, name, email, moment) ?? [];
    });
}

/**
 * Returns the drawbacks of a picked start: first the ranking factors with a multiplier below 1, worst first, then the
 * people's own rules, then the people for whom `isOvernight` is true, then the meetings and focus blocks right beside
 * it.
 */
export function costsOf(search: AutoSearch, factors: readonly AutoFactor[], start: number): GivenUp[] {
  const moment = momentAt(search, start);
  const costs = factors
    .filter((factor) => factor.of(moment) < 1)
    .sort((a, b) => a.of(moment) - b.of(moment))
    .flatMap(({ name, email }): GivenUp[] => {
      if (name === 'friday_afternoon') return [{ kind: name }];
      if (name === 'timezone_fairness') return outsideDays(search, moment);
      return fitOf(search, name, moment) ?? objectionOf(search, name, email, moment);
    });
  const isWeighed = (email: string) => costs.some((cost) => isLearned(cost) && cost.email === email);
  const rules = rulesAt(search, start).filter(({ verdict, email }) => verdict === 'rather_not' && !isWeighed(email));
  const night = [search.requester, search.other].filter((person) => isSoonAfterNight(person, search.now, start));
  const beside = besideOf(search, moment);
  // `back_to_back` means less than 15 minutes beside another meeting. `beside` means less than ten beside a meeting or
  // a focus block, so it says more. A person who has both gets only `beside`.
  const isBeside = (cost: GivenUp) => cost.kind === 'back_to_back' && beside.some(({ email }) => email === cost.email);
  return [
    ...costs.filter((cost) => !isBeside(cost)),
    ...rules.map(({ email, words }): GivenUp => ({ kind: 'standing_rule', email, words })),
    ...night.map(({ email }): GivenUp => ({ kind: 'overnight', email })),
    ...beside,
  ];
}

function besideOf(search: AutoSearch, moment: Moment): Extract<GivenUp, { kind: 'beside' }>[] {
  const [start, end] = [moment.start, moment.start + search.durationMinutes * MINUTE];
  const [own, theirs] = comfortOf(search).around();
  const people = [
    { email: search.requester.email, sides: sidesTaken(own.of(start, end, moment.requester)) },
    { email: search.other.email, sides: sidesTaken(theirs.of(start, end, moment.other)) },
  ];
  return people.flatMap(({ email, sides }) => (sides === 0 ? [] : [{ kind: 'beside', email, sides }]));
}

const isLearned = (fact: GivenUp | Avoided): fact is Extract<Liking, { kind: 'learned_part' | 'learned_day' }> =>
  fact.kind === 'learned_part' || fact.kind === 'learned_day';

/**
 * Returns the drawbacks of `instead` that the picked `start` does not have. `instead` is the time that would have been
 * picked without anybody's objections.
 */
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
  for (const person of [search.requester, search.other]) {
    const { email, timeZone, focusBlocks } = person;
    const lieIn = (blocks: FocusBlock[]) =>
      overlaps(wallInstants(timeZone, daysAround(meeting), focusWeek(blocks)), meeting);
    if (lieIn(focusBlocks)) avoided.push({ kind: 'focus_block', email });
    for (const { words, blocks } of neverRules(person))
      if (lieIn(blocks)) avoided.push({ kind: 'standing_rule', email, words });
  }
  // The text of a standing rule also changes learned weights. Only the rule is given as a reason, because it quotes the
  // person.
  const hasRule = (email: string) => avoided.some((fact) => fact.kind === 'standing_rule' && fact.email === email);
  return avoided.filter((fact) => !(isLearned(fact) && hasRule(fact.email)));
}

/**
 * Returns the part of the day that decides how well a time suits the context. If the two people's clocks show different
 * parts, it is the part that changes the score more.
 */
function fitOf(search: AutoSearch, name: AutoFactor['name'], moment: Moment): [ContextFit] | undefined {
  const { context, requester, other } = search;
  if (name !== 'meeting_context' || context === undefined) return undefined;
  const { prefers } = contextRow(context);
  const [own, theirs] = [dayPartOf(moment.requester), dayPartOf(moment.other)];
  if (own === theirs) return [{ kind: 'context', context, part: own, email: null }];
  const isOwn = Math.abs(Math.log(prefers[own])) >= Math.abs(Math.log(prefers[theirs]));
  return [{ kind: 'context', context, part: isOwn ? own : theirs, email: (isOwn ? requester : other).email }];
}

/** Returns the emails of the people for whom something holds on their own clock. */
function emailsOf({ requester, other }: AutoSearch, moment: Moment, holds: (wall: WallTime) => boolean): string[] {
  const isOf = [holds(moment.requester), holds(moment.other)];
  return [requester.email, other.email].filter((_, i) => isOf[i]);
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
  if (name === 'lunch_hour')
    return emailsOf(search, moment, overlapsLunch).map((one) => ({ kind: 'lunch', email: one }));
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
