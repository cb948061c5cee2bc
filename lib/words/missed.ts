import type { Drawback, PickFacts } from '../engine/rank/pick-facts.ts';
import type { Cause } from '../engine/rules/why-empty.ts';
import type { EnergyPattern } from '../engine/types.ts';
import type { WishPart } from '../engine/wish/wish.ts';
import { type Asked, isTaught, metWords, oncePerPart, partsIn } from './asked.ts';
import { say } from './patterns.ts';
import { capitalized, listed, type Names } from './people.ts';
import { type Phrase, partWords, shiftWords } from './wish.ts';

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

/** Follows "it's". The part of the day is said once, and nothing of what the asker accepted by asking. */
export function againstWords(facts: PickFacts, names: Names, asked: Asked | undefined): string[] {
  return oncePerPart(facts.drawbacks).flatMap((fact) => {
    if (isOwnChoice(fact, facts, asked)) return [];
    switch (fact.kind) {
      case 'energy':
        return say('bent.best_hours', { part: bestPart(fact.pattern), who: names.short(fact.email) });
      case 'learned_part':
        return say('bent.part', { part: fact.part, who: names.short(fact.email) });
      case 'learned_day':
        return say('bent.day', { day: capitalized(fact.weekday), who: names.short(fact.email) });
      default:
        return [];
    }
  });
}

/** Returns the part of the day that an energy setting, such as `evening_person`, prefers. */
const bestPart = (pattern: EnergyPattern): string => pattern.replace('_person', '');

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
