import type { SlotFacts } from '../engine/rank/slot-facts.ts';
import type { Slot } from '../engine/types.ts';
import { type Difference, differencesOf } from './apart.ts';
import { type Cost, costsOf, isToldBySeason, whoIsOff, withDaysOff } from './costs.ts';
import { gainsOf, tellingGains } from './gains.ts';
import { notesAbout } from './notes.ts';
import { say } from './patterns.ts';
import { haveOneClock, type Names, namesOf, type Party, whenForBoth } from './people.ts';
import { whyOf } from './why-offered.ts';

/** A slot with the sentence that sets it apart from the other slots of its answer. */
export type SaidSlot = Slot & { reason: string };

/** Says when a time in a proposal is, on both people's clocks. */
export const sayOfferedTime = (start: number, people: readonly [Party, Party]): string =>
  say('offer.time', { time: whenForBoth(start, people) });

/**
 * Adds to each slot the sentence that sets it apart from the others. `facts` holds what the sentences say, in the order
 * of the slots.
 */
export function withReasons(slots: readonly Slot[], facts: readonly SlotFacts[]): SaidSlot[] {
  const reasons = sayReasons(facts);
  return slots.map((slot, i) => ({ ...slot, reason: reasons[i] ?? '' }));
}

/**
 * Says in one sentence for each offered time what sets it apart from the others: both clocks, its drawbacks, and an
 * advantage that no other has. An advantage that others have too stands in the first sentence, or in none. A cost that
 * another sentence has named in full stands in its short form.
 */
export function sayReasons(offered: readonly SlotFacts[]): string[] {
  const [first] = offered;
  if (first === undefined) return [];
  return wordsAbout(offered, namesOf(first.people)).map(sentenceOf);
}

/** Says in one sentence what sets a time apart from the times that were offered instead of it. */
export function sayReasonAgainst(facts: SlotFacts, offered: readonly SlotFacts[]): string {
  const [own] = wordsAlone(facts, offered);
  return own === undefined ? '' : sentenceOf(own);
}

/**
 * Returns the words that a sentence about a time has after the time itself, or an empty text. They can be understood
 * without the sentences about the other times that a search offers.
 */
export const sayWhy = (facts: SlotFacts, offered: readonly SlotFacts[]): string =>
  wordsAlone(facts, offered)[0]?.why ?? '';

function wordsAlone(facts: SlotFacts, offered: readonly SlotFacts[]): [Told] {
  const names = namesOf(facts.people);
  const place = offered.findIndex(({ start }) => start === facts.start);
  const all = place < 0 ? [...offered, facts] : offered;
  const i = place < 0 ? offered.length : place;
  const gains = all.map((one) => gainsOf(one, all, names));
  const borne = costsOf(facts, names);
  // "The soonest of these" means nothing where the others are not listed.
  const telling = tellingGains(i, gains).filter(({ isAgainstCost }) => isAgainstCost !== true);
  const why = whyOf({ borne, left: borne, gains: telling, isFirst: i === 0, isPassedOver: place < 0 });
  return [{ facts, why, marks: [undefined, undefined], notes: [] }];
}

/** A time with the words about it. */
interface Told {
  facts: SlotFacts;
  /** The words after the time, or an empty text. */
  why: string;
  marks: Marks;
  /** Facts without which people would misread the times, such as the public holidays among the dates. */
  notes: string[];
}

/** Finds the words about each time in turn, so that a drawback can be shortened after another sentence has named it. */
function wordsAbout(offered: readonly SlotFacts[], names: Names): Told[] {
  const gains = offered.map((facts) => gainsOf(facts, offered, names));
  const told = new Set<string>();
  // The first sentence that names a holiday says who has it.
  const holidays = new Set<string>();
  const alone = offered.map((facts, i) => {
    const borne = costsOf(facts, names).flatMap((cost) => {
      const date = cost.bridge?.holiday.date;
      if (date === undefined || holidays.has(date)) return [cost];
      holidays.add(date);
      return withDaysOff([cost], facts.people, names);
    });
    const { left, marks } = inShort(borne, facts, told);
    const weighing = { borne, gains: tellingGains(i, gains), isFirst: i === 0, isPassedOver: false };
    for (const cost of borne) told.add(keyOf(cost));
    const [why, whole] = [whyOf({ ...weighing, left }), whyOf({ ...weighing, left: borne })];
    return { facts, why, whole, marks };
  });
  const all = setApart(alone, offered, names, holidays);
  const notes = notesAbout(offered, names, holidays);
  return all.map((one, i) => ({ ...one, notes: notes[i] ?? [] }));
}

