import type { Avoided, Decided, PickFacts } from '../engine/rank/pick-facts.ts';
import { MINUTE, sayDate } from '../engine/time/dates.ts';
import { localDay } from '../engine/time/zone.ts';
import { type Asked, type MetWords, metWords, oncePerPart } from './asked.ts';
import { givenUpSentences, togetherWords } from './given-up.ts';
import { KIND } from './kinds.ts';
import { say } from './patterns.ts';
import {
  capitalized,
  clockIn,
  dateIn,
  farWords,
  haveOneClock,
  lasting,
  listed,
  listedClauses,
  type Names,
  namesOf,
  whenForBoth,
} from './people.ts';
import { shiftWords } from './wish.ts';

const MOST_REASONS = 3;

/**
 * Explains a chosen meeting time to the two people in two or three sentences (schema/DECISIONS.md, "Reasoning"). The
 * sentences give the time on both clocks, unless the text is a preview, and the reasons that decided. They name the
 * times avoided and for whom, the cost of this time, and the person whose turn it was to meet outside their day. They
 * state only facts.
 */
export function describePick(facts: PickFacts, wished?: Asked, isPreview = false): string {
  const hasOwnClock = !haveOneClock(facts.start, facts.people);
  const asked = wished && { ...wished, wish: facts.wish ?? wished.wish, hasOwnClock };
  const names = namesOf(facts.people);
  const opening = asked === undefined ? 'pick.new' : 'pick.moved';
  const time = say(opening, { time: whenForBoth(facts.start, facts.people, true) });
  const sentences = isPreview ? previewed(facts, names, asked) : [withWhy(time, facts, names, asked)];
  const avoided = avoidedWords(facts.avoided, names, asked);
  if (avoided !== '') sentences.push(say('avoided', { words: avoided }));
  sentences.push(...givenUpSentences(facts, names, asked));
  const turn = turnWords(facts, names);
  if (turn !== '') sentences.push(turn);
  return sentences.join(' ');
}

/**
 * Adds the reasons that decided to the sentence with the chosen time. If the time meets parts of the rescheduling wish,
 * gives only those parts as reasons. If the date and clock times already show every part, says only who asked for the
 * time.
 */
function withWhy(time: string, facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const sentence = time.slice(0, -1);
  const met = asked === undefined ? [] : metWords(facts, asked);
  const isWhole = facts.givenUp.every(({ kind }) => kind !== 'wish' && kind !== 'shift');
  if (asked !== undefined && met.length > 0 && isWhole && met.every(({ isShown }) => isShown))
    return say(asked.isTaste ? 'pick.prefers' : 'pick.asked', { sentence, who: names.short(asked.email) });
  const why = reasonsFor(facts, names, asked, met);
  return why === '' ? time : say('pick.why', { sentence, why });
}

/** Says the reasons alone, for a preview that has just said the time. */
function previewed(facts: PickFacts, names: Names, asked: Asked | undefined): string[] {
  const why = reasonsFor(facts, names, asked, asked === undefined ? [] : metWords(facts, asked));
  return why === '' ? [] : [say('pick.preview', { why })];
}

function reasonsFor(facts: PickFacts, names: Names, asked: Asked | undefined, met: readonly MetWords[]): string {
  if (asked === undefined || met.length === 0) return movedWords(facts, asked) ?? whyWords(facts, names, asked);
  const parts = togetherWords(met.map(({ words }) => words));
  return say(asked.isTaste ? 'why.prefers' : 'why.asked', { parts, who: names.short(asked.email) });
}

/** Says by how much a meeting moved within its day, if it could not move by the minutes that were asked for. */
function movedWords({ start, givenUp }: PickFacts, asked: Asked | undefined): string | undefined {
  if (asked === undefined || givenUp.every(({ kind }) => kind !== 'shift')) return undefined;
  const { oldStart, timeZone } = asked;
  const minutes = (start - oldStart) / MINUTE;
  const isSameDay = dateIn(start, timeZone) === dateIn(oldStart, timeZone);
  if (!isSameDay || !Number.isInteger(minutes) || minutes === 0) return undefined;
  const relative = minutes > 0 ? 'later' : 'earlier';
  return say('why.moved', { shift: shiftWords({ relative }, Math.abs(minutes)) });
}

/** Says a few reasons that decided for the chosen time, as many as read well in one sentence. */
function whyWords(facts: PickFacts, names: Names, asked: Asked | undefined): string {
  const has = (kind: Decided['kind']) => facts.decided.some((fact) => fact.kind === kind);
  const isUnasked = asked !== undefined && Object.keys(asked.wish).length === 0;
  if (isUnasked && has('nearest')) return say('why.nearest_unasked');
  const isSaid = ({ kind }: Decided) => kind !== 'wish' && !(kind === 'soonest' && has('only_day'));
  const all = oncePerPart(facts.decided).filter(isSaid);
  // A person cares least that a time starts soon, so the sentence says so only if it has nothing else to say.
  const isAlone = all.length + facts.avoided.length + facts.givenUp.length === 1;
  const reasons = all
    .filter(({ kind }) => isAlone || kind !== 'recency')
    .slice(0, MOST_REASONS)
    .map((fact) => reasonWords(fact, names));
  if (isUnasked && reasons.length === 0 && facts.avoided.length === 0) {
    const days = daysAway(facts, asked);
    return days === undefined ? say('why.near_unasked') : say('why.same_time_unasked', { days });
  }
  const likes = facts.people.map(({ email }) => `${names.short(email)} likes `);
  return listedClauses(underOneSubject(reasons, ['it is ', ...likes]));
}

