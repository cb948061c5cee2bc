import { lockWeights, replayWeights, selectWeights, undoEntries } from '../../schema/learning/queries.ts';
import type { Ctx } from '../context.ts';
import { shownWeights } from './shown-weights.ts';

/** Takes every change back: all weights are 1 again, the entries stay as undone. */
export async function resetLearning(ctx: Ctx, userId: string) {
  const [, , , [user]] = await ctx.db.batch([
    lockWeights(ctx.db, userId),
    undoEntries(ctx.db, { userId, now: ctx.clock.now() }),
    replayWeights(ctx.db, { userId }),
    selectWeights(ctx.db, { userId }),
  ]);
  if (user === undefined) throw new Error('the user of the key is gone');
  return { learnedWeights: shownWeights(user.weights) };
}
