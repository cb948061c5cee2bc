import { candidateStarts } from '../rules/free-time.ts';
import { type NoTimes, noTimesIn } from '../rules/no-times.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { formatInZone, localDay } from '../time/zone.ts';
import type { Search } from '../types.ts';
import { type AutoFactor, type AutoSearch, autoFactors, bestProduct, productAt } from './auto-factors.ts';
import { contextRow } from './contexts.ts';
import { chosenParts, fairnessOf } from './fairness.ts';
import { bestStart } from './find-slots.ts';
import { momentAt, type Weighed, type Weighing, weigh } from './merit.ts';
import { fourPlaces, type PartName } from './parts.ts';
import { againstOf, avoidedFor, gainsOf, type PickFacts, withoutObjections } from './pick-facts.ts';
import { pickInOrder } from './spread.ts';
import { factsOfStarts } from './time-facts.ts';

export type MatchQuality = 'excellent' | 'good' | 'fair';

export interface PickedSlot {
  start: number;
  end: number;
  startTime: string;
  endTime: string;
  /** Computed only when called, because most times are never booked. */
  facts: () => PickFacts;
  /** Email address of a person whose own buffer and daily limit give way to their words. */
  aside?: string | undefined;
}

export interface AutoSlot extends PickedSlot {
  /** The product divided by the highest possible one, to four places. `matchQuality` depends on it alone. */
  score: number;
  /** The parts of the time's merit that are not in its product, multiplied: 0 to 1, rounded to four decimal places. */
  comfort: number;
  matchQuality: MatchQuality;
}

/** The best comes first, and none overlap. If there are none, `none` has the reason. */
export interface Ranking<S extends PickedSlot> {
  ranked: S[];
  none?: NoTimes | undefined;
}

/** Largest number of best times that a booking tries one after another before it searches again. */
export const MOST_CHOICES = 20;

/**
 * The product also has the context and both people's preferences. Without a time of the minimum notice, the latest half
 * hour comes first, and a context may want the earliest (schema/DECISIONS.md, "Automatic scheduling").
 */
export function rankAuto(search: AutoSearch): Ranking<AutoSlot> {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { ranked: [], none: noTimesIn(search, bestStart) };
  const factors = autoFactors(search);
  const weighed = weighAuto(search, starts, factors);
  const best = bestProduct(search);
  const picked = pickInOrder(weighed, search.durationMinutes * MINUTE, MOST_CHOICES);
  const ranked = picked.map((i) => {
    const start = edgeAt(weighed.starts, i);
    const score = fourPlaces(productAt(factors, momentAt(search, start)) / best);
    const comfort = fourPlaces(weighed.comfortAt(i));
    const facts = () => factsOf(search, factors, starts, weighed, i);
    return { ...toPicked(search, start, facts), score, comfort, matchQuality: qualityOf(score) };
  });
  return { ranked };
}

/** Both times are in the requester's zone. */
export function toPicked({ requester, durationMinutes }: Search, start: number, facts: () => PickFacts): PickedSlot {
  const end = start + durationMinutes * MINUTE;
  const [startTime, endTime] = [formatInZone(requester.timeZone, start), formatInZone(requester.timeZone, end)];
  return { start, end, startTime, endTime, facts };
}

/** Excellent from 0.8, good from 0.6, else fair (schema/DECISIONS.md, "Score of a picked time"). */
export function qualityOf(score: number): MatchQuality {
  if (score >= 0.8) return 'excellent';
  return score >= 0.6 ? 'good' : 'fair';
}

/** Difference in milliseconds between two starts up to which both give people about as much notice. */
const SAME_NOTICE = 30 * MINUTE;

/** The parts that do not count where Tandem picks the time, because a factor of the product counts in their place. */
export const IN_FACTORS: ReadonlySet<PartName> = new Set<PartName>(['not_best_hours']);

/**
 * Starts that leave the context's minimum notice rank by merit, or if it wants the first common time, the earliest
 * first. If none leaves the notice, a later half hour comes first.
 */
