import type { GivenUp, PickFacts } from '../scheduling/pick-facts.ts';
import type { Cause } from '../scheduling/why-empty.ts';
import type { WishPart } from '../scheduling/wish.ts';
import { type Asked, metWords, partsIn } from './asked.ts';
import { KIND } from './kinds.ts';
import { capitalized, lasting, listed, listedClauses, type Names } from './people.ts';
import { partWords, shiftWords } from './wish.ts';

const MOST_COSTS = 3;

/** What the picked time costs and what of the wish it misses, in clauses with a semicolon between any two. */
export function givenUpWords(facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const missed = facts.givenUp.flatMap((fact) =>
    fact.kind === 'wish' && asked ? [missedWords(fact, names, facts, asked)] : [],
  );
  const notice = facts.givenUp.flatMap((fact) =>
    fact.kind === 'notice'
      ? [`nothing was free with ${lasting(fact.wantedMinutes)}'s notice, so it comes with less`.replace("s's", "s'")]
      : [],
  );
  const shift = facts.givenUp.flatMap((fact) =>
    fact.kind === 'shift' && asked
      ? [`no common time is ${shiftWords(asked.wish)} than before${causeWords(fact.because, names)}`]
      : [],
  );
  const costs = facts.givenUp.flatMap((fact) =>
    isCost(fact) && !isOwnChoice(fact, facts, asked) ? [{ fact, words: costWords(fact, names) }] : [],
  );
  // What costs both the same is said once.
  const shared = costs.map(({ fact, words }) =>
    'email' in fact && costs.some((other) => isSameOfOther(fact, other.fact)) ? costWords(fact, names, true) : words,
  );
  const cost = costs.length === 0 ? [] : [`it ${listedClauses([...new Set(shared)].slice(0, MOST_COSTS))}`];
  return [...missed, ...shift, ...notice, ...cost].join('; ');
}

type Cost = Exclude<GivenUp, { kind: 'wish' | 'notice' | 'shift' }>;
const isCost = (fact: GivenUp): fact is Cost => !['wish', 'notice', 'shift'].includes(fact.kind);

/** The same cost to the other of the two. */
function isSameOfOther(fact: Cost, other: Cost): boolean {
  if (!('email' in fact) || !('email' in other) || fact.email === other.email || fact.kind !== other.kind) return false;
  if (fact.kind === 'outside_day') return 'side' in other && fact.side === other.side;
  return fact.kind === 'lunch' || fact.kind === 'back_to_back';
}

const OF_CLOCK: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo', 'clockUnwanted', 'relative']);
const OF_DAY: ReadonlySet<WishPart> = new Set(['dates', 'weekdaysWanted']);

/** Whoever asked for that day or these hours now does not mind them, whatever they like in general. */
function isOwnChoice(fact: Cost, { decided }: PickFacts, asked: Asked | undefined): boolean {
  if (!('email' in fact) || fact.email !== asked?.email) return false;
  const met = partsIn(decided);
  if (fact.kind === 'learned_day') return met.some((part) => OF_DAY.has(part));
  return (fact.kind === 'learned_part' || fact.kind === 'energy') && met.some((part) => OF_CLOCK.has(part));
}

function missedWords(
  { part, why, because = [] }: GivenUp & { kind: 'wish' },
  names: Names,
  facts: PickFacts,
  asked: Asked,
): string {
  const { wish, timeZone, oldStart } = asked;
  const { words, missed } = partWords(wish, part, { timeZone, start: facts.start, end: facts.end, oldStart });
  if (why === 'no_common_time')
    return missed === undefined
      ? `no common time is ${words}${causeWords(because, names)}`
      : `every common time is ${missed}`;
  const is = missed ?? `not ${words}`;
  const met = metWords(facts, asked);
  const isOnlyOne = facts.givenUp.filter(({ kind }) => kind === 'wish').length === 1;
  return isOnlyOne && met.length > 0
    ? `it is ${is}, as no common time is ${words} and also ${listed(met)}`
    : `it is ${is}, as no common time meets all that was asked`;
}

/** ", as Ada and Bob are busy": the rules that together leave nothing. */
function causeWords(causes: readonly Cause[], names: Names): string {
  const reasons = Object.entries(Object.groupBy(causes, ({ rule }) => rule)).map(([rule, alike = []]) => {
    const people = alike.flatMap(({ email }) => (email === null ? [] : [names.short(email)]));
    return CAUSE[rule as Cause['rule']](listed(people), people.length > 1);
  });
  return reasons.length === 0 ? '' : `, as ${listed(reasons)}`;
}

const CAUSE: Record<Cause['rule'], (who: string, areBoth: boolean) => string> = {
  window: () => 'that is outside the dates searched',
  notice: () => 'that is over or too soon',
  had_before: () => 'the meeting had that time before',
  work_hours: (who) => `that is outside the work hours of ${who}`,
  focus_block: (who, areBoth) => `${who} ${areBoth ? 'keep' : 'keeps'} time for focus then`,
  day_limit: (who, areBoth) =>
    `${who} ${areBoth ? 'have' : 'has'} as many meetings as ${areBoth ? 'they take' : 'a day may hold'}`,
  busy: (who, areBoth) => `${who} ${areBoth ? 'are' : 'is'} busy`,
  buffer: (who, areBoth) => `${who} ${areBoth ? 'keep' : 'keeps'} time free around meetings`,
};

function costWords(fact: Cost, names: Names, isOfBoth = false): string {
  const who = (email: string) => (isOfBoth ? 'both' : names.short(email));
  switch (fact.kind) {
    case 'lunch':
      return isOfBoth ? 'runs into the lunch hour of both' : `runs into ${who(fact.email)}'s lunch hour`;
    case 'outside_day':
      return fact.side === 'early'
        ? `starts before 08:00 for ${who(fact.email)}`
        : `ends after 18:00 for ${who(fact.email)}`;
    case 'friday_afternoon':
      return 'is on a Friday afternoon';
    case 'back_to_back':
      return `is back to back with another meeting for ${who(fact.email)}`;
    case 'context':
      return `is in the ${fact.part}, not the best time for ${KIND[fact.context]}`;
    case 'energy':
      return `is in the ${fact.part}, not ${names.short(fact.email)}'s best hours`;
    case 'learned_part':
      return `is in the ${fact.part}, which ${names.short(fact.email)} would rather avoid`;
    case 'learned_day':
      return `is on a ${capitalized(fact.weekday)}, which ${names.short(fact.email)} would rather avoid`;
  }
}
