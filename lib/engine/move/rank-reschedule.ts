import { type AutoFactor, autoFactors } from '../rank/auto-factors.ts';
import { fairnessOf } from '../rank/fairness.ts';
import { bestStart } from '../rank/find-slots.ts';
import { againstOf, avoidedFor, type Decided, type Drawback, type PickFacts } from '../rank/pick-facts.ts';
import { MOST_CHOICES, type PickedSlot, type Ranking, toPicked } from '../rank/rank-auto.ts';
import { pickInOrder } from '../rank/spread.ts';
import { timeFacts } from '../rank/time-facts.ts';
import { candidateStarts, mergeStarts } from '../rules/free-time.ts';
import { noTimesIn } from '../rules/no-times.ts';
import { type Cause, causesOf } from '../rules/why-empty.ts';
import { DAY, MINUTE, parseDate } from '../time/dates.ts';
import { edgeAt, intersect } from '../time/intervals.ts';
import { daysElsewhere } from '../time/wall-instants.ts';
import { horizonOf, LONGEST_DAYS, windowDays } from '../time/window.ts';
import { lastStartOfDay, localDate, localDay } from '../time/zone.ts';
import type { Interval } from '../types.ts';
import { type AskedPart, alternativesOf, HOURS, notRefused, type Wish, wishedInstants } from '../wish/wish-parts.ts';
import { leftAside, openedAtAnyHour, openedFor, openedStarts } from './own-settings.ts';
import {
  type Alternative,
  alternativesFor,
  asksNothing,
  bestFor,
  type Choices,
  nearTo,
  type RescheduleSearch,
  SAME,
  shiftedTime,
  timeAt,
  weighChoices,
  withoutOld,
} from './reschedule-choices.ts';

/** A search covers at most this many ms: its largest number of days, less one partial date at each end. */
const LONGEST_SPAN = (LONGEST_DAYS - 2) * DAY;

/**
 * Ranks new times for an existing meeting (schema/DECISIONS.md, "Rescheduling a meeting").
 * - Times that come closer to what the person who moves the meeting asked for come first.
 * - Next comes merit, with nearness to the time that was asked for, or else to the old time, in place of `lead_time`.
 * - No time lies before the old day, unless that person asked for a sooner time or for earlier days, or the caller gave
 *   a range. If they asked for no time, they cannot make the old one, and the next day comes first.
 * - What that person asks for opens their own work hours, standing rules, day limit and buffer.
 * - No time is a start that the meeting had before.
 */
export function rankReschedule(search: RescheduleSearch): Ranking<PickedSlot> {
  const alternatives = alternativesFor(search);
  const open = notRefused(search.wish, search.askerTimeZone, daysElsewhere(windowDays(search.window)));
  const shifted = shiftedTime(search) ?? [];
  const startsFrom = (notBefore: number | undefined) => {
    const bounded = { ...search, notBefore, only: open };
    const own = mergeStarts(
      candidateStarts(bounded),
      ...alternatives.map(({ parts }) => candidateStarts({ ...bounded, only: wishedInstants(parts) })),
      candidateStarts({ ...bounded, only: intersect(open ?? shifted, shifted) }),
    );
    return mergeStarts(own, openedStarts(bounded, alternatives, own));
  };
  const floors = [...(asksNothing(search) ? [floorOf(search, true)] : []), floorOf(search, false)];
  const notBefore = floors.find((floor) => startsFrom(floor).length > 0) ?? floorOf(search, false);
  const [bounded, starts] = [{ ...search, notBefore, only: open }, startsFrom(notBefore)];
  if (starts.length === 0) {
    const [first] = alternatives;
    return { ranked: [], none: noTimesIn((first && openedFor(bounded, first)) ?? bounded, bestStart) };
  }
  const vacated = withoutOld(search);
  const factors = autoFactors(vacated).filter(({ name }) => name !== 'recency');
  const choices = weighChoices(vacated, alternatives, factors, starts);
  const picked = pickInOrder(choices, search.durationMinutes * MINUTE, MOST_CHOICES);
  const facts = (i: number) => () => rescheduleFacts(bounded, alternatives, factors, choices, i);
  const ranked = picked.map((i) => {
    const time = toPicked(search, edgeAt(starts, i), facts(i));
    return leftAside(search, time).length > 0 ? { ...time, aside: search.askedBy } : time;
  });
  return { ranked };
}

