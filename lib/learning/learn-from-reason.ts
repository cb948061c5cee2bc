import { applyLessons, insertLessons, listTaught, lockWeights } from '../../schema/learning/queries.ts';
import type { Ctx } from '../context.ts';
import { matchPatterns } from './patterns.ts';

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
  const lessons = matchPatterns(reason).map((match) => ({ ...match, id: ctx.ids.id('learn_') }));
  if (lessons.length === 0) return [];
  const ids = lessons.map(({ id }) => id);
  const weights = lessons.map(({ weight }) => weight);
  const [, , , taught] = await ctx.db.batch([
    lockWeights(ctx.db, userId),
    insertLessons(ctx.db, { userId, source: 'reschedule', meetingId, lessons, now: ctx.clock.now() }),
    applyLessons(ctx.db, { userId, ids }),
    listTaught(ctx.db, { userId, meetingId, weights }),
  ]);
  return weights.flatMap((weight) => taught.filter((change) => change.weight === weight));
}

/** The changes as a sentence, for `learned_from`: each pattern, its weight, before and after. */
export function describeLearning(changes: LearnedChange[]): string {
  if (changes.length === 0) return 'Nothing in the reason matched a pattern; no weight was changed.';
  return changes
    .map(({ pattern, weight, before, after }) => {
      if (after === before) return `"${pattern}" left ${weight} at its bound of ${after}.`;
      return `"${pattern}" ${after < before ? 'lowered' : 'raised'} ${weight} from ${before} to ${after}.`;
    })
    .join(' ');
}
