import type { Avoided, Decided, PickFacts } from '../scheduling/pick-facts.ts';
import { type Asked, metWords } from './asked.ts';
import { givenUpWords } from './given-up.ts';
import { KIND } from './kinds.ts';
import { capitalized, clockIn, lasting, listed, listedClauses, type Names, namesOf, whenForBoth } from './people.ts';

const MOST_REASONS = 3;

/**
 * Why this time, in two or three sentences for the two people (decisions, Scheduling): the time on both clocks with what
 * decided, what was avoided for whose sake, what was given up, and whose turn it was. Only facts are said.
 */
export function describePick(facts: PickFacts, asked?: Asked, isPreview = false): string {
  const names = namesOf(facts.people);
  const why = whyWords(facts, names, asked);
  const opening = isPreview ? 'It would be on' : asked === undefined ? 'The meeting is on' : 'The meeting is now on';
  const sentences = [`${opening} ${whenForBoth(facts.start, facts.people, names)}${why === '' ? '' : `: ${why}`}.`];
  const avoided = avoidedWords(facts.avoided, names);
  if (avoided !== '') sentences.push(`It ${avoided}.`);
  const cost = givenUpWords(facts, names, asked);
  if (cost !== '') sentences.push(`${capitalized(cost)}.`);
  const turn = turnWords(facts, names);
  if (turn !== '') sentences.push(turn);
  return sentences.join(' ');
}

/** What was asked for and is met comes first; of the rest only as much as can be read in one breath. */
function whyWords(facts: PickFacts, names: Names, asked: Asked | undefined): string {
  if (asked !== undefined) {
    const met = metWords(facts, asked);
    if (met.length > 0) return `${listed(met)}, as ${names.short(asked.email)} ${asked.isTaste ? 'prefers' : 'asked'}`;
  }
  const has = (kind: Decided['kind']) => facts.decided.some((fact) => fact.kind === kind);
  const isSaid = ({ kind }: Decided) =>
    kind !== 'wish' &&
    !(kind === 'soonest' && has('only_day')) &&
    !(kind === 'recency' && (has('only_time') || has('only_day') || has('soonest')));
  const reasons = facts.decided
    .filter(isSaid)
    .slice(0, MOST_REASONS)
    .map((fact) => reasonWords(fact, facts, names));
  const likes = facts.people.map(({ email }) => `${names.short(email)} likes `);
  return listedClauses(underOneSubject(reasons, ['it is ', ...likes]));
}

/** What begins alike becomes one clause, where the first of it stood: "it is mid-morning for both and soon". */
function underOneSubject(reasons: readonly string[], beginnings: readonly string[]): string[] {
  const of = (words: string) => beginnings.find((beginning) => words.startsWith(beginning)) ?? words;
  const alike = Map.groupBy(reasons, of);
  return [...alike].map(([beginning, [first = '', ...rest]]) =>
    listed([first, ...rest.map((words) => words.slice(beginning.length))]),
  );
}

function reasonWords(fact: Decided, { people, start }: PickFacts, names: Names): string {
  switch (fact.kind) {
    case 'wish':
      return '';
    case 'only_time':
      return 'it is the only time left that suits both';
    case 'only_day':
      return 'every time that suits both is on that day';
    case 'soonest':
      return 'it is the first time that suits both';
    case 'in_range':
      return 'it is within the preferred time range';
    case 'context':
      return `${fact.part}s suit ${KIND[fact.context]}`;
    case 'mid_morning':
      return `it is mid-morning for ${clockIn(start, people[1].timeZone).startsWith('10') ? 'both' : names.short(people[0].email)}`;
    case 'recency':
      return 'it is soon';
    case 'energy':
      return `${fact.part}s are ${names.short(fact.email)}'s best hours`;
    case 'learned_part':
      return `${names.short(fact.email)} likes ${fact.part}s`;
    case 'learned_day':
      return `${names.short(fact.email)} likes ${capitalized(fact.weekday)}s`;
    case 'nearest':
      return fact.to === 'old_time'
        ? 'it is as near to the old time as can be'
        : 'it is as near as can be to what was asked for';
  }
}

/** "avoids mornings and Mondays, as Bob prefers, and keeps Ada's lunch hour free". */
function avoidedWords(facts: readonly Avoided[], names: Names): string {
  const wishes = new Map<string, string[]>();
  const kept: string[] = [];
  const lunches: string[] = [];
  for (const fact of facts) {
    if (fact.kind === 'friday_afternoon') continue;
    const name = names.short(fact.email);
    const times = (words: string) => wishes.set(name, [...(wishes.get(name) ?? []), words]);
    if (fact.kind === 'learned_part' || fact.kind === 'energy') times(`${fact.part}s`);
    else if (fact.kind === 'learned_day') times(`${capitalized(fact.weekday)}s`);
    else if (fact.kind === 'back_to_back') times('back-to-back meetings');
    else if (fact.kind === 'lunch') lunches.push(name);
    else kept.push(`${name}'s focus time`);
  }
  if (lunches.length > 0) kept.unshift(lunches.length > 1 ? 'the lunch hour of both' : `${lunches[0]}'s lunch hour`);
  const avoids = [...wishes].map(([name, times]) => `avoids ${listed([...new Set(times)])}, as ${name} prefers`);
  if (facts.some(({ kind }) => kind === 'friday_afternoon')) avoids.push('avoids Friday afternoon');
  const keeps = kept.length === 0 ? [] : [`keeps ${listed(kept)} free`];
  return [...avoids, ...keeps].join(', and ');
}

/** Whose turn it is to meet outside their day, where that decided. */
function turnWords({ fairness, people }: PickFacts, names: Names): string {
  const [one, two] = people.map(({ email }) => email).sort((_, email) => (email === fairness?.turn ? -1 : 1));
  if (fairness?.turn === undefined || one === undefined || two === undefined) return '';
  const minutes = (email: string) => fairness.carried[email] ?? 0;
  const own = minutes(two) === 0 ? 'none' : lasting(minutes(two));
  const [other, name] = [names.short(one), names.short(two)];
  return `Their other recent meetings take ${lasting(minutes(one))} outside 08:00-18:00 from ${other} and ${own} from ${name}, so this time it is ${name}'s turn.`;
}
