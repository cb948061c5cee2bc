import { type AutoSearch, autoFactors } from './auto-factors.ts';
import { candidateStarts } from './candidates.ts';
import { CONTEXTS } from './contexts.ts';
import { MINUTE } from './dates.ts';
import { edgeAt } from './intervals.ts';
import { ALL_RULES, type Applied, WORK_HOURS_ONLY } from './person-rules.ts';
import { momentAt, pickSpread, weigh } from './ranked.ts';
import { reasonOf } from './reason.ts';
import { rulesOf } from './score.ts';
import { describeSlot, productOf } from './slot.ts';
import type { Factor, Slot } from './types.ts';
import { whyEmpty } from './why-empty.ts';

export type MatchQuality = 'excellent' | 'good' | 'fair';

export interface AutoSlot extends Slot {
  matchQuality: MatchQuality;
}

/** The ranked choices, best first, none overlapping another, and the best these two could have with empty calendars. */
export interface AutoRanking {
  ranked: AutoSlot[];
  bestPossible: Slot | undefined;
  message?: string | undefined;
}

const MOST_CHOICES = 20;

/** Ranks by availability's score × meeting context × both people's energy × both people's learned weights. */
export function rankAuto(search: AutoSearch): AutoRanking {
  const best = weighAuto(search, WORK_HOURS_ONLY);
  const ideal = pickSpread(best, 0, 1).map((i) => edgeAt(best.starts, i))[0];
  const describe = (start: number, factors: Factor[]) => {
    const moment = momentAt(search, start);
    return describeSlot(search, start, factors, reasonOf(search, moment, rulesOf(moment)));
  };
  const bestPossible = ideal === undefined ? undefined : describe(ideal, best.factorsAt(ideal));
  const weighed = weighAuto(search, ALL_RULES);
  const { starts, products, factorsAt } = weighed;
  if (starts.length === 0) return { ranked: [], bestPossible, message: whyEmpty(search) };

  const order = CONTEXTS[search.context ?? 'team_standup'].soonest
    ? Float64Array.from(starts, (start) => -start)
    : products;
  const picked = pickSpread({ ...weighed, products: order }, search.durationMinutes * MINUTE, MOST_CHOICES);
  const bestProduct = bestPossible ? productOf(bestPossible.factors) : 1;
  const ranked = picked.map((i) => {
    const start = edgeAt(starts, i);
    const slot = describe(start, factorsAt(start));
    return { ...slot, matchQuality: qualityOf(edgeAt(products, i) / bestProduct) };
  });
  return { ranked, bestPossible };
}

/** How near a choice comes to the best possible one: excellent from 0.8, good from 0.6 (decisions, Scheduling). */
export function qualityOf(share: number): MatchQuality {
  if (share >= 0.8) return 'excellent';
  return share >= 0.6 ? 'good' : 'fair';
}

function weighAuto(search: AutoSearch, applied: Applied) {
  const factorsAt = autoFactors(search, applied);
  const starts = candidateStarts(search, applied);
  return { ...weigh(search, starts, ({ start }) => productOf(factorsAt(start))), factorsAt };
}
