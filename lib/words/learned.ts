import { WEEKDAYS } from '../engine/time/dates.ts';
import type { LearnedWeights } from '../engine/types.ts';
import { say } from './patterns.ts';
import { capitalized, listed } from './people.ts';

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
export function listWeights({
  timeOfDay,
  dayOfWeek,
  bufferImportance,
}: LearnedWeights): [name: string, weight: number][] {
  const all: [path: string, weight: number][] = [
    ...Object.entries(timeOfDay).map(([part, weight]): [string, number] => [`time_of_day_preference.${part}`, weight]),
    ...WEEKDAYS.map((day): [string, number] => [`day_of_week_preference.${day}`, dayOfWeek[day]]),
    ['buffer_importance', bufferImportance],
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
