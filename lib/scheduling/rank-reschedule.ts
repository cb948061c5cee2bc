import { type AutoFactor, type AutoSearch, autoFactors, productAt } from './auto-factors.ts';
import { candidateStarts } from './candidates.ts';
import { DAY, MINUTE, parseDate, WEEKDAYS } from './dates.ts';
import { fairestFirst } from './fairness.ts';
import { emptyWallTime, readWallTime } from './moment.ts';
import { ALL_RULES } from './person-rules.ts';
import {
  type Avoided,
  avoidedFor,
  costsOf,
  type Decided,
  fairnessOf,
  type GivenUp,
  type PickFacts,
  placeAmong,
} from './pick-facts.ts';
import { MOST_CHOICES, type PickedSlot, type Ranking, toPicked } from './rank-auto.ts';
import { momentAt } from './ranked.ts';
import { relaxationsOf } from './relaxations.ts';
import { fridayAfternoon } from './score.ts';
import type { Interval } from './types.ts';
import { daysElsewhere } from './wall-instants.ts';
import { causesOf, whyEmpty } from './why-empty.ts';
import { windowDays } from './window.ts';
import type { Wish } from './wish.ts';
import { type AskedPart, type AskedTime, bendOf, HOURS, partsOf, wishedInstants } from './wish-parts.ts';
import { localDay, offsetSpans, startOfDay } from './zone.ts';

/** A search for another time of a meeting; `notAt` are the starts it had, `within` where the caller wants it. */
export interface RescheduleSearch extends AutoSearch {
  /** The time the meeting has. */
  old: Interval;
  wish: Wish;
  /** The zone of who asked: their words mean their clock. */
  askerTimeZone: string;
}

/** A start with what ranks it: how much it bends the wish, how far it is from what was asked for, and what it costs. */
interface Choice {
  start: number;
  bend: number;
  /** Hours of distance to the wanted time; a day counts 24 whatever the clock. */
  away: number;
  cost: number;
  isBefore: boolean;
  /** It overlaps the time the meeting has, which only a narrow range or a wish for just that is reason for. */
  isOnItself: boolean;
}

const HOUR = 60 * MINUTE;
/** A time half as good as another is worth as many hours of nearness. */
const HOURS_PER_HALF = 4;
const SAME = 1e-9;
/** 90 dates, less those that begin and end with it. */
const LONGEST_SPAN = 88 * DAY;

/**
 * Ranks other times for a meeting (decisions, Meetings): first by how little they bend the wish, then by nearness to what was
 * asked for, or to the time it had, less what speaks against them; never before the old day unless sooner was asked for or a
 * range was given, never at a start it had.
 */
export function rankReschedule(search: RescheduleSearch): Ranking<PickedSlot> {
  const bounded = { ...search, notBefore: floorOf(search) };
  const parts = partsFor(search);
  const starts = merge(
    candidateStarts(bounded),
    candidateStarts({ ...bounded, only: wishedInstants(parts) }),
    candidateStarts({ ...bounded, only: shiftedTime(search) ?? [] }),
  );
  if (starts.length === 0) return { ranked: [], message: whyEmpty(bounded), relaxations: relaxationsOf(bounded) };
  const factors = autoFactors(search).filter(({ name }) => name !== 'recency');
  const choices = weighChoices(search, parts, factors, starts).sort(byCost(fairestFirst(search)));
  const taken: number[] = [];
  for (const { start } of choices) {
    if (taken.length === MOST_CHOICES) break;
    if (taken.every((other) => Math.abs(other - start) >= search.durationMinutes * MINUTE)) taken.push(start);
  }
  const facts = (start: number) => () => factsOf(bounded, parts, factors, choices, start);
  return { ranked: taken.map((start) => toPicked(search, start, facts(start))) };
}

