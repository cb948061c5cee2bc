import type { GivenUp, PickFacts } from '../engine/rank/pick-facts.ts';
import type { Cause } from '../engine/rules/why-empty.ts';
import type { WishPart } from '../engine/wish/wish.ts';
import { type Asked, metWords, oncePerPart, partsIn } from './asked.ts';
import { eveOf } from './costs.ts';
import { KIND } from './kinds.ts';
import { say } from './patterns.ts';
import { capitalized, listed, listedClauses, type Names, ofNotice } from './people.ts';
import { partWords, shiftWords } from './wish.ts';

const MOST_COSTS = 3;

/** Says what the chosen time costs the two people and which parts of the rescheduling wish it misses, in sentences. */
export function givenUpSentences(facts: PickFacts, names: Names, asked: Asked | undefined): string[] {
  const missed = facts.givenUp.flatMap((fact) =>
    fact.kind === 'wish' && asked ? [missedWords(fact, names, facts, asked)] : [],
  );
  const notice = facts.givenUp.flatMap((fact) =>
    fact.kind === 'notice' ? [say('bent.notice', { length: ofNotice(fact.wantedMinutes) })] : [],
  );
  const shift = facts.givenUp.flatMap((fact) =>
    fact.kind === 'shift' && asked
      ? [say('bent.shift', { shift: shiftWords(asked.wish, fact.minutes), because: causeWords(fact.because, names) })]
      : [],
  );
  const costs = oncePerPart(facts.givenUp).flatMap((fact) =>
    isCost(fact) &&
    !isOwnChoice(fact, facts, asked) &&
    !isSaidByOutside(fact, facts.givenUp) &&
    !(fact.kind === 'overnight' && notice.length > 0)
      ? [{ fact, words: costWords(fact, names) }]
      : [],
  );
  // A cost that both people bear is said once.
  const wordsOf = (isWanted: (fact: Cost) => boolean) =>
    new Set(
      costs.flatMap(({ fact, words }) => {
        if (!isWanted(fact)) return [];
        return 'email' in fact && costs.some((other) => isSameOfOther(fact, other.fact))
          ? [costWords(fact, names, true)]
          : [words];
      }),
    );
  const eve = eveOf(facts.start, facts.people);
  const onEve = eve === undefined ? [] : [say('bent.half_day', { eve })];
  // A missing break is always said, because nothing else in the text shows it.
  const all = [
    ...[...onEve, ...wordsOf(({ kind }) => kind !== 'beside')].slice(0, MOST_COSTS),
    ...wordsOf(({ kind }) => kind === 'beside'),
  ];
  const cost = all.length === 0 ? [] : [say('bent.cost', { words: listedClauses(all) })];
  return [...missed, ...shift, ...notice, ...cost].map((clause) => capitalized(say('bent', { clause })));
}

type Cost = Exclude<GivenUp, { kind: 'wish' | 'notice' | 'shift' }>;
const isCost = (fact: GivenUp): fact is Cost => !['wish', 'notice', 'shift'].includes(fact.kind);

/** Returns true if `other` is the same cost borne by the other person. */
function isSameOfOther(fact: Cost, other: Cost): boolean {
  if (!('email' in fact) || !('email' in other) || fact.email === other.email || fact.kind !== other.kind) return false;
  if (fact.kind === 'outside_day') return 'side' in other && fact.side === other.side;
  if (fact.kind === 'beside') return 'sides' in other && fact.sides === other.sides;
  return fact.kind === 'lunch' || fact.kind === 'back_to_back' || fact.kind === 'overnight';
}

/**
 * Returns true if the cost is an evening that does not suit the context, and another cost is that the meeting ends
 * after 18:00 for the same person. The sentence then needs only the second.
 */
const isSaidByOutside = (fact: Cost, all: readonly GivenUp[]): boolean =>
  fact.kind === 'context' &&
  fact.part === 'evening' &&
  all.some(
    (other) => other.kind === 'outside_day' && other.side === 'late' && (fact.email ?? other.email) === other.email,
  );

const OF_CLOCK: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo', 'clockUnwanted', 'refused', 'relative']);
const OF_DAY: ReadonlySet<WishPart> = new Set(['dates', 'weekdaysWanted']);

/**
 * Returns true if the attendee who asked for the move chose this cost. An attendee who asked for that day or those
 * hours accepts their usual dislike of them.
 */
function isOwnChoice(fact: Cost, { decided }: PickFacts, asked: Asked | undefined): boolean {
  if (!('email' in fact) || fact.email !== asked?.email) return false;
  const met = partsIn(decided);
  if (fact.kind === 'learned_day' && asked.taught?.includes(`day_of_week_preference.${fact.weekday}`)) return true;
  if (fact.kind === 'learned_part' && asked.taught?.includes(`time_of_day_preference.${fact.part}`)) return true;
  if (fact.kind === 'standing_rule') return met.length > 0;
  if (fact.kind === 'learned_day') return met.some((part) => OF_DAY.has(part));
  return (fact.kind === 'learned_part' || fact.kind === 'energy') && met.some((part) => OF_CLOCK.has(part));
}

