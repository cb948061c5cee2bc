import type { Avoided, Decided, Drawback, PickFacts } from '../engine/rank/pick-facts.ts';
import type { Cause } from '../engine/rules/why-empty.ts';
import { HOURS, type Wish, type WishPart } from '../engine/wish/wish-parts.ts';
import { say } from './patterns.ts';
import { capitalized, listed, type Names } from './people.ts';
import { hasHours, type Phrase, partWords, periodWords, shiftWords } from './wish.ts';

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

const partsIn = (facts: readonly (Decided | Drawback)[]) =>
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

/** A clause about a part of the rescheduling wish that a time misses. One that `mayLead` gives the reason for the time. */
interface Missed {
  clause: string;
  mayLead: boolean;
}

export function missedWords(facts: PickFacts, names: Names, asked: Asked | undefined): Missed[] {
  if (asked === undefined) return [];
  return facts.drawbacks.flatMap((fact) => {
    if (fact.kind === 'shift') return [{ clause: shiftMissedWords(fact, names, asked), mayLead: true }];
    return fact.kind === 'wish' ? [partMissedWords(fact, names, facts, asked)] : [];
  });
}

const FIRST = ['dates', 'weekdaysWanted', 'earliest', 'latest', 'clockFrom', 'clockTo'] as const;

/** Says that what was asked for first is not free, if the time is one that they named for this case alone. */
export function firstMissedWords({ wish, start, end }: PickFacts, asked: Asked | undefined): Missed[] {
  if (asked === undefined || wish?.isOtherwise !== true) return [];
  const parts = FIRST.filter((part) => asked.wish[part] !== undefined);
  const phrases = parts.map((part) => partWords(asked.wish, part, { ...asked, start, end }));
  const told = phrases.filter(({ words }, i) => phrases.findIndex((one) => one.words === words) === i);
  return [{ clause: noneWords(together(told), ''), mayLead: true }];
}

/** Follows "it's". The part of the day is said once, and nothing of what the asker accepted by asking. */
export function againstWords(facts: PickFacts, names: Names, asked: Asked | undefined): string[] {
  const likers = facts.people.flatMap(({ rule }) => (rule?.verdict === 'prefer' ? rule.email : []));
  return oncePerPart(facts.drawbacks).flatMap((fact) => {
    if (isOwnChoice(fact, facts, asked) || ('email' in fact && likers.includes(fact.email))) return [];
    switch (fact.kind) {
      case 'energy':
        return say('bent.best_hours', { part: fact.pattern.replace('_person', ''), who: names.short(fact.email) });
      case 'learned_part':
        return say('bent.part', { part: fact.part, who: names.short(fact.email) });
      case 'learned_day':
        return say('bent.day', { day: capitalized(fact.weekday), who: names.short(fact.email) });
      default:
        return [];
    }
  });
}

const OF_CLOCK: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo', 'clockUnwanted', 'refused', 'relative']);
const OF_DAY: ReadonlySet<WishPart> = new Set(['dates', 'weekdaysWanted']);

/** An attendee who asks for a Monday accepts their usual dislike of Mondays. */
function isOwnChoice(fact: Drawback, { decided }: PickFacts, asked: Asked | undefined): boolean {
  if (!('email' in fact) || fact.email !== asked?.email) return false;
  const met = partsIn(decided);
  if (isTaught(fact, asked)) return true;
  if (fact.kind === 'learned_day') return met.some((part) => OF_DAY.has(part));
  const isOfClock = fact.kind === 'learned_part' || fact.kind === 'energy';
  return isOfClock && met.some((part) => OF_CLOCK.has(part));
}

export const asSentence = (clause: string): string => capitalized(say('bent', { clause }));

/** If somebody is busy then, nobody learns who. */
function shiftMissedWords({ minutes, because }: Drawback & { kind: 'shift' }, names: Names, asked: Asked): string {
  const shift = shiftWords(asked.wish, minutes);
  return because.some(isOfMeetings)
    ? say('bent.shift_taken', { shift })
    : say('bent.shift', { shift, because: causeWords(because, names) });
}

