import type { TimeFacts } from '../engine/rank/time-facts.ts';
import type { Slot } from '../engine/types.ts';
import { type Clause, costsOf, gainsOf, whyWords } from './clauses.ts';
import { notesAbout } from './notes.ts';
import { say } from './patterns.ts';
import { namesOf, type Party, whenForBoth } from './people.ts';

/** A slot with the sentence that sets it apart from the other slots of its answer. */
export type SaidSlot = Slot & { reason: string };

/** Says when a time in a proposal is, on both people's clocks. */
export const sayOfferedTime = (start: number, people: readonly [Party, Party]): string =>
  say('offer.time', { time: whenForBoth(start, people) });

/**
 * Adds to each slot the sentence that sets it apart from the others. `facts` holds what the sentences say, in the order
 * of the slots.
 */
export function withReasons(slots: readonly Slot[], facts: readonly TimeFacts[]): SaidSlot[] {
  const reasons = sayReasons(facts);
  return slots.map((slot, i) => ({ ...slot, reason: reasons[i] ?? '' }));
}

/** Says in one sentence for each offered time when it is on both clocks, and what sets it apart from the others. */
export function sayReasons(offered: readonly TimeFacts[]): string[] {
  const [first] = offered;
  if (first === undefined) return [];
  const notes = notesAbout(offered, namesOf(first.people));
  return offered.map((facts, i) => {
    const sentence = timeWith(facts, sayWhy(facts, offered));
    const note = notes[i];
    return note === undefined ? sentence : say('slot.note', { sentence: sentence.slice(0, -1), note });
  });
}

/** Says when a time is, and why, if there is something to say. */
export function timeWith({ start, people }: TimeFacts, why: string): string {
  const time = whenForBoth(start, people);
  return why === '' ? say('offer.time', { time }) : say('slot.why', { time, why });
}

/**
 * Returns the words that a sentence about a time has after the time itself, or an empty text. An advantage that other
 * offered times have too tells nobody which one to take, so only the first of them names it.
 */
export function sayWhy(facts: TimeFacts, offered: readonly TimeFacts[]): string {
  const names = namesOf(facts.people);
  const place = offered.findIndex(({ start }) => start === facts.start);
  const costs = costsOf(facts, names);
  // The drawbacks of a time that is not offered are the reason.
  if (place < 0 && costs.length > 0) return whyWords([], costs);
  const others = offered.filter((_, i) => i !== place);
  const known = new Set(others.flatMap((other) => gainsOf(other, names).map(({ kind }) => kind)));
  const isTelling = ({ kind }: Clause) => kind === 'asked' || place === 0 || !known.has(kind);
  const isEarliest = others.length > 0 && place >= 0 && facts.isFirst;
  const own = gainsOf(facts, names).filter(isTelling);
  const gains =
    isEarliest && facts.fromAsked === undefined ? [{ kind: 'earliest', text: say('gain.earliest') }, ...own] : own;
  return whyWords(own.filter(({ kind }) => kind === 'only').length > 0 ? own : gains, costs);
}
