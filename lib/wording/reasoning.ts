import type { MeetingContext } from '../scheduling/contexts.ts';
import type { Avoided, Decided, GivenUp, PickFacts } from '../scheduling/pick-facts.ts';
import type { Cause } from '../scheduling/why-empty.ts';
import type { Wish, WishPart } from '../scheduling/wish.ts';
import { capitalized, clockIn, lasting, listed, type Names, namesOf, whenForBoth } from './people.ts';
import { isAfternoon, partWords } from './wish.ts';

/** Whose wish a reschedule follows; the words of it are read on the asker's clock. */
export interface Asked {
  email: string;
  timeZone: string;
  wish: Wish;
  /** When the meeting was to start. */
  oldStart: number;
}

const MOST_REASONS = 3;

const KIND: Record<MeetingContext, string> = {
  warm_intro: 'an introduction',
  cold_outreach: 'a first call',
  investor_call: 'an investor call',
  client_demo: 'a demo',
  team_standup: 'a standup',
  one_on_one: 'a one-on-one',
  interview: 'an interview',
  sales_call: 'a sales call',
  strategy_session: 'a strategy session',
  brainstorm: 'a brainstorm',
  review: 'a review',
  casual_chat: 'a chat',
  urgent: 'an urgent meeting',
};

/**
 * Why this time, in two or three sentences for the two people (decisions, Scheduling): the time on both clocks with what
 * decided, what was avoided for whose sake, what was given up, and whose turn it was. Only facts are said.
 */
export function describePick(facts: PickFacts, asked?: Asked): string {
  const names = namesOf(facts.people);
  const why = whyWords(facts, names, asked);
  const opening = asked === undefined ? 'The meeting is on' : 'The meeting is now on';
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
    if (met.length > 0) return `${listed(met)}, as ${names.short(asked.email)} asked`;
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
  return listed(reasons.map((words, i) => (reasons[i - 1]?.startsWith(IT_IS) ? words.replace(IT_IS, '') : words)));
}

const IT_IS = 'it is ';
const HOURS: ReadonlySet<WishPart> = new Set(['clockFrom', 'clockTo']);

/** The parts of the wish that the time meets; that it is not too soon goes without saying beside a day that was asked for. */
function metWords({ decided, givenUp, start }: PickFacts, { wish, timeZone, oldStart }: Asked): string[] {
  const partsIn = (list: (Decided | GivenUp)[]) => list.flatMap((fact) => (fact.kind === 'wish' ? [fact.part] : []));
  const missesHours = isAfternoon(wish) && partsIn(givenUp).some((part) => HOURS.has(part));
  const parts = partsIn(decided).filter((part) => !(missesHours && HOURS.has(part)));
  const isNamed = parts.some((part) => part === 'dates' || part === 'earliest');
  const words = parts
    .filter((part) => !(part === 'notBeforeOldStart' && isNamed))
    .map((part) => partWords(wish, part, { timeZone, start, oldStart }))
    .map(({ met, words }) => met ?? words);
  const isSoonest =
    wish.closeness === 'soonest' && decided.some(({ kind }) => kind === 'soonest' || kind === 'only_time');
  return [...new Set(isSoonest ? [...words, 'the soonest both can'] : words)];
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

/** "avoids mornings and Mondays, as Bob asked, and keeps Ada's lunch hour free". */
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
  const avoids = [...wishes].map(([name, times]) => `avoids ${listed([...new Set(times)])}, as ${name} asked`);
  if (facts.some(({ kind }) => kind === 'friday_afternoon')) avoids.push('avoids Friday afternoon');
  const keeps = kept.length === 0 ? [] : [`keeps ${listed(kept)} free`];
  return [...avoids, ...keeps].join(', and ');
}

function givenUpWords(facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const missed = facts.givenUp.flatMap((fact) =>
    fact.kind === 'wish' && asked ? [missedWords(fact, names, facts, asked)] : [],
  );
  const notice = facts.givenUp.flatMap((fact) =>
    fact.kind === 'notice'
      ? [`nothing was free with ${lasting(fact.wantedMinutes)}'s notice, so it comes with less`.replace("s's", "s'")]
      : [],
  );
  const costs = facts.givenUp.flatMap((fact) =>
    fact.kind === 'wish' || fact.kind === 'notice' ? [] : [costWords(fact, names)],
  );
  const cost = costs.length === 0 ? [] : [`it ${listed(costs.slice(0, MOST_REASONS))}`];
  return [...missed, ...notice, ...cost].join('; ');
}

function missedWords(
  { part, why, because = [] }: GivenUp & { kind: 'wish' },
  names: Names,
  facts: PickFacts,
  asked: Asked,
): string {
  const { wish, timeZone, oldStart } = asked;
  const { words, missed } = partWords(wish, part, { timeZone, start: facts.start, oldStart });
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

/** Whose turn it is to meet outside their day, where that decided. */
function turnWords({ fairness, people }: PickFacts, names: Names): string {
  const [one, two] = people.map(({ email }) => email).sort((_, email) => (email === fairness?.turn ? -1 : 1));
  if (fairness?.turn === undefined || one === undefined || two === undefined) return '';
  const minutes = (email: string) => fairness.carried[email] ?? 0;
  const own = minutes(two) === 0 ? 'none' : lasting(minutes(two));
  const [other, name] = [names.short(one), names.short(two)];
  return `Their other recent meetings take ${lasting(minutes(one))} outside 08:00-18:00 from ${other} and ${own} from ${name}, so this time it is ${name}'s turn.`;
}

function costWords(fact: Exclude<GivenUp, { kind: 'wish' } | { kind: 'notice' }>, names: Names): string {
  switch (fact.kind) {
    case 'lunch':
      return `runs into ${names.short(fact.email)}'s lunch hour`;
    case 'outside_day':
      return fact.side === 'early'
        ? `starts before 08:00 for ${names.short(fact.email)}`
        : `ends after 18:00 for ${names.short(fact.email)}`;
    case 'friday_afternoon':
      return 'is on a Friday afternoon';
    case 'back_to_back':
      return `is back to back with another meeting for ${names.short(fact.email)}`;
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