function partMissedWords(
  { part, why, because = [] }: Drawback & { kind: 'wish' },
  names: Names,
  facts: PickFacts,
  asked: Asked,
): Missed {
  const leading = (clause: string) => ({ clause, mayLead: true });
  const { wish } = asked;
  const { words, form, missed } = partWords(wish, part, { ...asked, start: facts.start, end: facts.end });
  if (why === 'no_common_time')
    return leading(
      missed === undefined
        ? noneWords({ words, form }, causeWords(because, names))
        : say('bent.every_time', { words: missed }),
    );
  const is = missed ?? say('when.not', { words });
  const met = metWords(facts, asked);
  const isOnlyOne = facts.drawbacks.filter(({ kind }) => kind === 'wish').length === 1;
  if (!isOnlyOne || met.length === 0) return { clause: say('bent.all', { words: is }), mayLead: false };
  return leading(noneWords(together([...met, { words, form }]), causeWords(because, names)));
}

/** Says that no common time meets a part of a wish: "no time on Thursday afternoon suits both". */
const noneWords = ({ words, form }: Phrase, because: string): string =>
  say(form === undefined || form === 'from_hour' ? 'bent.none_is' : 'bent.no_time', { words, because });

/** A day and hours become one phrase, the day first: "on Thursday in the afternoon". */
export function together(all: readonly Phrase[]): Phrase {
  const isDay = ({ form }: Phrase) => form === 'weekday' || form === 'day';
  const days = all.find(isDay);
  const hours = all.find((phrase) => !isDay(phrase) && phrase.form !== undefined && phrase.form !== 'bound');
  if (all.length !== 2 || days === undefined || hours === undefined)
    return { words: listed(all.map(({ words }) => words)), form: all[0]?.form };
  const half = hours.form === 'morning' || hours.form === 'afternoon' ? hours.form : undefined;
  return {
    form: 'day',
    words:
      half !== undefined && days.form === 'weekday'
        ? say('when.day_half', { days: days.words, half })
        : say('when.days_and_hours', { days: days.words, hours: hours.words }),
  };
}

/** ", as Ada and Bob do not work then". Nobody learns when the other is busy. */
function causeWords(causes: readonly Cause[], names: Names): string {
  if (causes.some(isOfMeetings)) return '';
  const reasons = Object.entries(Object.groupBy(causes, ({ rule }) => rule)).map(([rule, alike = []]) => {
    const people = alike.flatMap(({ email }) => (email === null ? [] : [names.short(email)]));
    return CAUSE[rule as keyof typeof CAUSE](listed(people), people.length > 1);
  });
  return reasons.length === 0 ? '' : say('because', { causes: listed(reasons) });
}

const isOfMeetings = ({ rule }: Cause) => rule === 'busy' || rule === 'buffer';

const CAUSE: Record<Exclude<Cause['rule'], 'busy' | 'buffer'>, (who: string, areBoth: boolean) => string> = {
  window: () => say('because.window'),
  notice: () => say('because.notice'),
  had_before: () => say('because.had_before'),
  floor: () => say('because.floor'),
  work_hours: (who, areBoth) => say('because.work_hours', { who, do: areBoth ? 'do' : 'does' }),
  holiday: (who, areBoth) => say('because.holiday', { who, has: areBoth ? 'have' : 'has' }),
  focus_block: (who, areBoth) => say('because.focus_block', { who, keeps: areBoth ? 'keep' : 'keeps' }),
  standing_rule: (who, areBoth) => say('because.standing_rule', { who, rules: areBoth ? 'rule' : 'rules' }),
  day_limit: (who, areBoth) => say('because.day_limit', { who, has: areBoth ? 'have' : 'has' }),
};
