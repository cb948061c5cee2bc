import { autoFactors } from '../rank/auto-factors.ts';
import { bestStart } from '../rank/find-slots.ts';
import { MOST_CHOICES, type PickedSlot, type Ranking, toPicked } from '../rank/rank-auto.ts';
import { pickInOrder } from '../rank/spread.ts';
import { candidateStarts, mergeStarts } from '../rules/candidates.ts';
import { noTimesIn } from '../rules/no-times.ts';
import { DAY, MINUTE, parseDate } from '../time/dates.ts';
import { edgeAt, intersect } from '../time/intervals.ts';
import { daysElsewhere } from '../time/wall-instants.ts';
import { horizonOf, LONGEST_DAYS, windowDays } from '../time/window.ts';
import { lastStartOfDay, localDate, localDay } from '../time/zone.ts';
import type { Interval } from '../types.ts';
import type { Wish } from '../wish/wish.ts';
import { alternativesOf, notRefused, wishedInstants } from '../wish/wish-parts.ts';
import { leftAside, openedFor, openedStarts } from './own-settings.ts';
import {
  alternativesFor,
  asksNothing,
  type RescheduleSearch,
  shiftedTime,
  weighChoices,
  withoutOld,
} from './reschedule-choices.ts';
import { rescheduleFacts } from './reschedule-facts.ts';

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
  const asideAt = (start: number) =>
    leftAside(search, { start, end: start + search.durationMinutes * MINUTE }).length > 0
      ? { aside: search.askedBy }
      : {};
  return {
    ranked: picked.map((i) => {
      const start = edgeAt(starts, i);
      return { ...toPicked(search, start, facts(i)), ...asideAt(start) };
    }),
  };
}

/**
 * The span is at most `LONGEST_DAYS` long. It begins near the old day, or now for a sooner time, and reaches as far as
 * the wish does, beyond the days that it rules out.
 */
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
 * Returns the start of the old day on both people's clocks, if no time may lie before it. `isNextDay` is true for the
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
