import { type AutoFactor, type AutoSearch, autoFactors, bestProduct, productAt } from './auto-factors.ts';
import { candidateStarts } from './candidates.ts';
import { contextRow } from './contexts.ts';
import { MINUTE } from './dates.ts';
import { fairestFirst } from './fairness.ts';
import { edgeAt } from './intervals.ts';
import { ALL_RULES } from './person-rules.ts';
import {
  avoidedFor,
  costsOf,
  fairnessOf,
  type GivenUp,
  gainsOf,
  type PickFacts,
  placeAmong,
  withoutObjections,
} from './pick-facts.ts';
import { areEqual, momentAt, pickSpread, type Weighed, weigh } from './ranked.ts';
import { type Relaxation, relaxationsOf } from './relaxations.ts';
import { fourPlaces } from './score.ts';
import type { Search } from './types.ts';
import { whyEmpty } from './why-empty.ts';
import { formatInZone } from './zone.ts';

export type MatchQuality = 'excellent' | 'good' | 'fair';

/** A time the service would book. */
export interface PickedSlot {
  start: number;
  end: number;
  /** ISO 8601 with the requester's offset. */
  startTime: string;
  endTime: string;
  /** Why this one; worked out when asked for. */
  facts: () => PickFacts;
}

/** A time picked for a new meeting. */
export interface AutoSlot extends PickedSlot {
  /** Its product as a share of the best there could be, 0-1 at four places; `matchQuality` follows from it alone. */
  score: number;
  matchQuality: MatchQuality;
}

/** The ranked choices, best first, none overlapping another; without any, why, and which single changes would open some. */
export interface Ranking<S extends PickedSlot> {
  ranked: S[];
  message?: string | undefined;
  relaxations?: Relaxation[];
}

/** As many times are tried before searching anew. */
export const MOST_CHOICES = 20;

/**
 * Ranks by availability's score × meeting context × both people's preferences, with the notice of the context, where soon
 * comes first in order of time; where nothing is free with the notice, the latest comes first (decisions, Scheduling).
 */
export function rankAuto(search: AutoSearch): Ranking<AutoSlot> {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { ranked: [], message: whyEmpty(search), relaxations: relaxationsOf(search) };
  const factors = autoFactors(search);
  const weighed = weighAuto(search, starts, factors);
  const best = bestProduct(search);
  const picked = pickSpread(weighed, search.durationMinutes * MINUTE, MOST_CHOICES, fairestFirst(search));
  const ranked = picked.map((i) => {
    const start = edgeAt(weighed.starts, i);
    const score = fourPlaces(productAt(factors, momentAt(search, start)) / best);
    const equals = () =>
      weighed.starts.filter((_, j) => areEqual(edgeAt(weighed.products, j), edgeAt(weighed.products, i)));
    const facts = () => factsOf(search, factors, starts, start, equals);
    return { ...toPicked(search, start, facts), score, matchQuality: qualityOf(score) };
  });
  return { ranked };
}

/** The slot that starts then. */
export function toPicked({ requester, durationMinutes }: Search, start: number, facts: () => PickFacts): PickedSlot {
  const end = start + durationMinutes * MINUTE;
  const [startTime, endTime] = [formatInZone(requester.timeZone, start), formatInZone(requester.timeZone, end)];
  return { start, end, startTime, endTime, facts };
}

/** How good a match a score is: excellent from 0.8, good from 0.6 (decisions, Scheduling). */
export function qualityOf(score: number): MatchQuality {
  if (score >= 0.8) return 'excellent';
  return score >= 0.6 ? 'good' : 'fair';
}

/** The starts that have the notice, or else all, with what they are picked by: the product, or their place in time. */
function weighAuto(search: AutoSearch, starts: readonly number[], factors: readonly AutoFactor[]): Weighed {
  const { soon, notice } = contextRow(search.context);
  const noticed = starts.filter((start) => start >= search.now + notice * MINUTE);
  if (noticed.length === 0) return weigh(search, starts, ({ start }) => start);
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
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false });
  const unasked = weighAuto(search, open, withoutObjections(factors));
  const instead = pickSpread(unasked, 0, 1, fairestFirst(search)).map((i) => edgeAt(unasked.starts, i))[0] ?? start;
  return {
    start,
    end: start + durationMinutes * MINUTE,
    people: [
      { email: requester.email, timeZone: requester.timeZone },
      { email: other.email, timeZone: other.timeZone },
    ],
    context,
    decided: [...placeAmong(search, starts, start), ...gainsOf(search, factors, start)],
    avoided: avoidedFor(search, factors, start, instead),
    givenUp: [...shortNotice, ...costsOf(search, factors, start)],
    fairness: fairnessOf(search, start, equals()),
  };
}
