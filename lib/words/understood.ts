import { MEETING_CONTEXTS } from '../engine/rank/contexts.ts';
import { DAY_MINUTES, formatDate, parseMinute, sayDate, WEEKDAYS } from '../engine/time/dates.ts';
import type { LearnedWeights, RuleBlock } from '../engine/types.ts';
import type { Box, ClockSpan, DateSpan, Move, Reading, Rule } from '../engine/wish/reading.ts';
import { KIND } from './clauses.ts';
import { say } from './patterns.ts';
import { capitalized, clockOfMinutes, lasting, listed, quotedWords } from './people.ts';

/** A part of a person's text that was understood: the words that it rests on, and what they were taken to mean. */
export interface Understood {
  quote: string;
  meaning: string;
  kind: 'wanted' | 'refused' | 'move' | 'standing';
}

export function describeReading({ wanted, refused, moves, soon, standing, unread }: Reading): {
  understood: Understood[];
  notUnderstood: string[];
} {
  const understood = [
    ...meant('wanted', wanted, (box) => boxWords(box)),
    ...meant('refused', refused, (box) => say('when.not', { words: boxWords(box, true) })),
    ...meant('move', moves, moveWords),
    ...meant('move', soon ? [soon] : [], ({ when }) => SOON[when]),
    ...meant('standing', standing, ruleWords),
  ];
  return { understood: distinct(understood), notUnderstood: [...new Set(unread)] };
}

const meant = <P extends { quote: string }>(
  kind: Understood['kind'],
  parts: readonly P[],
  words: (part: P) => string,
) => parts.map((part): Understood => ({ quote: part.quote, meaning: capitalized(words(part)), kind }));

export const readingWarnings = ({ unread, length }: Reading): string[] => [
  ...unreadWarning(unread),
  ...(length === undefined ? [] : [say('read.keeps_length')]),
];

export const unreadWarning = (unread: readonly string[]): string[] =>
  unread.length > 0 ? [say('read.warning', { quotes: quotedWords(...unread) })] : [];

const SOON = { soonest: say('read.soonest'), sooner: say('when.than_planned', { direction: 'sooner' }) };

