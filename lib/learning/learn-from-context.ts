import type { WeightChange } from '../../schema/learning/queries.ts';
import type { ModelWeights } from '../../schema/model-answers/weights.ts';
import type { Ctx } from '../context.ts';
import { WEEKDAYS } from '../scheduling/dates.ts';
import type { DayPart } from '../scheduling/moment.ts';
import { type Opinion, opinionsOf } from './text/opinions.ts';
import { plainWords } from './text/plain-words.ts';

/** What a person's own text teaches, by the model or else by rules; empty text teaches nothing. */
export async function weightChangesOfContext(ctx: Ctx, text: string): Promise<WeightChange[]> {
  if (text.trim() === '') return [];
  const read = (await ctx.reader.read(text)) ?? readContext(text);
  return pathsOf(read)
    .filter(([, factor]) => factor !== 1)
    .map(([weight, factor]) => ({ id: ctx.ids.id('learn_'), pattern: 'scheduling_context', weight, factor }));
}

function pathsOf({ buffer_importance: buffer, ...maps }: ModelWeights): [path: string, factor: number][] {
  const inMaps = Object.entries(maps).flatMap(([map, weights]) =>
    Object.entries(weights ?? {}).map(([name, weight]): [string, number | undefined] => [`${map}.${name}`, weight]),
  );
  return [...inMaps, ['buffer_importance', buffer] as const].flatMap(([path, weight]) =>
    weight === undefined ? [] : [[path, weight]],
  );
}

/** What is merely allowed is no better than a day nothing is said of. */
const WEIGHT: Record<Opinion, number | undefined> = { liked: 1.5, disliked: 0.4, allowed: undefined, named: undefined };
const PAUSES = { wanted: 1.5, unwanted: 0.7 };
const PARTS: DayPart[] = ['morning', 'afternoon', 'evening'];

/** What a scheduling context says by rules alone (decisions, Learning): it serves when the model does not. */
export function readContext(context: string): ModelWeights {
  const { days, parts, onlyDays, onlyParts, pauses } = opinionsOf(plainWords(context));
  const timeOfDay = weightsOf(PARTS, (part) =>
    onlyParts.size > 0 && !onlyParts.has(part) ? 'disliked' : parts.get(part),
  );
  const dayOfWeek = weightsOf(WEEKDAYS, (_, day) =>
    onlyDays.size > 0 && !onlyDays.has(day) ? 'disliked' : days.get(day),
  );
  return {
    ...(timeOfDay && { time_of_day_preference: timeOfDay }),
    ...(dayOfWeek && { day_of_week_preference: dayOfWeek }),
    ...(pauses && { buffer_importance: PAUSES[pauses] }),
  };
}

function weightsOf<T extends string>(names: readonly T[], opinionOf: (name: T, index: number) => Opinion | undefined) {
  const weights = names.flatMap((name, i) => {
    const weight = WEIGHT[opinionOf(name, i) ?? 'named'];
    return weight === undefined ? [] : [[name, weight] as const];
  });
  return weights.length === 0 ? undefined : (Object.fromEntries(weights) as Partial<Record<T, number>>);
}
