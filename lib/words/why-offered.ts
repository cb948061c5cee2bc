import { type Cost, costWords } from './costs.ts';
import type { Phrase } from './gains.ts';
import { say } from './patterns.ts';

/** A time's drawbacks and advantages, from which the sentence about it is made. */
interface Weighing {
  /** All drawbacks of the time. */
  borne: readonly Cost[];
  /** The drawbacks that the sentence names. */
  left: readonly Cost[];
  /** The advantages that the sentence may name, best first. */
  gains: readonly Phrase[];
  /** True for the first time offered, whose sentence says what put it first. */
  isFirst: boolean;
  /** True for a time that is not offered. Its drawbacks then stand alone, because they are the reason. */
  isPassedOver: boolean;
}

/**
 * Returns the words about a time: its drawbacks, an advantage or both. An advantage stands before the drawback, so that
 * nobody asks why the time is offered. It balances a drawback only if the person with the drawback has the advantage
 * too. One for the other person alone, or one about the hour, balances nothing but a meeting right beside the time. The
 * first sentence names such an advantage too.
 */
export function whyOf({ borne, left, gains, isFirst, isPassedOver }: Weighing): string {
  if (borne.length === 0) return gains.find(({ isAgainstCost }) => isAgainstCost !== true)?.text ?? '';
  if (isPassedOver) return costWords(left) ?? '';
  // A meeting right beside this one is a cost that comes last: it seldom speaks against a time.
  const isSmall = borne.every(({ isBesideMeeting }) => isBesideMeeting);
  const isOfOne = borne.length === 1;
  for (const phrase of gains) {
    const { text, about, rank } = phrase;
    if (isForBearer(phrase, borne)) continue;
    const against = phrase.isLast ? left.filter(({ isLastThing }) => !isLastThing) : left;
    // To be the last free time of somebody's day is no comfort. It only says more than "at the end of the day" does.
    if (phrase.isLast && against.length > 0) continue;
    const cost = costWords(isSmall ? withoutBoth(against, text) : against);
    if (cost === undefined && (phrase.isForAll || rank === 0)) return text;
    if (cost === undefined) continue;
    const isForHour = (isSmall && about === 'part') || (isFirst && phrase.isFactor === true);
    if (rank < 1 || about === 'asked' || (isOfOne && (phrase.isForAll || isForHour)))
      return say('but', { first: text, second: cost });
  }
  return costWords(left) ?? '';
}

/**
 * Returns true if an advantage is one for the same person who has a drawback, because naming both would read like a
 * contradiction.
 */
const isForBearer = ({ text }: Phrase, costs: readonly Cost[]) =>
  costs.some(({ who = '' }) => who !== '' && text.endsWith(` for ${who}`));

/** Drops "for both" from the costs beside an advantage that ends with "both": "suits both, but back to back". */
const withoutBoth = (costs: readonly Cost[], text: string): Cost[] =>
  costs.map((cost) => (cost.who === 'both' && text.endsWith('both') ? { ...cost, who: undefined } : cost));
