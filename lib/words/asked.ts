import type { Avoided, Decided, Drawback, PickFacts } from '../engine/rank/pick-facts.ts';
import type { Wish, WishPart } from '../engine/wish/wish.ts';
import { HOURS } from '../engine/wish/wish-parts.ts';
import { say } from './patterns.ts';
import { hasHours, type Phrase, partWords, periodWords } from './wish.ts';

/** "Thursday after 3pm" is a wish. Sentences about it give times on this attendee's clock. */
export interface Asked {
  email: string;
  timeZone: string;
  wish: Wish;
  oldStart: number;
  /** True if the other attendee's clock shows another time, so that a sentence says on whose clock an hour is. */
  hasOwnClock?: boolean | undefined;
  /** Paths of weights that the reason has just changed. */
  taught?: string[] | undefined;
  /** True for "Mondays are bad for me", which is no request for this meeting. */
  isTaste?: boolean | undefined;
}

export const isTaught = (fact: Decided | Drawback | Avoided, asked: Asked | undefined): boolean =>
  'email' in fact &&
  fact.email === asked?.email &&
  ((fact.kind === 'learned_day' && asked.taught?.includes(`day_of_week_preference.${fact.weekday}`)) ||
    (fact.kind === 'learned_part' && asked.taught?.includes(`time_of_day_preference.${fact.part}`))) === true;

/** `isShown` is true if the meeting's date and clock times already show that the demand is met. */
export interface MetWords extends Phrase {
  isShown?: boolean | undefined;
  cannot?: string | undefined;
}

/** Returns the demands, such as "Thursday", that the reasons and drawbacks mention. */
export const partsIn = (facts: readonly (Decided | Drawback)[]) =>
  facts.flatMap((fact) => (fact.kind === 'wish' ? [fact.part] : []));

/** A named day shows that it is late enough and not an unwanted day, so these are left out. */
const BESIDE_A_DAY: ReadonlySet<WishPart> = new Set(['notBeforeOldStart', 'datesUnwanted']);
/** Left out if the sentence names the hours that were asked for. */
const BESIDE_HOURS: ReadonlySet<WishPart> = new Set(['refused', 'clockUnwanted']);
/** A longer list of dates is a span of days, which may include an unwanted weekday. */
const MOST_DAYS = 3;

/** Left out beside single days, because each already has its weekday. */
const OF_WEEKDAYS: ReadonlySet<WishPart> = new Set(['weekdaysWanted', 'weekdaysUnwanted']);

/** Names each part of the day once. A person's own preference tells more than the kind of meeting. */
export function oncePerPart<F extends Decided | Drawback>(facts: readonly F[]): F[] {
  const partOf = (fact: F) => ('part' in fact && fact.kind !== 'wish' ? fact.part : undefined);
  const emailOf = (fact: F) => ('email' in fact ? fact.email : null);
  return facts.filter((fact, i) => {
    const part = partOf(fact);
    if (part === undefined) return true;
    const alike = facts.filter((other) => other !== fact && partOf(other) === part);
    if (fact.kind === 'context') return alike.length === 0;
    return !facts.slice(0, i).some((other) => alike.includes(other) && emailOf(other) === emailOf(fact));
  });
}

/** Returns true if all hours that a wish refuses lie on dates that it does not ask for. */
const isOfOtherDays = ({ dates = [], refused = [] }: Wish): boolean =>
  refused.every((hours) => hours.dates?.every((date) => !dates.includes(date)) ?? false);

/** Returns phrases for the parts of the rescheduling wish that the chosen time meets, worded to follow "it is". */
export function metWords(facts: PickFacts, asked: Asked): MetWords[] {
  const { decided, drawbacks, start, end, isFirst, isOnlyTime } = facts;
  const { wish, timeZone } = asked;
  const missesHours = hasHours(wish) && partsIn(drawbacks).some((part) => HOURS.has(part));
  const parts = partsIn(decided).filter((part) => !(missesHours && HOURS.has(part)));
  // A person who asked for half an hour later did not ask for just any later time, so "later" is not said as met.
  const isShifted = drawbacks.some(({ kind }) => kind === 'shift');
  const isNamed = parts.some((part) => part === 'dates' || part === 'earliest');
  const areHoursNamed = parts.some((part) => HOURS.has(part));
  const isDay = parts.includes('dates') && (wish.dates ?? []).length <= MOST_DAYS;
  const period = parts.includes('earliest') && parts.includes('latest') ? periodWords(wish, timeZone) : undefined;
  const isSoonest = wish.closeness === 'soonest' && (isFirst || isOnlyTime);
  // "Later today" is not met on another day, and a named part of the day says more than "later".
  const isRelativeSaid = !isShifted && !areHoursNamed && !partsIn(drawbacks).includes('dates');
  const said = parts
    .filter((part) => !(isSoonest && part === 'latest'))
    .filter((part) => isRelativeSaid || part !== 'relative')
    .filter((part) => part !== 'notBeforeOldStart' || parts.length === 1)
    .filter((part) => !(BESIDE_A_DAY.has(part) && isNamed) && !(OF_WEEKDAYS.has(part) && isDay))
    .filter((part) => !(BESIDE_HOURS.has(part) && areHoursNamed))
    .filter(
      (part) => !(parts.includes('dates') && (part === 'earliest' || (part === 'refused' && isOfOtherDays(wish)))),
    )
    .map((part): MetWords => {
      if (period !== undefined && (part === 'earliest' || part === 'latest'))
        return { words: period, form: 'day', isShown: true };
      const { met, words, form, isShown, cannot } = partWords(wish, part, { ...asked, start, end, isDay });
      return { ...(met ?? { words, form }), isShown, cannot };
    });
  if (isSoonest) said.push({ words: say('why.soonest') });
  return said.filter(({ words }, i) => said.findIndex((one) => one.words === words) === i);
}