/** The instants whose dates must be searched, at most 90 days: from now or the old day on, as far as the wish reaches. */
export function rescheduleSpan(search: { now: number; old: Interval; wish: Wish; windowDays: number }): Interval {
  const { now, old, wish, windowDays } = search;
  const reach = windowDays * DAY;
  const dates = (wish.dates ?? []).map((date) => (parseDate(date) ?? 0) * DAY);
  const near = typeof wish.closeness === 'object' ? [wish.closeness.near] : [];
  const wanted = [...dates, ...near, ...(wish.earliest === undefined ? [] : [wish.earliest])];
  const first = wish.sooner ? now : Math.max(now, old.start - DAY);
  const last = Math.max(first + reach, old.end + reach, ...wanted.map((instant) => instant + reach));
  const isFar = last - first > LONGEST_SPAN;
  const start = isFar && wanted.length > 0 ? Math.max(first, Math.min(...wanted) - reach) : first;
  return { start, end: Math.min(last, start + LONGEST_SPAN) };
}

/** Where the meeting would be, moved by just as much as was asked for; as edges. */
function shiftedTime({ old, wish: { shiftMinutes, closeness } }: RescheduleSearch): number[] | undefined {
  if (shiftMinutes === undefined || typeof closeness !== 'object') return undefined;
  return [closeness.near, closeness.near + (old.end - old.start)];
}

const merge = (...lists: number[][]) => [...new Set(lists.flat())].sort((a, b) => a - b);

function floorOf({ requester, other, old, wish, within, now }: RescheduleSearch): number | undefined {
  if (wish.sooner || within !== undefined) return undefined;
  const ownDay = ({ timeZone }: { timeZone: string }) => startOfDay(timeZone, localDay(timeZone, old.start));
  const floor = Math.max(ownDay(requester), ownDay(other));
  return floor > now ? floor : undefined;
}

function partsFor({ old, wish, askerTimeZone, window }: RescheduleSearch): AskedPart[] {
  const days = daysElsewhere(windowDays(window));
  return partsOf(wish, askedTime(askerTimeZone, old), askerTimeZone, days);
}

function askedTime(timeZone: string, { start, end }: Interval): AskedTime {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, start, end), start, end);
  return { start, end, wall };
}

function weighChoices(
  search: RescheduleSearch,
  parts: readonly AskedPart[],
  factors: readonly AutoFactor[],
  starts: readonly number[],
): Choice[] {
  const { old, wish, within, askerTimeZone, durationMinutes, now } = search;
  const isNear = (start: number) => start < old.end && old.start < start + durationMinutes * MINUTE;
  const [exact] = shiftedTime(search) ?? [];
  const near = typeof wish.closeness === 'object' ? wish.closeness.near : old.start;
  const wanted = askedTime(askerTimeZone, { start: near, end: near }).wall;
  return starts.map((start) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    const { day, startMinute } = time.wall;
    const bend = bendOf(parts, time);
    const sinceNow = (start - now) / HOUR;
    const isOnItself = within !== undefined && isNear(start) && !(wish.closeness !== undefined && isNear(near));
    if (wish.closeness === 'soonest')
      return { start, bend, away: sinceNow, cost: sinceNow, isBefore: false, isOnItself };
    const away = Math.abs(day - wanted.day) * 24 + Math.abs(startMinute - wanted.startMinute) / 60;
    const product = Math.min(1, productAt(factors, momentAt(search, start)));
    const cost = start === exact ? 0 : away - HOURS_PER_HALF * Math.log2(product);
    return { start, bend, away, cost, isBefore: start < near, isOnItself };
  });
}

/** A time that overlaps the meeting's own comes last. Of two that cost as much the fairer comes first, then the later, since the earlier leaves less time to prepare. */
const byCost =
  (fairer: (a: number, b: number) => number) =>
  (a: Choice, b: Choice): number => {
    if (Math.abs(a.bend - b.bend) > SAME) return a.bend - b.bend;
    if (a.isOnItself !== b.isOnItself) return Number(a.isOnItself) - Number(b.isOnItself);
    if (Math.abs(a.cost - b.cost) > SAME) return a.cost - b.cost;
    return fairer(a.start, b.start) || Number(a.isBefore) - Number(b.isBefore) || a.start - b.start;
  };

