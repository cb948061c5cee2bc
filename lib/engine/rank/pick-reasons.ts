import { bridgeAt } from '../rules/bridges.ts';
import { neverRules } from '../rules/free-time.ts';
import { isHeldBack } from '../rules/searched.ts';
import { MINUTE } from '../time/dates.ts';
import { overlaps } from '../time/intervals.ts';
import { dayPartOf, type Moment, type WallTime, weekdayOf } from '../time/moment.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { focusWeek } from '../time/week.ts';
import { localDate, localDay } from '../time/zone.ts';
import type { FocusBlock } from '../types.ts';
import type { AutoFactor, AutoSearch } from './auto-factors.ts';
import { comfortOf, isFirstThing, isLastThing, sidesTaken } from './comfort.ts';
import { contextRow } from './contexts.ts';
import { isSoonAfterNight } from './overnight.ts';
import type { Avoided, Burden, ContextFit, Decided, GivenUp, Liking, PickedPerson } from './pick-facts.ts';
import { momentAt } from './ranked.ts';
import { isFridayAfternoon, isMidMorning, outsideDay, overlapsLunch } from './score.ts';
import { rulesAt } from './taste.ts';

/** Returns what a sentence about a picked start has to know of the two people: the requester, then the other person. */
export const pickedPeople = ({ requester, other }: AutoSearch, start: number): [PickedPerson, PickedPerson] => [
  pickedPerson(requester, start),
  pickedPerson(other, start),
];

const pickedPerson = (person: AutoSearch['requester'], start: number): PickedPerson => ({
  email: person.email,
  timeZone: person.timeZone,
  bridge: bridgeAt(person, localDay(person.timeZone, start)),
  ...(person.unknown === 'clock' && { isClockUnknown: true }),
});

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
 * Returns the ranking factors as if nobody disliked any time: each multiplier below 1 that expresses one person's
 * preference becomes 1.
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
export function placeAmong(search: AutoSearch, starts: readonly number[], start: number): Decided[] {
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined || first === last) return [{ kind: 'only_time' }];
  const dateOf = (at: number) => localDate(search.requester.timeZone, at);
  const date = dateOf(start);
  const isOneDate = search.window.start === search.window.end;
  const isOnlyDay = !isOneDate && dateOf(first) === date && dateOf(last) === date;
  return [
    ...(isOnlyDay ? [{ kind: 'only_day', date } as const] : []),
    ...(start === first ? [firstOf(search, first)] : []),
  ];
}

const firstOf = (search: AutoSearch, first: number): Decided =>
  isHeldBack(search, first) ? { kind: 'soonest', isWithNotice: true } : { kind: 'soonest' };

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
      // People say "mid-morning" of an hour well into the working day, and not of its first hour.
      if (name === 'mid_morning')
        return isInFirstHour(search, moment) ? [] : [{ kind: name, emails: emailsOf(search, moment, isMidMorning) }];
      return fitOf(search, name, moment) ?? likingOf(search, name, email, moment) ?? [];
    });
}

/** Returns true if the meeting starts in the first hour of somebody's working day. */
function isInFirstHour(search: AutoSearch, moment: Moment): boolean {
  const { requester, other, durationMinutes } = search;
  const [start, end] = [moment.start, moment.start + durationMinutes * MINUTE];
  const [own, theirs] = comfortOf(search).around();
  return [
    { person: requester, surroundings: own.of(start, end, moment.requester) },
    { person: other, surroundings: theirs.of(start, end, moment.other) },
  ].some(
    ({ person: { unknown }, surroundings: { afterOpening } }) =>
      unknown !== 'clock' && afterOpening >= 0 && afterOpening < 60,
  );
}

/**
 * Returns the drawbacks of a picked start in this order:
 * - ranking factors with a multiplier below 1, worst first
 * - the people's own rules
 * - each person for whom the meeting comes soon after the night
 * - the start and the end of each person's work hours, unless the meeting lies outside 08:00-18:00 for that person
 * - meetings and focus blocks right beside it
 */