/** Begins near the old day, or now for a sooner time, and reaches past the days of the wish, up to `LONGEST_DAYS`. */
export function rescheduleSpan(search: { now: number; old: Interval; wish: Wish; windowDays: number }): Interval {
  const { now, old, wish, windowDays } = search;
  const reach = windowDays * DAY;
  const boxes = alternativesOf(wish);
  const dates = boxes.flatMap((box) => (box.dates ?? []).map((date) => (parseDate(date) ?? 0) * DAY));
  const near = typeof wish.closeness === 'object' ? [wish.closeness.near] : [];
  const wanted = [...dates, ...near, ...boxes.flatMap(({ earliest }) => earliest ?? [])];
  const refused = (wish.datesUnwanted ?? []).map((date) => (parseDate(date) ?? 0) * DAY);
  const first = wish.sooner ? now : Math.max(now, old.start - DAY);
  const last = Math.max(first + reach, old.end + reach, ...[...wanted, ...refused].map((instant) => instant + reach));
  const isFar = last - first > LONGEST_SPAN;
  const latest = horizonOf(now);
  const begin = isFar && wanted.length > 0 ? Math.max(first, Math.min(...wanted) - reach) : first;
  const start = Math.min(begin, latest - reach);
  return { start, end: Math.min(last, start + LONGEST_SPAN, latest) };
}

/**
 * Returns the start of the old day on both people's clocks, if no time may lie before it. With `isNextDay`, returns the
 * start of the day after it, or after today, on the clock of the person who asks.
 */
function floorOf({ requester, other, old, wish, within, now, askerTimeZone }: RescheduleSearch, isNextDay: boolean) {
  if (wish.sooner || within !== undefined) return undefined;
  const oldDate = localDate(askerTimeZone, old.start);
  if (alternativesOf(wish).some(({ dates }) => dates?.some((date) => date < oldDate))) return undefined;
  if (isNextDay) return lastStartOfDay(askerTimeZone, localDay(askerTimeZone, Math.max(now, old.start)) + 1);
  const dayOf = ({ timeZone }: { timeZone: string }) => lastStartOfDay(timeZone, localDay(timeZone, old.start));
  const floor = Math.max(dayOf(requester), dayOf(other));
  return floor > now ? floor : undefined;
}

export function rescheduleFacts(
  search: RescheduleSearch,
  alternatives: readonly Alternative[],
  factors: readonly AutoFactor[],
  choices: Choices,
  i: number,
): PickFacts {
  const { within, wish: wished } = search;
  const start = edgeAt(choices.starts, i);
  const time = timeAt(search, start);
  const { wish, parts } = bestFor(alternatives, time);
  const everywhere = mergeStarts(candidateStarts({ ...search, notBefore: undefined }), [...choices.starts]);
  const shift = shiftMissed(openedAtAnyHour(search) ?? search, everywhere);
  const isMissed = ({ missedBy }: AskedPart) => missedBy(time) > 0;
  const met = parts.filter((one) => !isMissed(one));
  // "Half an hour later is not possible" says already that the time is not later.
  const missed = parts.filter((one) => isMissed(one) && !(one.part === 'relative' && shift.length > 0));
  const opened = leftAside(search, time);
  const weighOpen = (unwishing: RescheduleSearch, open: readonly number[]) =>
    weighChoices(withoutOld({ ...unwishing, wish: { ...wished, pause: undefined } }), alternatives, [], open);
  return {
    ...timeFacts(search, { starts: everywhere, around: choices.around })(everywhere.indexOf(start)),
    context: search.context,
    wish,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? [] : [{ kind: 'in_range' } as const]),
      ...(within === undefined && isNearest(choices, i, nearTo(search)) ? nearestTo(wish) : []),
    ],
    avoided: opened.length > 0 ? [] : avoidedFor(search, factors, start, weighOpen),
    drawbacks: [
      ...missed.map((part) => missedPart(search, { wish, parts }, choices.starts, part, missed.length === 1)),
      ...shift,
      ...againstOf(withoutOld(search), factors, start),
    ],
    ...(opened.length > 0 &&
      search.askedBy !== undefined && { leftAside: { email: search.askedBy, settings: opened } }),
    fairness: fairnessOf(search, choices, i),
  };
}