/** Says how many days later or earlier a moved meeting is, if it keeps its clock time for the attendee who asked. */
function daysAway({ start }: PickFacts, { oldStart, timeZone }: Asked): string | undefined {
  const days = localDay(timeZone, start) - localDay(timeZone, oldStart);
  if (days === 0 || clockIn(start, timeZone) !== clockIn(oldStart, timeZone)) return undefined;
  return farWords(days);
}

/**
 * Joins reasons that begin with the same words into one clause: "it is mid-morning for both and soon". The clause takes
 * the place of the first of them.
 */
function underOneSubject(reasons: readonly string[], beginnings: readonly string[]): string[] {
  const of = (words: string) => beginnings.find((beginning) => words.startsWith(beginning)) ?? words;
  const alike = Map.groupBy(reasons, of);
  return [...alike].map(([beginning, [first = '', ...rest]]) =>
    listed([first, ...rest.map((words) => words.slice(beginning.length))]),
  );
}

function reasonWords(fact: Decided, names: Names): string {
  switch (fact.kind) {
    case 'wish':
      return '';
    case 'only_time':
      return say('why.only_time');
    case 'only_day':
      return say('why.only_day', { day: sayDate(fact.date).split(',')[0] ?? '' });
    case 'soonest':
      return say('why.first');
    case 'in_range':
      return say('why.in_range');
    case 'context':
      return say('why.context', { part: fact.part, kind: KIND[fact.context] });
    case 'mid_morning':
      return say('why.mid_morning', { who: fact.emails.length > 1 ? 'both' : listed(fact.emails.map(names.short)) });
    case 'recency':
      return say('why.within_days');
    case 'energy':
      return say('why.best_hours', { part: fact.part, who: names.short(fact.email) });
    case 'learned_part':
      return say('why.likes', { who: names.short(fact.email), times: `${fact.part}s` });
    case 'learned_day':
      return say('why.likes', { who: names.short(fact.email), times: `${capitalized(fact.weekday)}s` });
    case 'nearest':
      return say(fact.to === 'old_time' ? 'why.nearest_old' : 'why.nearest_asked');
  }
}

/**
 * Says which kinds of time the chosen time avoids, and for whom: "avoids mornings and Mondays, as Bob prefers, and
 * keeps Ada's lunch hour free".
 */
function avoidedWords(facts: readonly Avoided[], names: Names, asked: Asked | undefined): string {
  const times = new Map<string, Set<string>>();
  const withRoom = new Set<string>();
  const lunches: string[] = [];
  const kept: string[] = [];
  const rules = new Map<string, string[]>();
  for (const fact of facts) {
    if (fact.kind === 'friday_afternoon') continue;
    const who = names.short(fact.email);
    const dislikes = (words: string) => times.set(who, (times.get(who) ?? new Set()).add(words));
    if (fact.kind === 'learned_part' || fact.kind === 'energy') dislikes(`${fact.part}s`);
    else if (fact.kind === 'learned_day') dislikes(`${capitalized(fact.weekday)}s`);
    else if (fact.kind === 'back_to_back') withRoom.add(who);
    else if (fact.kind === 'lunch') lunches.push(who);
    else if (fact.kind === 'standing_rule')
      rules.set(who, [...(rules.get(who) ?? []), say('quoted', { words: fact.words })]);
    else kept.push(say('avoided.focus', { who }));
  }
  const [lunch] = lunches;
  if (lunch !== undefined)
    kept.unshift(lunches.length > 1 ? say('avoided.lunch_of_both') : say('avoided.lunch', { who: lunch }));
  const clauses = [...times].map(([who, words]) => say('avoided.times', { times: listed([...words]), who }));
  if (withRoom.size > 0) {
    const who = listed([...withRoom]);
    const isAsked = asked?.wish.pause === true && !asked.isTaste && who === names.short(asked.email);
    const room = isAsked ? 'avoided.room_asked' : 'avoided.room';
    clauses.push(withRoom.size > 1 ? say('avoided.room_for_both') : say(room, { who }));
  }
  for (const [who, quotes] of rules)
    clauses.push(say('avoided.rule', { who, wishes: quotes.length > 1 ? 'wishes' : 'wish', quotes: listed(quotes) }));
  if (facts.some(({ kind }) => kind === 'friday_afternoon')) clauses.push(say('avoided.friday'));
  if (kept.length > 0) clauses.push(say('avoided.kept', { times: listed(kept) }));
  return clauses.join(', and ');
}

/** Says whose turn it was to meet outside their day, if that decided the chosen time. */
function turnWords({ fairness, people }: PickFacts, names: Names): string {
  const [one, two] = people.map(({ email }) => email).sort((_, email) => (email === fairness?.turn ? -1 : 1));
  if (fairness?.turn === undefined || one === undefined || two === undefined) return '';
  const minutes = (email: string) => fairness.carried[email] ?? 0;
  const told = { length: lasting(minutes(one)), who: names.short(one), other: names.short(two) };
  if (minutes(two) === 0) return say('turn.first', told);
  return say('turn.more', { ...told, otherLength: lasting(minutes(two)) });
}
