import { autoFactors, productAt } from '../rank/auto-factors.ts';
import { type Weighing, weigh } from '../rank/merit.ts';
import { nearnessAt } from '../rank/parts.ts';
import { pickSpread } from '../rank/spread.ts';
import { candidateStarts, mergeStarts } from '../rules/free-time.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { localDay } from '../time/zone.ts';
import type { Interval } from '../types.ts';
import { alternativesOf, bendOf, wishedInstants } from '../wish/wish-parts.ts';
import { openedStarts } from './own-settings.ts';
import { rankReschedule } from './rank-reschedule.ts';
import { alternativesFor, askedTime, type RescheduleSearch, shiftedTime } from './reschedule-choices.ts';

/** The person wanted none of a proposal's times and said which would suit. Each list is in order of time. */
export interface AnswerTimes {
  /** New times that meet everything the person asked for. */
  fitting: Interval[];
  /** New times that come closest to what the person asked for. Empty if some time meets all of it. */
  nearest: Interval[];
  /** Times of the proposal itself that already meet everything the person asked for. */
  offered: Interval[];
}

/**
 * Decided in schema/DECISIONS.md, "Other times for a proposal". Times that fit are spread over dates as in a new
 * proposal, unless the person asked for the soonest time or one relative to a proposed time. `offers` are the
 * proposal's times, and `search.old` is the first of them.
 */
export function rankAnswer(search: RescheduleSearch, offers: readonly Interval[], most: number): AnswerTimes {
  const { wish, askerTimeZone, durationMinutes } = search;
  const free = { ...search, notAt: [...(search.notAt ?? []), ...offers.map(({ start }) => start)] };
  const alternatives = alternativesFor(search);
  const isFitting = ({ start, end }: Interval) =>
    alternatives.some(({ parts }) => bendOf(parts, askedTime(askerTimeZone, { start, end })) === 0);
  const timeAt = (start: number) => ({ start, end: start + durationMinutes * MINUTE });
  const own = mergeStarts(
    ...alternatives.map(({ parts }) => candidateStarts({ ...free, only: wishedInstants(parts) })),
  ).filter((start) => isFitting(timeAt(start)));
  const opened = openedStarts(free, alternatives, own).filter((start) => isFitting(timeAt(start)));
  const starts = mergeStarts(own, opened);
  const isAimed = wish.closeness === 'soonest' || wish.relative !== undefined;
  const inOrder = (times: Interval[]) => times.toSorted((one, other) => one.start - other.start);
  const asksForTimes = alternatives.every(({ parts }) => parts.length > 0);
  const offered = asksForTimes ? offers.filter(isFitting) : [];
  if (starts.length > 0 && !isAimed) {
    const weighed = weigh(free, starts, namesDays(search) ? {} : nearOffers(search, offers));
    const picked = pickSpread(weighed, durationMinutes * MINUTE, most, { onOtherDates: true });
    return { fitting: inOrder(picked.map((i) => timeAt(edgeAt(starts, i)))), nearest: [], offered };
  }
  const ranked = rankReschedule(free).ranked.map(({ start }) => timeAt(start));
  // "An hour later" asks for that time, and not for any later one.
  const [exact] = shiftedTime(search) ?? [];
  const isExact = ranked.some(({ start }) => start === exact);
  const fitting = ranked.filter((time) => (isExact ? time.start === exact : isFitting(time))).slice(0, most);
  const nearest = fitting.length > 0 ? [] : ranked.slice(0, most);
  return { fitting: inOrder(fitting), nearest: inOrder(nearest), offered };
}

const namesDays = ({ wish }: RescheduleSearch): boolean =>
  alternativesOf(wish).some(
    ({ dates, weekdaysWanted, earliest, latest }) => (dates ?? weekdaysWanted ?? earliest ?? latest) !== undefined,
  );

/** Hours without a day are about the proposal's days, so nearness to these replaces lead time and recency. */
function nearOffers(search: RescheduleSearch, offers: readonly Interval[]): Weighing {
  const { askerTimeZone } = search;
  const factors = autoFactors(search).filter(({ name }) => name !== 'recency');
  const days = offers.map(({ start }) => localDay(askerTimeZone, start));
  return {
    productAt: (moment) => Math.min(1, productAt(factors, moment)),
    tierAt: () => 0,
    without: new Set(['lead_time']),
    more: ({ start }) => {
      const day = localDay(askerTimeZone, start);
      const nearest = days.reduce((one, other) => (Math.abs(other - day) < Math.abs(one - day) ? other : one));
      return [{ name: 'nearness', email: null, value: nearnessAt(Math.abs(nearest - day), 0, day < nearest) }];
    },
  };
}