/** Returns none if the person asks for the soonest time, or only rules times out. */
function nearestTo(wish: Wish): Decided[] {
  if (wish.closeness === 'soonest' || wish.unasked) return [];
  if (wish.closeness === undefined) return [{ kind: 'nearest', to: 'old_time' }];
  return ASKS_FOR.some((part) => wish[part] !== undefined) ? [{ kind: 'nearest', to: 'asked_time' }] : [];
}

/** The other kinds of demands only rule times out. */
const ASKS_FOR = ['dates', 'weekdaysWanted', 'earliest', 'latest', 'clockFrom', 'clockTo', 'relative'] as const;

/** It must be the nearest by date and clock, as the ranking counts, and by the hours between, as a reader counts. */
function isNearest({ starts, bends, away }: Choices, i: number, near: number): boolean {
  const hoursOf = (j: number) => away(j).days * 24 + away(j).hours;
  const distance = (j: number) => Math.abs(edgeAt(starts, j) - near);
  return starts.every(
    (_, j) =>
      edgeAt(bends, j) > edgeAt(bends, i) + SAME || (hoursOf(j) >= hoursOf(i) - SAME && distance(j) >= distance(i)),
  );
}

/**
 * The cause is the other demands, or the two people's rules that leave no common time for this one. If no other demand
 * is missed, the rules against the whole request are given too. Earliest and latest clock time are one demand.
 * Settings of the person who asks are a cause only if nothing else is.
 */
function missedPart(
  search: RescheduleSearch,
  { wish, parts }: Alternative,
  starts: readonly number[],
  asked: AskedPart,
  isOnlyOne: boolean,
): Drawback {
  const { part } = asked;
  const opened = openedFor(search, { wish }) ?? search;
  const whole = HOURS.has(part) ? parts.filter((one) => HOURS.has(one.part)) : [asked];
  const meetsIt = (start: number) => {
    const time = timeAt(search, start);
    return whole.every(({ missedBy }) => missedBy(time) === 0);
  };
  const because = (demands: readonly AskedPart[]) => {
    const only = wishedInstants(demands);
    const others = becauseOf({ ...(openedAtAnyHour(search) ?? search), only });
    return others.length > 0 ? others : becauseOf({ ...opened, only });
  };
  if (starts.some(meetsIt) || candidateStarts({ ...opened, only: wishedInstants(whole) }).some(meetsIt)) {
    const causes = isOnlyOne ? because(parts) : [];
    return { kind: 'wish', part, why: 'other_parts', ...(causes.length > 0 && { because: causes }) };
  }
  return { kind: 'wish', part, why: 'no_common_time', because: because(whole) };
}

function becauseOf(search: RescheduleSearch): Cause[] {
  const isFloor = search.notBefore !== undefined && candidateStarts({ ...search, notBefore: undefined }).length > 0;
  const causes = causesOf(search);
  return isFloor && causes.length > 0 ? [{ email: null, rule: 'floor' }] : causes;
}

/** The list is empty if it could move so, or if the wish asks for another change of time too. */
function shiftMissed(search: RescheduleSearch, starts: readonly number[]): Drawback[] {
  const { old, wish } = search;
  const only = shiftedTime(search);
  const [near = 0] = only ?? [];
  const { shiftMinutes: minutes } = wish;
  if (only === undefined || minutes === undefined || starts.includes(near)) return [];
  if (near - old.start !== minutes * MINUTE * (wish.relative === 'later' ? 1 : -1)) return [];
  return [{ kind: 'shift', minutes, because: causesOf({ ...search, only }) }];
}