function factsOf(
  search: RescheduleSearch,
  parts: readonly AskedPart[],
  factors: readonly AutoFactor[],
  choices: readonly Choice[],
  start: number,
): PickFacts {
  const { requester, other, askerTimeZone, durationMinutes, wish, within } = search;
  const end = start + durationMinutes * MINUTE;
  const time = askedTime(askerTimeZone, { start, end });
  const missed = parts.filter(({ missedBy }) => missedBy(time) > 0);
  const met = parts.filter((part) => !missed.includes(part));
  const everywhere = merge(
    candidateStarts({ ...search, notBefore: undefined }),
    choices.map((choice) => choice.start),
  );
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false });
  const unasked = weighChoices(search, parts, [], open).sort(byCost(() => 0))[0]?.start ?? start;
  const own = choices.find((choice) => choice.start === start);
  const equals = choices.filter(
    ({ bend, cost }) => own && Math.abs(bend - own.bend) <= SAME && Math.abs(cost - own.cost) <= SAME,
  );
  return {
    start,
    end,
    people: [
      { email: requester.email, timeZone: requester.timeZone },
      { email: other.email, timeZone: other.timeZone },
    ],
    context: search.context,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? placeAmong(search, everywhere, start) : [inRange]),
      ...(within === undefined && isNearest(choices, start) && wish.closeness !== 'soonest' ? [nearestTo(wish)] : []),
    ],
    avoided: [...avoidedFor(search, factors, start, unasked), ...fridayAvoided(search, start, unasked)],
    givenUp: [
      ...missed.map((part) => missedPart(search, choices, parts, part)),
      ...shiftMissed(search, everywhere),
      ...costsOf(search, factors, start),
    ],
    fairness: fairnessOf(
      search,
      start,
      equals.map((choice) => choice.start),
    ),
  };
}

/** Nearness alone would have led to late on a Friday afternoon, and this is no Friday afternoon at all. */
function fridayAvoided(search: RescheduleSearch, start: number, unasked: number): Avoided[] {
  const isFriday = (at: number) => fridayAfternoon.holds(momentAt(search, at));
  const { weekday, startMinute } = momentAt(search, start).requester;
  const isAfterNoon = WEEKDAYS[weekday] === 'friday' && startMinute >= 12 * 60;
  return isFriday(unasked) && !isAfterNoon ? [{ kind: 'friday_afternoon' }] : [];
}

const inRange: Decided = { kind: 'in_range' };

const nearestTo = ({ closeness }: Wish): Decided => ({
  kind: 'nearest',
  to: closeness === undefined ? 'old_time' : 'asked_time',
});

/** Whether no start that bends the wish as little is nearer to what was asked for. */
function isNearest(choices: readonly Choice[], start: number): boolean {
  const own = choices.find((choice) => choice.start === start);
  return own !== undefined && choices.every(({ bend, away }) => bend > own.bend + SAME || away >= own.away - SAME);
}

/** Why a part is missed; the two bounds of the hours asked for are one. */
function missedPart(
  search: RescheduleSearch,
  choices: readonly Choice[],
  parts: readonly AskedPart[],
  asked: AskedPart,
): GivenUp {
  const { askerTimeZone, durationMinutes } = search;
  const { part } = asked;
  const whole = HOURS.has(part) ? parts.filter((one) => HOURS.has(one.part)) : [asked];
  const meetsIt = ({ start }: Choice) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    return whole.every(({ missedBy }) => missedBy(time) === 0);
  };
  if (choices.some(meetsIt)) return { kind: 'wish', part, why: 'other_parts' };
  return { kind: 'wish', part, why: 'no_common_time', because: causesOf({ ...search, only: wishedInstants(whole) }) };
}

/** That it could not move by just as much as was asked for, with nothing else. */
function shiftMissed(search: RescheduleSearch, starts: readonly number[]): GivenUp[] {
  const { old, wish } = search;
  const only = shiftedTime(search);
  const [near = 0] = only ?? [];
  const by = (wish.shiftMinutes ?? 0) * MINUTE * (wish.relative === 'later' ? 1 : -1);
  if (only === undefined || near - old.start !== by || starts.includes(near)) return [];
  return [{ kind: 'shift', because: causesOf({ ...search, only }) }];
}