function distinct(parts: Understood[]): Understood[] {
  const seen = new Set<string>();
  return parts.filter(({ kind, quote, meaning }) => {
    const key = `${kind}\n${quote}\n${meaning}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Tells an agent what it can ask the person again. The quotes are the person's own words. */
export function sayReading(understood: readonly Understood[], notUnderstood: readonly string[]): string {
  const known = understood.map(({ quote, meaning }) => say('read.means', { quote, meaning }));
  const unknown = notUnderstood.map((quote) => `${say('read.unknown', { quote })} ${say('read.ask')}`);
  return known.length + unknown.length === 0 ? say('read.nothing') : [...known, ...unknown].join(' ');
}

/** "on Thursday, 3 December, between 14:00 and 17:00". `isRefused` describes limits as times to avoid. */
function boxWords({ dates, weekdays, clock }: Box, isRefused = false): string {
  const spans = dates && listed(dates.map(spanWords), 'or');
  const parts = [
    ...(weekdays ? [weekdayWords(weekdays)] : []),
    ...(spans === undefined ? [] : [spans]),
    ...(clock ? [clockWords(clock, isRefused)] : []),
  ];
  if (parts.length === 0) return say('when.any_time');
  return parts.reduce((days, hours) => say('pair', { first: days, second: hours }));
}

function spanWords({ first, last }: DateSpan): string {
  const name = (day: number) => sayDate(formatDate(day));
  if (first === undefined) return last === undefined ? say('when.any_day') : say('when.up_to', { day: name(last) });
  if (last === undefined) return say('when.from_on', { edge: name(first) });
  if (first === last) return say('when.on', { days: name(first) });
  return say('when.from_to', { first: name(first), last: name(last) });
}

/** Returns the phrase for weekdays that recur: "on Tuesdays and Thursdays", "on weekdays". */
function weekdayWords(weekdays: readonly number[]): string {
  const days = [...new Set(weekdays)].sort((a, b) => a - b);
  if (days.join() === '0,1,2,3,4') return say('when.weekdays');
  if (days.join() === '5,6') return say('when.weekends');
  return say('when.on', { days: listed(days.map((day) => `${capitalized(WEEKDAYS[day] ?? '')}s`)) });
}

/** Describes hours: "between 9:00 and 12:00", "before 10:00", "from 15:00 on". */
function clockWords({ from, to }: ClockSpan, isRefused = false): string {
  const [first, last] = [clockOfMinutes(from), clockOfMinutes(to)];
  if (from <= 0 && to >= DAY_MINUTES) return say('when.any_hour');
  if (from <= 0) return isRefused ? say('when.before', { edge: last }) : say('when.over_by', { clock: last });
  if (to < DAY_MINUTES) return say('when.between', { first, last });
  return isRefused ? say('when.after', { edge: first }) : say('when.from_on', { edge: first });
}

function moveWords({ direction, what, by, exactly }: Move): string {
  if (by === undefined || !exactly) return say(what === 'clock' ? 'when.in_day' : 'when.than_planned', { direction });
  const days = by === 7 ? 'a week' : `${by} ${by === 1 ? 'day' : 'days'}`;
  return say('when.shift', { length: what === 'day' ? days : lasting(by), direction });
}

const VERDICT = { never: 'never', rather_not: 'rather not', prefer: 'preferably' };

/** Describes a person's standing rule: "never before 10:00", "preferably on Tuesdays". */
export function ruleWords(rule: Rule): string {
  const { contexts } = rule;
  if (contexts === undefined) return generalWords(rule);
  const kinds = MEETING_CONTEXTS.flatMap((one) => (contexts.includes(one) ? KIND[one] : []));
  return say('read.rule_for', { rule: generalWords(rule), kinds: listed(kinds, 'or') });
}

function generalWords(rule: Rule): string {
  switch (rule.kind) {
    case 'most_per_day':
      return rule.most === 1 ? say('read.one_a_day') : say('read.most_a_day', { most: rule.most });
    case 'buffer':
      if (rule.verdict === 'unwanted') return say('read.no_pause');
      return rule.minutes === undefined ? say('read.pause') : say('read.pause_of', { length: lasting(rule.minutes) });
    case 'times':
      return timesWords(rule);
  }
}

function timesWords({ weekdays, clock: hours, dates, verdict }: Extract<Rule, { kind: 'times' }>): string {
  const held = dates ? [spanWords(dates)] : [];
  if (verdict === 'never' && hours === undefined && weekdays && weekdays.length > 3 && weekdays.length < 7) {
    const others = [0, 1, 2, 3, 4, 5, 6].filter((day) => !weekdays.includes(day));
    return say('read.only', { times: [weekdayWords(others), ...held].join(' ') });
  }
  const of = [
    ...(weekdays ? [weekdayWords(weekdays)] : []),
    ...(hours ? [clockWords(hours, verdict !== 'prefer')] : []),
  ];
  return say('read.rule', { verdict: VERDICT[verdict], times: [...of, ...held].join(' ') });
}

/** "Ada's rule (never on Tuesdays)": in Tandem's words, because the person may have written more than a time. */
export function sayRule(who: string, blocks: readonly RuleBlock[], as: 'rule.own' | 'rule.asked' = 'rule.own'): string {
  const alike = Map.groupBy(blocks, ({ start, end, dates }) => JSON.stringify([start, end, dates]));
  const rules = [...alike.values()].map((same) => {
    const [{ start = '00:00', end = '24:00', dates } = {}] = same;
    const [from, to] = [parseMinute(start), parseMinute(end)];
    const weekdays = [...new Set(same.map(({ day }) => WEEKDAYS.indexOf(day)))];
    const isOfDays = weekdays.length < WEEKDAYS.length;
    const isWhole = (isOfDays || dates) && from === 0 && to === DAY_MINUTES;
    return ruleWords({
      ...{ kind: 'times', verdict: 'never', quote: '' },
      weekdays: isOfDays ? weekdays : undefined,
      clock: isWhole ? undefined : { from, to },
      dates,
    });
  });
  return say(as, { who, words: listed(rules) });
}

/** `weight` is the weight's path, such as `time_of_day_preference.morning`. */
export interface LearnedChange {
  pattern: string;
  weight: string;
  before: number;
  after: number;
}

/** For the API field `learned_from` (schema/DECISIONS.md, "What a reason teaches"). */
export function describeLearning(changes: readonly LearnedChange[]): string {
  if (changes.length === 0) return say('learned.nothing');
  const alike = Object.groupBy(changes, ({ pattern, before, after }) => `${pattern} ${before} ${after}`);
  return Object.values(alike)
    .map((group) => (group === undefined ? '' : sentenceOf(group)))
    .join(' ');
}

function sentenceOf(changes: readonly LearnedChange[]): string {
  const [{ pattern: words, before, after } = { pattern: '', before: 1, after: 1 }] = changes;
  const weights = listed(changes.map(({ weight }) => say('learned.weight', { name: nameOf(weight), weight })));
  if (after === before) return say('learned.at_bound', { words, weights, after });
  return say('learned.moved', { words, moved: after < before ? 'lowered' : 'raised', weights, before, after });
}

/** "Mornings count 20% less, because a meeting was moved with the words “too early”." */
export function sayLearned({ source, pattern, weight, before, after }: LearnedChange & { source: string }): string {
  const why = source === 'scheduling_context' ? say('learned.own_words') : say('learned.from_move', { words: pattern });
  const name = nameOf(weight);
  if (percentOf(after / before) !== 0)
    return say('learned.counts', { name: capitalized(name), weight: sayWeight(after / before), why });
  return say('learned.counts_already', { why: capitalized(why), name, much: after < 1 ? 'little' : 'much' });
}

/** Describes a preference weight as a percentage: "count 20% less" for 0.8. */
export function sayWeight(weight: number): string {
  const percent = percentOf(weight);
  return say(percent < 0 ? 'learned.less' : 'learned.more', { percent: Math.abs(percent) });
}

const percentOf = (factor: number) => Math.round((factor - 1) * 100);

/** They differ from 1 by at least a percent after rounding: "Mornings", 0.8. */
export function listWeights(learned: LearnedWeights): [name: string, weight: number][] {
  const all: (readonly [path: string, weight: number])[] = [
    ...Object.entries(learned.timeOfDay).map(([part, weight]) => [`time_of_day_preference.${part}`, weight] as const),
    ...WEEKDAYS.map((day) => [`day_of_week_preference.${day}`, learned.dayOfWeek[day]] as const),
    ['buffer_importance', learned.bufferImportance],
  ];
  return all
    .filter(([, weight]) => percentOf(weight) !== 0)
    .map(([path, weight]) => [capitalized(nameOf(path)), weight]);
}

/** "mornings" for time_of_day_preference.morning, "Mondays", "breaks between meetings". */
function nameOf(weight: string): string {
  const [map, name = ''] = weight.split('.');
  if (map === 'buffer_importance') return say('learned.breaks');
  return `${map === 'day_of_week_preference' ? capitalized(name) : name}s`;
}
