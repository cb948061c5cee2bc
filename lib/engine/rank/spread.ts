import { DAY_MINUTES, HOUR } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { bestFirst, type Weighed } from './merit.ts';
import { SPREAD } from './parts.ts';

const NOON = 12 * 60;
/** The minutes of the clock from which on two starts count as different hours. */
const APART = 120;

/**
 * Picks at most `most` starts to offer side by side, and returns their indexes, best first. No two overlap. The starts
 * are taken one after the other, each the one of the highest tier left with the highest merit × spread. With
 * `onOtherDates`, no second start is taken on a date while another date has one, whatever its tier.
 */
export function pickSpread(
  weighed: Weighed,
  duration: number,
  most: number,
  { onOtherDates = false }: { onOtherDates?: boolean } = {},
): number[] {
  const { starts, tiers, meritAt, most: bounds, days } = weighed;
  const highest = tiers.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  // No start from `i` on has more merit than `peaks[i]`.
  const peaks = bounds.slice();
  for (let i = peaks.length - 2; i >= 0; i--) peaks[i] = Math.max(edgeAt(bounds, i), edgeAt(peaks, i + 1));
  const picked: number[] = [];
  while (picked.length < most) {
    let best = -1;
    let bestTier = Number.NEGATIVE_INFINITY;
    let bestMerit = 0;
    let isBestApart = !onOtherDates;
    for (let i = 0; i < starts.length; i++) {
      if (bestTier === highest && isBestApart && edgeAt(peaks, i) <= bestMerit) break;
      const tier = edgeAt(tiers, i);
      const isApart = !onOtherDates || picked.every((pick) => days[pick] !== days[i]);
      const isAhead = isApart === isBestApart ? tier > bestTier : isApart;
      const isLevel = isApart === isBestApart && tier === bestTier;
      if (!isAhead && (!isLevel || edgeAt(bounds, i) <= bestMerit)) continue;
      const spread = spreadAt(weighed, picked, i, duration);
      if (spread === 0 || (!isAhead && edgeAt(bounds, i) * spread <= bestMerit)) continue;
      const merit = meritAt(i) * spread;
      if (!isAhead && merit <= bestMerit + 1e-9) continue;
      best = i;
      bestTier = tier;
      bestMerit = merit;
      isBestApart = isApart;
    }
    if (best < 0) break;
    picked.push(best);
  }
  return picked.sort(bestFirst(weighed));
}

/** Returns the spread of a start beside those picked so far, between 0 and 1: 0 if it overlaps one of them. */
function spreadAt({ starts, days, minutes }: Weighed, picked: readonly number[], i: number, duration: number): number {
  if (picked.length === 0) return 1;
  const [start, day, minute] = [edgeAt(starts, i), edgeAt(days, i), edgeAt(minutes, i)];
  const isMorning = minute < NOON;
  let [isOnDate, isBeside, isNear, isSameHalf] = [false, false, false, true];
  for (const pick of picked) {
    const distance = Math.abs(edgeAt(starts, pick) - start);
    if (distance < duration) return 0;
    const apart = Math.abs(edgeAt(minutes, pick) - minute);
    if (edgeAt(days, pick) === day) isOnDate = true;
    if (edgeAt(days, pick) === day && distance < HOUR) isBeside = true;
    if (Math.min(apart, DAY_MINUTES - apart) < APART) isNear = true;
    if (edgeAt(minutes, pick) < NOON !== isMorning) isSameHalf = false;
  }
  return (
    (isOnDate ? SPREAD.same_date.number : 1) *
    (isBeside ? SPREAD.side_by_side.number : 1) *
    (isNear ? SPREAD.same_clock.number : 1) *
    (isSameHalf ? SPREAD.same_half.number : 1)
  );
}

/**
 * Picks at most `most` starts to try one after another, and returns their indexes in that order: by tier, then by merit.
 * No two overlap.
 */
export function pickInOrder(weighed: Weighed, duration: number, most: number): number[] {
  const { starts } = weighed;
  const picked: number[] = [];
  for (const i of [...starts.keys()].sort(bestFirst(weighed))) {
    if (picked.length === most) break;
    if (picked.every((pick) => Math.abs(edgeAt(starts, pick) - edgeAt(starts, i)) >= duration)) picked.push(i);
  }
  return picked;
}