function missedWords(
  { part, why, because = [] }: GivenUp & { kind: 'wish' },
  names: Names,
  facts: PickFacts,
  asked: Asked,
): string {
  const { wish } = asked;
  const { words, missed } = partWords(wish, part, { ...asked, start: facts.start, end: facts.end });
  if (why === 'no_common_time')
    return missed === undefined
      ? noneWords(words, causeWords(because, names))
      : say('bent.every_time', { words: missed });
  const is = missed ?? say('when.not', { words });
  const met = metWords(facts, asked).map((part) => part.words);
  const isOnlyOne = facts.givenUp.filter(({ kind }) => kind === 'wish').length === 1;
  if (!isOnlyOne || met.length === 0) return say('bent.all', { words: is });
  return noneWords(togetherWords([...met, words]), causeWords(because, names));
}

/** Says that no common time meets a part of a wish: "no time on Thursday afternoon suits both". */
const noneWords = (words: string, because: string): string =>
  say(/^(?:on|in|at|between|before|after|from) /.test(words) ? 'bent.no_time' : 'bent.none_is', { words, because });

/**
 * Joins parts of a wish. A day and hours become one phrase, the day first: "on Thursday in the afternoon".
 */
export function togetherWords(all: readonly string[]): string {
  const days = all.find((words) => DAYS.test(words));
  const hours = all.find((words) => HOURS.test(words));
  const isPair = all.length === 2 && days !== undefined && hours !== undefined;
  if (!isPair) return listed(all);
  const half = HALF.exec(hours)?.[1];
  return half !== undefined && WEEKDAY_ALONE.test(days)
    ? say('when.day_half', { days, half })
    : say('when.days_and_hours', { days, hours });
}

const DAYS = /^(?:on|in the week of|between [A-Z]\w+,) /;
const WEEKDAY_ALONE = /^on \w+$/;
const HALF = /^in the (morning|afternoon)$/;
const HOURS = /^(?:in the (?:morning|afternoon)$|at |between \d|no earlier |after \d)/;

/** Says which rules together leave no time: ", as Ada and Bob are busy". */
function causeWords(causes: readonly Cause[], names: Names): string {
  const reasons = Object.entries(Object.groupBy(causes, ({ rule }) => rule)).map(([rule, alike = []]) => {
    const people = alike.flatMap(({ email }) => (email === null ? [] : [names.short(email)]));
    return CAUSE[rule as Cause['rule']](listed(people), people.length > 1);
  });
  return reasons.length === 0 ? '' : say('because', { causes: listed(reasons) });
}

const CAUSE: Record<Cause['rule'], (who: string, areBoth: boolean) => string> = {
  window: () => say('because.window'),
  notice: () => say('because.notice'),
  had_before: () => say('because.had_before'),
  work_hours: (who, areBoth) => say('because.work_hours', { who, do: areBoth ? 'do' : 'does' }),
  holiday: (who, areBoth) => say('because.holiday', { who, has: areBoth ? 'have' : 'has' }),
  focus_block: (who, areBoth) => say('because.focus_block', { who, keeps: areBoth ? 'keep' : 'keeps' }),
  standing_rule: (who, areBoth) => say('because.standing_rule', { who, rules: areBoth ? 'rule' : 'rules' }),
  day_limit: (who, areBoth) => say('because.day_limit', { who, has: areBoth ? 'have' : 'has' }),
  busy: (who, areBoth) => say('because.busy', { who, is: areBoth ? 'are' : 'is' }),
  buffer: (who, areBoth) => say('because.buffer', { who, keeps: areBoth ? 'keep' : 'keeps' }),
};

function costWords(fact: Cost, names: Names, isOfBoth = false): string {
  const whoOf = (email: string) => (isOfBoth ? 'both' : names.short(email));
  switch (fact.kind) {
    case 'lunch':
      return isOfBoth ? say('bent.lunch_of_both') : say('bent.lunch', { who: names.short(fact.email) });
    case 'outside_day':
      return say(fact.side === 'early' ? 'bent.early' : 'bent.late', { who: whoOf(fact.email) });
    case 'friday_afternoon':
      return say('bent.friday');
    case 'back_to_back':
      return say('bent.room', { who: whoOf(fact.email) });
    case 'beside':
      return say(fact.sides === 2 ? 'bent.no_break' : 'bent.back_to_back', { who: whoOf(fact.email) });
    case 'overnight':
      return say('bent.overnight', { who: whoOf(fact.email) });
    case 'context': {
      const { part, email, context } = fact;
      const kind = KIND[context];
      return email === null || isOfBoth
        ? say('bent.context', { part, kind })
        : say('bent.context_for', { part, who: names.short(email), kind });
    }
    case 'energy':
      return say('bent.best_hours', { who: names.short(fact.email) });
    case 'standing_rule':
      return say('bent.rule', { who: names.short(fact.email), words: fact.words });
    case 'learned_part':
      return say('bent.part', { part: fact.part, who: names.short(fact.email) });
    case 'learned_day':
      return say('bent.day', { day: capitalized(fact.weekday), who: names.short(fact.email) });
  }
}
