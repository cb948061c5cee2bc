import type { LearnedChange } from '../learning/learn-from-reason.ts';
import { WEEKDAYS } from '../scheduling/dates.ts';
import type { LearnedWeights } from '../scheduling/types.ts';
import { capitalized, listed } from './people.ts';

/**
 * What a reason taught, for `learned_from`: each pattern with the weights it moved, before and after; or that it taught
 * nothing (decisions, Learning).
 */
export function describeLearning(changes: readonly LearnedChange[]): string {
  if (changes.length === 0) return 'The reason teaches nothing for later meetings, so no weight was changed.';
  const alike = Object.groupBy(changes, ({ pattern, before, after }) => `${pattern} ${before} ${after}`);
  return Object.values(alike)
    .map((group) => (group === undefined ? '' : sentenceOf(group)))
    .join(' ');
}

function sentenceOf(changes: readonly LearnedChange[]): string {
  const [{ pattern, before, after } = { pattern: '', before: 1, after: 1 }] = changes;
  const what = listed(changes.map(({ weight }) => `${nameOf(weight)} (${weight})`));
  if (after === before) return `"${pattern}" left the weight of ${what} at its bound of ${after}.`;
  return `"${pattern}" ${after < before ? 'lowered' : 'raised'} the weight of ${what} from ${before} to ${after}.`;
}

/** One change, to the person it is about: "Mornings count 20% less, because a meeting was moved with the words “too early”." */
export function sayLearned({ source, pattern, weight, before, after }: LearnedChange & { source: string }): string {
  const why =
    source === 'scheduling_context' ? 'your own words ask for it' : `a meeting was moved with the words “${pattern}”`;
  const what = nameOf(weight);
  if (percentOf(after / before) !== 0) return `${capitalized(what)} ${sayWeight(after / before)}, because ${why}.`;
  return `${capitalized(why)}, but ${what} already count as ${after < 1 ? 'little' : 'much'} as they can.`;
}

/** "count 20% less" for 0.8. */
export function sayWeight(weight: number): string {
  const percent = percentOf(weight);
  return `count ${Math.abs(percent)}% ${percent < 0 ? 'less' : 'more'}`;
}

const percentOf = (factor: number) => Math.round((factor - 1) * 100);

/** The weights that are not 1 to the percent, by what they are of: "Mornings", 0.8. */
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
  if (map === 'buffer_importance') return 'breaks between meetings';
  return `${map === 'day_of_week_preference' ? capitalized(name) : name}s`;
}
