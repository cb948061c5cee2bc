import { listLearning, lockWeights, replayWeights, selectWeights, undoEntries } from '../../schema/learning/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { shownEntry } from './read-learning.ts';
import { shownWeights } from './shown-weights.ts';

/** Takes one change back, once however often it is asked; the others stand. Throws `not_found`. */
export async function undoLearning(ctx: Ctx, { userId, id }: { userId: string; id: string }) {
  if (!/^[\w-]{1,64}$/.test(id)) throw unknown();
  const [, , , [user], entries] = await ctx.db.batch([
    lockWeights(ctx.db, userId),
    undoEntries(ctx.db, { userId, id, now: ctx.clock.now() }),
    replayWeights(ctx.db, { userId }),
    selectWeights(ctx.db, { userId }),
    listLearning(ctx.db, { userId, id }),
  ]);
  const [entry] = entries;
  if (user === undefined || entry === undefined) throw unknown();
  return { entry: shownEntry(entry), learnedWeights: shownWeights(user.weights) };
}

const unknown = () => new AppError('not_found', 'You have no learned change of this id.');
