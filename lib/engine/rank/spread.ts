import { DAY_MINUTES, HOUR } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { bestFirst, type Weighed } from './merit.ts';
import { SPREAD } from './parts.ts';

const NOON = 12 * 60;
/** The minutes of the clock from which on two starts count as different hours. */
const APART = 120;

/**
 * Returns indexes, none of which overlap: each next start is of the highest tier left, and of that the highest merit ×
 * spread. With `onOtherDates`, no date gets a second start while another has one, whatever its tier.
 */
export function pickSpread(
  weighed: Weighed,
  duration: number,
  most: number,
  { onOtherDates = false }: { onOtherDates?: boolean } = {},
): number[] {
  const { starts, tiers, meritAt, mostAt } = weighed;
  let [highest, peak] = [Number.NEGATIVE_INFINITY, 0];
  // No start from `i` on has more merit than `peaks[i]`.
  const peaks = new Float64Array(starts.length);
  for (let i = starts.length - 1; i >= 0; i--) {
    if ((tiers[i] as number) > highest) highest = tiers[i] as number;
    peak = Math.max(peak, mostAt(i));
    peaks[i] = peak;
  }
  const picked: number[] = [];
  while (picked.length < most) {
    let best = onOtherDates ? bestBeside(true) : -1;
    if (best < 0) best = bestBeside(false);
    if (best < 0) break;
    picked.push(best);
  }
  return picked.sort(bestFirst(weighed));

  /** Returns -1 if all overlap those picked so far or lie on their dates. */
  function bestBeside(isOnOtherDate: boolean): number {
    let best = -1;
    let bestTier = Number.NEGATIVE_INFINITY;
    let bestMerit = 0;
    for (let i = 0; i < starts.length; i++) {
      if (bestTier === highest && (peaks[i] as number) <= bestMerit) break;
      const tier = tiers[i] as number;
      const bound = mostAt(i);
      const isAhead = tier > bestTier;
      if (tier < bestTier || (!isAhead && bound <= bestMerit)) continue;
      if (isOnOtherDate && hasDate(weighed, picked, i)) continue;
      const spread = spreadAt(weighed, picked, i, duration);
      if (spread === 0 || (!isAhead && bound * spread <= bestMerit)) continue;
      const merit = meritAt(i) * spread;
      if (!isAhead && merit <= bestMerit + 1e-9) continue;
      best = i;
      bestTier = tier;
      bestMerit = merit;
    }
    return best;
  }
}

const hasDate = ({ days }: Weighed, picked: readonly number[], i: number): boolean =>
  picked.some((pick) => days[pick] === days[i]);

/** Returns a number between 0 and 1: 0 for a start that overlaps one of those picked so far. */
function spreadAt({ starts, days, minutes }: Weighed, picked: readonly number[], i: number, duration: number): number {
  const start = starts[i] as number;
  const minute = minutes[i] as number;
  let onDate = 0;
  let isBeside = false;
  let isNear = false;
  let isSameHalf = picked.length > 0;
  for (let j = 0; j < picked.length; j++) {
    const pick = picked[j] as number;
    const pickMinute = minutes[pick] as number;
    const distance = Math.abs((starts[pick] as number) - start);
    if (distance < duration) return 0;
    const apart = Math.abs(pickMinute - minute);
    if (days[pick] === days[i]) {
      onDate++;
      if (distance < HOUR) isBeside = true;
    }
    if (apart < APART || apart > DAY_MINUTES - APART) isNear = true;
    if (pickMinute < NOON !== minute < NOON) isSameHalf = false;
  }
  return (
    SPREAD.same_date.number ** Math.min(onDate, 2) *
    (isBeside ? SPREAD.side_by_side.number : 1) *
    (isNear ? SPREAD.same_clock.number : 1) *
    (isSameHalf ? SPREAD.same_half.number : 1)
  );
}

/** Returns indexes in order of tier, then of merit. No two overlap. */
export function pickInOrder(weighed: Weighed, duration: number, most: number): number[] {
  const { starts } = weighed;
  const picked: number[] = [];
  for (const i of [...starts.keys()].sort(bestFirst(weighed))) {
    if (picked.length === most) break;
    if (picked.every((pick) => Math.abs(edgeAt(starts, pick) - edgeAt(starts, i)) >= duration)) picked.push(i);
  }
  return picked;
}