export function costsOf(search: AutoSearch, factors: readonly AutoFactor[], start: number): GivenUp[] {
  const moment = momentAt(search, start);
  const costs = factors
    .filter((factor) => factor.of(moment) < 1)
    .sort((a, b) => a.of(moment) - b.of(moment))
    .flatMap(({ name, email }): GivenUp[] => {
      if (name === 'friday_afternoon') return [{ kind: name, emails: emailsOf(search, moment, isFridayAfternoon) }];
      if (name === 'timezone_fairness') return outsideDays(search, moment);
      return fitOf(search, name, moment) ?? objectionOf(search, name, email, moment);
    });
  const isWeighed = (email: string) => costs.some((cost) => isLearned(cost) && cost.email === email);
  const rules = rulesAt(search, start).filter(({ verdict, email }) => verdict === 'rather_not' && !isWeighed(email));
  const night = [search.requester, search.other].filter(
    (person) => person.unknown !== 'clock' && isSoonAfterNight(person, search.now, start, true),
  );
  const { edges, beside } = surroundingsOf(search, moment);
  const isOutside = (email: string) => costs.some((cost) => cost.kind === 'outside_day' && cost.email === email);
  // `back_to_back` means less than 15 minutes beside another meeting. `beside` means less than ten beside a meeting or
  // a focus block, so it says more. A person who has both gets only `beside`.
  const isBeside = (cost: GivenUp) => cost.kind === 'back_to_back' && beside.some(({ email }) => email === cost.email);
  return [
    ...costs.filter((cost) => !isBeside(cost)),
    ...rules.map(({ email, words }): GivenUp => ({ kind: 'standing_rule', email, words })),
    ...night.map(({ email }): GivenUp => ({ kind: 'overnight', email })),
    ...edges.filter(({ email }) => !isOutside(email)),
    ...beside,
  ];
}

type Of<K extends GivenUp['kind']> = Extract<GivenUp, { kind: K }>;

/** Returns the drawbacks that come from where the meeting lies in each person's day: its edges and other meetings. */
function surroundingsOf(search: AutoSearch, moment: Moment): { edges: Of<'edge_of_day'>[]; beside: Of<'beside'>[] } {
  const { requester, other, durationMinutes } = search;
  const [start, end] = [moment.start, moment.start + durationMinutes * MINUTE];
  const [own, theirs] = comfortOf(search).around();
  const [edges, beside]: [Of<'edge_of_day'>[], Of<'beside'>[]] = [[], []];
  for (const [{ email, unknown }, around, wall] of [
    [requester, own, moment.requester],
    [other, theirs, moment.other],
  ] as const) {
    const surroundings = around.of(start, end, wall);
    const sides = sidesTaken(surroundings);
    if (sides !== 0) beside.push({ kind: 'beside', email, sides });
    if (unknown === 'clock') continue;
    if (isFirstThing(surroundings)) edges.push({ kind: 'edge_of_day', email, edge: 'start' });
    if (isLastThing(surroundings)) edges.push({ kind: 'edge_of_day', email, edge: 'end' });
  }
  return { edges, beside };
}

const isLearned = (fact: GivenUp | Avoided): fact is Extract<Liking, { kind: 'learned_part' | 'learned_day' }> =>
  fact.kind === 'learned_part' || fact.kind === 'learned_day';

/**
 * Returns the drawbacks that the picked `start` avoids: those that `instead` has and `start` does not. Tandem would
 * have picked `instead` if nobody had objected to any time.
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
      if (lieIn(blocks)) avoided.push({ kind: 'standing_rule', email, words, blocks });
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

/** Returns the emails of those of the two people on whose clock `holds` is true. */
function emailsOf({ requester, other }: AutoSearch, moment: Moment, holds: (wall: WallTime) => boolean): string[] {
  const isOf = [holds(moment.requester), other.unknown !== 'clock' && holds(moment.other)];
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
    { email: other.email, side: other.unknown === 'clock' ? undefined : outsideDay(moment.other) },
  ];
  return sides.flatMap(({ email, side }) => (side === undefined ? [] : [{ kind: 'outside_day', email, side }]));
}