/** A time with the words about it, before these are compared with the words about the other times. */
interface ToldAlone extends Omit<Told, 'notes'> {
  /** The words without short forms for what another sentence has named. */
  whole: string;
}

/**
 * Adds to each time without words of its own, or with the same as an earlier one, a difference between it and the other
 * times. A time without any difference keeps its date alone. The first sentence that names a holiday says who has it,
 * and the date of the holiday is added to `holidays`.
 */
function setApart(
  all: readonly ToldAlone[],
  offered: readonly SlotFacts[],
  names: Names,
  holidays: Set<string>,
): Omit<Told, 'notes'>[] {
  const used = new Set<string>();
  const isNew = (words: string) => words !== '' && !used.has(words) && used.add(words).size > 0;
  const isAlike = all.map(({ whole }) => !isNew(whole));
  return all.map(({ whole, ...one }, i) => {
    if (!isAlike[i]) return one;
    const said = differencesOf(one.facts, offered, names)
      .filter((difference) => i > 0 || mayStandFirst(difference))
      .map(({ text, holiday, ...rest }) => {
        const isNamed = holiday === undefined || holidays.has(holiday) || isToldBySeason(holiday, offered);
        const who = isNamed ? undefined : whoIsOff(holiday, one.facts.people, names);
        const words = who === undefined ? text : say('apart.off', { apart: text, who });
        return { holiday, words: withDifference(one.why, { ...rest, text: words }) };
      })
      .find(({ words }) => isNew(words));
    if (said?.holiday !== undefined) holidays.add(said.holiday);
    return { ...one, why: said?.words ?? one.why };
  });
}

/** It is no reason to put a time first that others come before it, or that a holiday lies between it and others. */
const mayStandFirst = ({ isGain, holiday }: Difference): boolean => holiday === undefined && isGain === true;

function withDifference(why: string, { text, isGain }: Difference): string {
  if (why === '') return text;
  return isGain ? say('but', { first: text, second: why }) : say('pair', { first: text, second: why });
}

const keyOf = ({ what, who = '' }: Cost) => `${what} ${who}`;

/**
 * Shortens the drawbacks of an offered time after another sentence has named them in full. A time outside somebody's
 * day is then only marked beside their clock, such as "19:00 in Sydney (late)". "For both" is left out if the sentence
 * names no other drawback.
 */
function inShort(
  costs: readonly Cost[],
  { start, people }: SlotFacts,
  told: ReadonlySet<string>,
): { left: Cost[]; marks: Marks } {
  const marks: Marks = [undefined, undefined];
  const isMarked = !haveOneClock(start, people);
  const left = costs.flatMap((cost): Cost[] => {
    if (cost.outside === undefined || !isMarked || !told.has(keyOf(cost))) return [cost];
    for (const [i, { outside }] of people.entries()) if (outside === cost.outside) marks[i] = cost.what;
    return [];
  });
  const [only, ...others] = left;
  // Beside another cost, "first thing" alone would leave open whose it is.
  const isShort = only?.who === 'both' && others.length === 0 && told.has(keyOf(only));
  return { left: isShort ? [{ ...only, who: undefined }] : left, marks };
}

/** Words in brackets beside each person's clock, such as "late" in "19:00 in Sydney (late)". */
type Marks = [string | undefined, string | undefined];

function sentenceOf({ facts: { start, people }, marks, notes, why }: Told): string {
  const time = whenForBoth(start, people, marks);
  const isShort = haveOneClock(start, people) || /^with(?:out)? /.test(why);
  const sentence =
    why === '' ? say('offer.time', { time }) : say(isShort ? 'slot.one_clock' : 'slot.two_clocks', { time, why });
  return notes.reduce((told, note) => say('slot.note', { sentence: told.slice(0, -1), note }), sentence);
}