export function weighAuto(search: AutoSearch, starts: readonly number[], factors: readonly AutoFactor[]): Weighed {
  const { soon, notice } = contextRow(search.context);
  const noticed = starts.filter((start) => start >= search.now + notice * MINUTE);
  const last = starts.at(-1) ?? 0;
  const how: Weighing = {
    productAt: (moment) => productAt(factors, moment),
    tierAt: () => 0,
    without: IN_FACTORS,
    more: chosenParts(search),
  };
  if (noticed.length === 0)
    return weigh(search, starts, { ...how, tierAt: ({ start }) => -Math.floor((last - start) / SAME_NOTICE) });
  if (soon === 'first') return weigh(search, noticed, { ...how, tierAt: ({ start }) => -start });
  return weigh(search, noticed, how);
}

function factsOf(
  search: AutoSearch,
  factors: readonly AutoFactor[],
  starts: readonly number[],
  weighed: Weighed,
  i: number,
): PickFacts {
  const { context, now } = search;
  const start = edgeAt(weighed.starts, i);
  const wantedMinutes = contextRow(context).notice;
  const keptMinutes = Math.floor((start - now) / MINUTE);
  const unobjected = withoutObjections(factors);
  return {
    ...factsOfStarts(search, { starts, around: weighed.around })(starts.indexOf(start)),
    context,
    decided: gainsOf(search, factors, start, weighed.partsAt(i)),
    avoided: avoidedFor(search, factors, start, (unwishing, open) => weighAuto(unwishing, open, unobjected)),
    drawbacks: [
      ...(keptMinutes < wantedMinutes ? [{ kind: 'notice', wantedMinutes, keptMinutes } as const] : []),
      ...againstOf(search, factors, start),
    ],
    fairness: fairnessOf(search, weighed, i),
  };
}

/** A time that suits both people, with the day number of its start on each person's clock. */
export interface PairTime {
  start: number;
  product: number;
  comfort: number;
  days: [number, number];
}

/**
 * If there are more than `most`, takes the best of every date in turn, and first those that do not overlap, so that the
 * two people's other meetings leave some free. Without times, `none` has the reason.
 */
export function openTimes(search: AutoSearch, most: number): { times: PairTime[]; none?: NoTimes } {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { times: [], none: noTimesIn(search, bestStart) };
  const { requester, other, durationMinutes } = search;
  const weighed = weighAuto(search, starts, autoFactors(search));
  const byDate = Map.groupBy([...weighed.starts.keys()], (i) => edgeAt(weighed.days, i));
  const duration = durationMinutes * MINUTE;
  const lines = [...byDate.values()].map((date) => {
    const best = date.toSorted((a, b) => weighed.meritAt(b) - weighed.meritAt(a) || a - b);
    return apartFirst(best, (i) => edgeAt(weighed.starts, i), duration);
  });
  const kept: number[] = [];
  for (let turn = 0; kept.length < Math.min(most, weighed.starts.length); turn++)
    kept.push(...lines.flatMap((line) => line[turn] ?? []).slice(0, most - kept.length));
  const times = kept
    .toSorted((a, b) => a - b)
    .map((i) => {
      const start = edgeAt(weighed.starts, i);
      const days: [number, number] = [localDay(requester.timeZone, start), localDay(other.timeZone, start)];
      const comfort = fourPlaces(weighed.comfortAt(i));
      return { start, product: fourPlaces(edgeAt(weighed.products, i)), comfort, days };
    });
  return { times };
}

/** Moves the entries that overlap a better one behind all that do not. */
function apartFirst(best: readonly number[], startOf: (i: number) => number, duration: number): number[] {
  const apart: number[] = [];
  const others: number[] = [];
  for (const i of best) {
    const isApart = apart.every((j) => Math.abs(startOf(i) - startOf(j)) >= duration);
    (isApart ? apart : others).push(i);
  }
  return [...apart, ...others];
}
