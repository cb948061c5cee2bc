import type { TimeFacts } from '../engine/rank/time-facts.ts';
import type { SaidSlot, Slot } from '../engine/types.ts';
import { type Clause, costsOf, gainsOf, whyWords } from './clauses.ts';
import { notesAbout } from './notes.ts';
import { say } from './patterns.ts';
import { type Names, namesOf, type Party, whenForBoth } from './people.ts';

export const sayOfferedTime = (start: number, people: readonly [Party, Party]): string =>
  say('offer.time', { time: whenForBoth(start, people) });

/** `facts` are in the order of the slots. */
export function withReasons(slots: readonly Slot[], facts: readonly TimeFacts[]): SaidSlot[] {
  const reasons = sayReasons(facts);
  return slots.map((slot, i) => ({ ...slot, reason: reasons[i] ?? '' }));
}

/** Says in one sentence for each offered time when it is on both clocks, and what sets it apart from the others. */
export function sayReasons(offered: readonly TimeFacts[]): string[] {
  const [first] = offered;
  if (first === undefined) return [];
  const names = namesOf(first.people);
  const notes = notesAbout(offered, names);
  const gains = offered.map((facts) => gainsOf(facts, names));
  return offered.map((facts, i) => {
    const sentence = timeWith(facts, whyAmong(gains, i, facts, names));
    const note = notes[i];
    return note === undefined ? sentence : say('slot.note', { sentence: sentence.slice(0, -1), note });
  });
}

export function timeWith({ start, people }: TimeFacts, why: string): string {
  const time = whenForBoth(start, people);
  return why === '' ? say('offer.time', { time }) : say('slot.why', { time, why });
}

/** Returns the words that a sentence about a time has after the time itself, or an empty text. */
export function sayWhy(facts: TimeFacts, offered: readonly TimeFacts[]): string {
  const names = namesOf(facts.people);
  const place = offered.findIndex(({ start }) => start === facts.start);
  const gains = offered.map((one) => gainsOf(one, names));
  return whyAmong(gains, place, facts, names);
}

/** An advantage that other offered times have too tells nobody which to take, so only the first of them names it. */
function whyAmong(gains: readonly Clause[][], place: number, facts: TimeFacts, names: Names): string {
  const costs = costsOf(facts, names);
  // The drawbacks of a time that is not offered are the reason.
  if (place < 0 && costs.length > 0) return whyWords([], costs);
  const known = new Set(gains.flatMap((other, i) => (i === place ? [] : other.map(({ kind }) => kind))));
  const isTelling = ({ kind }: Clause) => kind === 'asked' || place === 0 || !known.has(kind);
  const own = (gains[place] ?? gainsOf(facts, names)).filter(isTelling);
  const isEarliest = gains.length > 1 && place >= 0 && facts.isFirst && facts.fromAsked === undefined;
  const isOnly = own.some(({ kind }) => kind === 'only');
  return whyWords(isEarliest && !isOnly ? [{ kind: 'earliest', text: say('gain.earliest') }, ...own] : own, costs);
}
