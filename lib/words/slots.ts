import type { SlotFacts } from '../engine/rank/slot-facts.ts';
import { DAY, DAY_MINUTES, sayDate } from '../engine/time/dates.ts';
import type { Slot } from '../engine/types.ts';
import { type Cost, costsOf, costWords, isBesideMeeting } from './costs.ts';
import { gainsOf, ON_THE_CLOCK, type Phrase } from './gains.ts';
import { say } from './patterns.ts';
import { haveOneClock, lasting, type Names, namesOf, type Party, whenForBoth } from './people.ts';

/** A slot with the sentence that sets it apart from the other slots of its answer. */
export type SaidSlot = Slot & { reason: string };

/** Says when a time is that a platform offers in a proposal, on both people's clocks. */
export const sayOfferedTime = (start: number, people: readonly [Party, Party]): string =>
  say('offer.time', { time: whenForBoth(start, people, true) });

const DAYS_WITHOUT_DATE = 6 * DAY;
const WEEK_DAYS = 7;

/** Returns the slots, each with the sentence that sets it apart from the others. The facts are in the same order. */
export function withReasons(slots: readonly Slot[], facts: readonly SlotFacts[]): SaidSlot[] {
  const reasons = sayReasons(facts);
  return slots.map((slot, i) => ({ ...slot, reason: reasons[i] ?? '' }));
}

/**
 * Says in one sentence for each offered time what sets it apart from the others: both clocks, what it costs, and the
 * advantage that the fewest of the others share.
 */
export function sayReasons(offered: readonly SlotFacts[]): string[] {
  const [first] = offered;
  if (first === undefined) return [];
  const names = namesOf(first.people);
  const dated = needDates(offered);
  const gains = offered.map((facts) => gainsOf(facts, offered, names));
  const shared = new Map<string, number>();
  for (const { text } of gains.flat()) shared.set(text, (shared.get(text) ?? 0) + 1);
  const said = new Set<string>();
  const holidays = new Set<string>();
  return offered.map((facts, i) => {
    const costs = costsOf(facts, names);
    const open = gains[i]?.toSorted((a, b) => rarest(a, b, shared)) ?? [];
    const why = whyOf(costs, open, leadWords(facts), said);
    said.add(why);
    return sentenceOf(facts, withHoliday(why, facts, names, holidays), dated);
  });
}

/**
 * Returns true if a weekday alone could mean two dates for one of the times: the search covers the weekday twice, or
 * the time is far away. All times of an answer then have their dates.
 */
const needDates = (offered: readonly SlotFacts[]): boolean =>
  offered.some(({ start, now, windowDays }) => windowDays > WEEK_DAYS || start - now > DAYS_WITHOUT_DATE);

/** Compares two advantages. The stronger kind comes first, then the one that fewer of the offered times share. */
const rarest = (a: Phrase, b: Phrase, shared: ReadonlyMap<string, number>): number =>
  a.rank - b.rank || (shared.get(a.text) ?? 0) - (shared.get(b.text) ?? 0);

/**
 * Returns the words for an offered time: its costs, its advantages or both. Tries one wording after another and takes
 * the first that no other sentence of the answer has used. One strong advantage is tried first, and pairs of advantages
 * later. `lead` is the phrase that says how many days there are until the time. If all wordings are used, takes the
 * first one again.
 */
function whyOf(
  costs: readonly Cost[],
  gains: readonly Phrase[],
  lead: string | undefined,
  said: ReadonlySet<string>,
): string {
  const cost = costWords(costs);
  // A meeting right beside this one is a cost that comes last: it seldom speaks against a time.
  const isSmall = costs.every(isBesideMeeting);
  // An advantage for the very person who bears a cost reads like a contradiction.
  const isForBearer = ({ text }: Phrase) => costs.some(({ who = '' }) => who !== '' && text.endsWith(` for ${who}`));
  const strong = gains.filter(({ rank }) => rank < ON_THE_CLOCK);
  const fitting = strong.filter((phrase) => !isForBearer(phrase));
  const weak = gains.filter(({ rank }) => rank === ON_THE_CLOCK);
  const beside = ({ text, about, isLast = false }: Phrase) => {
    if (about === 'asked' && cost !== undefined) return say('pair', { first: text, second: cost });
    return withCosts(text, isLast ? costs.filter(({ isLastThing }) => !isLastThing) : costs);
  };
  const and = (gain: string) =>
    cost === undefined || isSmall ? withCosts(gain, costs) : say('and', { first: cost, second: gain });
  // Each way is tried only when the ways before it say nothing new.
  const ways = [
    () => fitting.map(beside),
    () => (cost === undefined || isSmall ? [] : [cost, say('slot.also', { why: cost })]),
    () => (lead === undefined ? [] : [withCosts(lead, costs)]),
    () => pairsOf(fitting).map((pair) => withCosts(pair, costs)),
    () => weak.map(({ text }) => and(text)),
    () => pairsOf([...fitting, ...weak]).map((pair) => withCosts(pair, costs)),
    () => strong.filter(isForBearer).map(beside),
  ];
  let first: string | undefined;
  for (const way of ways)
    for (const why of way()) {
      if (!said.has(why)) return why;
      first ??= why;
    }
  return first ?? '';
}

/** Says an advantage with the costs: "early for Noah, but the only time that day". */
function withCosts(gain: string, costs: readonly Cost[]): string {
  const cost = costWords(costs);
  if (cost === undefined) return gain;
  return costs.every(isBesideMeeting) ? say('slot.though', { gain, cost }) : say('slot.but', { cost, gain });
}

/**
 * Says how many days there are until a time. Alternatives to a time that was asked for say instead how far they are from
 * that.
 */
function leadWords({ start, now, fromAsked }: SlotFacts): string | undefined {
  const days = Math.floor((start - now) / DAY);
  if (days < 1 || fromAsked !== undefined) return undefined;
  return say('gain.lead', { length: lasting(days * DAY_MINUTES) });
}

/**
 * Returns every pair of advantages with different subjects, each joined into one phrase. An advantage that begins with
 * "with" comes last in its pair.
 */
function pairsOf(gains: readonly Phrase[]): string[] {
  return gains.flatMap((a, i) =>
    gains.slice(i + 1).flatMap((b) => {
      if (a.about === b.about) return [];
      const [first, second] = startsWithWith(a.text) ? [b.text, a.text] : [a.text, b.text];
      return [say('pair', { first, second })];
    }),
  );
}

const startsWithWith = (text: string) => text.startsWith('with ');

function sentenceOf(facts: SlotFacts, why: string, isDated: boolean): string {
  const time = whenForBoth(facts.start, facts.people, isDated);
  const isShort = haveOneClock(facts.start, facts.people) || startsWithWith(why);
  return say(isShort ? 'slot.one_clock' : 'slot.two_clocks', { time, why });
}

/** Adds that the day before or after is a public holiday. An answer names each holiday once. */
function withHoliday(why: string, { people }: SlotFacts, names: Names, told: Set<string>): string {
  for (const { email, holidaysBeside } of people)
    for (const { date, name } of holidaysBeside) {
      if (told.has(date)) continue;
      told.add(date);
      const isOfBoth = people.every((one) => one.holidaysBeside.some((holiday) => holiday.date === date));
      const who = isOfBoth ? 'both' : names.short(email);
      return say('slot.holiday', { why, day: sayDate(date).split(',')[0] ?? '', holiday: name, who });
    }
  return why;
}
