import type { ReadWeights } from '../../schema/api/learned-weights.ts';
import {
  applyWeightChanges,
  insertWeightChanges,
  listTaught,
  type WeightChange,
} from '../../schema/learning/queries.ts';
import { lockUser } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { matchPatterns } from './text/patterns.ts';
import { readContext } from './text/read-context.ts';

/** What a reason did to one weight, named by its path. */
export interface LearnedChange {
  pattern: string;
  weight: string;
  before: number;
  after: number;
}

/**
 * Adjusts the user's weights by the patterns in a rescheduling reason (interface, Learning rules). A meeting teaches each
 * weight once: a retry changes nothing and answers the same.
 */
export async function learnFromReason(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  { userId, meetingId, reason }: { userId: string; meetingId: string; reason: string },
): Promise<LearnedChange[]> {
  const changes = matchPatterns(reason).map((match) => ({ ...match, id: ctx.ids.id('learn_') }));
  if (changes.length === 0) return [];
  const ids = changes.map(({ id }) => id);
  const weights = changes.map(({ weight }) => weight);
  const [, , , taught] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    insertWeightChanges(ctx.db, { userId, source: 'reschedule', meetingId, changes, now: ctx.clock.now() }),
    applyWeightChanges(ctx.db, { userId, ids }),
    listTaught(ctx.db, { userId, meetingId, weights }),
  ]);
  return weights.flatMap((weight) => taught.filter((change) => change.weight === weight));
}

/** What a person's own text teaches, by the model or else by rules; empty text teaches nothing. */
export async function weightChangesOfContext(ctx: Ctx, text: string): Promise<WeightChange[]> {
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
