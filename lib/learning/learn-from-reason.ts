import { applyWeightChanges, insertWeightChanges, listTaught, selectWeights } from '../../schema/learning/queries.ts';
import { lockUser } from '../../schema/users/find-queries.ts';
import type { LearnedWeights } from '../engine/types.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';
import { wholeWeights } from '../person/person.ts';
import type { LearnedChange } from '../words/learned.ts';
import { lessonsOf } from './weight-factors.ts';

export interface Learned {
  changes: LearnedChange[];
  /** The user's preference weights after the change. Undefined if the reason changed none. */
  weights?: LearnedWeights | undefined;
}

/**
 * Adjusts the user's preference weights by the rules about times in general that were read in a rescheduling reason
 * (schema/DECISIONS.md, "What a reason teaches"). One meeting changes each weight at most once, so a retry changes
 * nothing and returns the same answer.
 */
export async function learnFromReason(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  { userId, meetingId, reading }: { userId: string; meetingId: string; reading: Reading },
): Promise<Learned> {
  const changes = lessonsOf(reading.standing).map((lesson) => ({ ...lesson, id: ctx.ids.id('learn_') }));
  if (changes.length === 0) return { changes: [] };
  const ids = changes.map(({ id }) => id);
  const weights = changes.map(({ weight }) => weight);
  const [, , , taught, [user]] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    insertWeightChanges(ctx.db, { userId, source: 'reschedule', meetingId, changes, now: ctx.clock.now() }),
    applyWeightChanges(ctx.db, { userId, ids }),
    listTaught(ctx.db, { userId, meetingId, weights }),
    selectWeights(ctx.db, { userId }),
  ]);
  return {
    changes: weights.flatMap((weight) => taught.filter((change) => change.weight === weight)),
    weights: user && wholeWeights(user.weights),
  };
}
