import type { LearnedChange } from '../learning/learn-from-reason.ts';
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

/** "mornings" for time_of_day_preference.morning, "Mondays", "pauses between meetings". */
function nameOf(weight: string): string {
  const [map, name = ''] = weight.split('.');
  if (map === 'buffer_importance') return 'pauses between meetings';
  return `${map === 'day_of_week_preference' ? capitalized(name) : name}s`;
}
