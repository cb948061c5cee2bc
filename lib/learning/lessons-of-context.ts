import type { ReadWeights } from '../../schema/api/learned-weights.ts';
import type { Lesson } from '../../schema/learning/queries.ts';
import type { Ctx } from '../context.ts';
import { readContext } from './read-context.ts';

/** What a person's own text teaches, by the model or else by rules; empty text teaches nothing. */
export async function lessonsOfContext(ctx: Ctx, text: string): Promise<Lesson[]> {
  if (text.trim() === '') return [];
  const read = (await ctx.reader.read(text)) ?? readContext(text);
  return pathsOf(read)
    .filter(([, factor]) => factor !== 1)
    .map(([weight, factor]) => ({ id: ctx.ids.id('learn_'), pattern: 'scheduling_context', weight, factor }));
}

function pathsOf({ buffer_importance: buffer, ...maps }: ReadWeights): [path: string, factor: number][] {
  const inMaps = Object.entries(maps).flatMap(([map, weights]) =>
    Object.entries(weights ?? {}).map(([name, weight]): [string, number | undefined] => [`${map}.${name}`, weight]),
  );
  return [...inMaps, ['buffer_importance', buffer] as const].flatMap(([path, weight]) =>
    weight === undefined ? [] : [[path, weight]],
  );
}
