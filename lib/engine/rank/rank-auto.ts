import { candidateStarts } from '../rules/candidates.ts';
import { ALL_RULES } from '../rules/free-time.ts';
import { type NoTimes, noTimesIn } from '../rules/no-times.ts';
import { searchedIn } from '../rules/searched.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { formatInZone } from '../time/zone.ts';
import type { Search } from '../types.ts';
import { type AutoFactor, type AutoSearch, autoFactors, bestProduct, productAt } from './auto-factors.ts';
import { twoPlaces } from './comfort.ts';
import { contextRow } from './contexts.ts';
import { fairestFirst, fairnessOf } from './fairness.ts';
import { bestStart } from './find-slots.ts';
import type { GivenUp, PickFacts } from './pick-facts.ts';
import { avoidedFor, costsOf, gainsOf, pickedPeople, placeAmong, withoutObjections } from './pick-reasons.ts';
import { areEqual, pickInOrder } from './pick-slots.ts';
import { momentAt, type Weighed, weigh } from './ranked.ts';
import { fourPlaces } from './score.ts';
import { withoutWishes } from './taste.ts';

export type MatchQuality = 'excellent' | 'good' | 'fair';

/** A time that Tandem picked and would book. */
export interface PickedSlot {
  start: number;
  end: number;
  /** The start in ISO 8601, with the UTC offset of the requester's zone. */
  startTime: string;
  /** The end in ISO 8601, with the UTC offset of the requester's zone. */
  endTime: string;
  /**
   * Computes the reasons why Tandem picked this time. They are computed only when called, because most times are never
   * booked.
   */
  facts: () => PickFacts;
  /** Email address of a person whose own buffer and daily limit give way to their words. */
  aside?: string | undefined;
}

/** A time that Tandem picked for a new meeting, with its score. */
export interface AutoSlot extends PickedSlot {
  /**
   * The ranking product of the time divided by the highest product that any time could have, 0 to 1, rounded to four
   * decimal places. `matchQuality` depends on this score alone.
   */
  score: number;
  /** A rating of how comfortable the time is for both people, 0 to 1, rounded to two decimal places. */
  comfort: number;
  matchQuality: MatchQuality;
}

/**
 * The picked times, best first, none overlapping another. If there are none, `none` has the reason.
 */
export interface Ranking<S extends PickedSlot> {
  ranked: S[];
  none?: NoTimes | undefined;
}

/** Largest number of best times that a booking tries one after another before it searches again. */
export const MOST_CHOICES = 20;

/**
 * Ranks times for a new meeting by ranking table × meeting context × both people's preferences. Among equals the time
 * that suits the two people's own rules comes first, then the fairer one, then the more comfortable. Only times with
 * the context's minimum notice count. If there is no such time, the latest half hour comes first. In a context that wants
 * the first common time, the earliest time comes first (schema/DECISIONS.md, "Automatic scheduling").
 */
export function rankAuto(search: AutoSearch): Ranking<AutoSlot> {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { ranked: [], none: noTimesIn(search, bestStart) };
  const factors = autoFactors(search);
  const weighed = weighAuto(search, starts, factors);
  const best = bestProduct(search);
  const picked = pickInOrder(weighed, search.durationMinutes * MINUTE, MOST_CHOICES, fairestFirst(search));
  const ranked = picked.map((i) => {
    const start = edgeAt(weighed.starts, i);
    const score = fourPlaces(productAt(factors, momentAt(search, start)) / best);
    const comfort = twoPlaces(weighed.comfortAt(i));
    const equals = () =>
      weighed.starts.filter(
        (_, j) =>
          areEqual(edgeAt(weighed.products, j), edgeAt(weighed.products, i)) &&
          weighed.tasteAt?.(j) === weighed.tasteAt?.(i),
      );
    const facts = () => factsOf(search, factors, starts, start, equals);
    return { ...toPicked(search, start, facts), score, comfort, matchQuality: qualityOf(score) };
  });
  return { ranked };
}

/**
 * Builds the `PickedSlot` for a start that the search chose: its end, both times in the requester's zone, and the facts
 * behind the choice.
 */
export function toPicked({ requester, durationMinutes }: Search, start: number, facts: () => PickFacts): PickedSlot {
  const end = start + durationMinutes * MINUTE;
  const [startTime, endTime] = [formatInZone(requester.timeZone, start), formatInZone(requester.timeZone, end)];
  return { start, end, startTime, endTime, facts };
}

/**
 * Converts a score to a match quality: excellent from 0.8, good from 0.6, else fair (schema/DECISIONS.md, "Score of a
 * picked time").
 */
export function qualityOf(score: number): MatchQuality {
  if (score >= 0.8) return 'excellent';
  return score >= 0.6 ? 'good' : 'fair';
}

/**
 * Difference in milliseconds between two starts up to which both give people about as much notice. The fairer and more
 * comfortable one then comes first.
 */
const SAME_NOTICE = 30 * MINUTE;

/**
 * Returns the starts to choose from, with the weights that rank them:
 * - Starts that leave the context's minimum notice are ranked by their product of factors.
 * - If the context wants the first common time, the earliest of them ranks first.
 * - If no start leaves the notice, all starts are ranked by the half hours from them to the last start, so a later half
 *   hour comes first.
 */
export function weighAuto(search: AutoSearch, starts: readonly number[], factors: readonly AutoFactor[]): Weighed {
  const { soon, notice } = contextRow(search.context);
  const noticed = starts.filter((start) => start >= search.now + notice * MINUTE);
  const last = starts.at(-1) ?? 0;
  if (noticed.length === 0) return weigh(search, starts, ({ start }) => -Math.floor((last - start) / SAME_NOTICE));
  if (soon === 'first') return weigh(search, noticed, ({ start }) => -start);
  return weigh(search, noticed, (moment) => productAt(factors, moment));
}

function factsOf(
  search: AutoSearch,
  factors: readonly AutoFactor[],
  starts: readonly number[],
  start: number,
  equals: () => readonly number[],
): PickFacts {
  const { requester, other, durationMinutes, context, now } = search;
  const wantedMinutes = contextRow(context).notice;
  const keptMinutes = Math.floor((start - now) / MINUTE);
  const shortNotice: GivenUp[] = keptMinutes < wantedMinutes ? [{ kind: 'notice', wantedMinutes, keptMinutes }] : [];
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false, standingRules: false });
  const unwishing = { ...search, requester: withoutWishes(requester), other: withoutWishes(other) };
  const unasked = weighAuto(unwishing, open, withoutObjections(factors));
  const instead = pickInOrder(unasked, 0, 1, fairestFirst(search)).map((i) => edgeAt(unasked.starts, i))[0] ?? start;
  return {
    start,
    end: start + durationMinutes * MINUTE,
    searched: searchedIn(search),
    people: pickedPeople(search, start),
    context,
    decided: [...placeAmong(search, starts, start), ...gainsOf(search, factors, start)],
    avoided: avoidedFor(search, factors, start, instead),
    givenUp: [...shortNotice, ...costsOf(search, factors, start)],
    fairness: fairnessOf(search, start, equals()),
  };
}
