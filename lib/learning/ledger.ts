import { listLearning, replayWeights, selectWeights, undoEntries } from '../../schema/learning/queries.ts';
import { lockUser } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError, userGone } from '../errors.ts';
import { weightsOf } from '../users/person.ts';

/** A user's weights and every change that made them, newest first. */
export async function readLearning(ctx: Ctx, userId: string) {
  const [[user], entries] = await ctx.db.batch([selectWeights(ctx.db, { userId }), listLearning(ctx.db, { userId })]);
  if (user === undefined) throw userGone();
  return { email: user.email, weights: weightsOf(user.weights), entries };
}

/** Takes one change back, once however often it is asked; the others stand. Throws `not_found`. */
export async function undoLearning(ctx: Ctx, { userId, id }: { userId: string; id: string }) {
  if (!/^[\w-]{1,64}$/.test(id)) throw unknown();
  const [, , , [user], entries] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    undoEntries(ctx.db, { userId, id, now: ctx.clock.now() }),
    replayWeights(ctx.db, { userId }),
    selectWeights(ctx.db, { userId }),
    listLearning(ctx.db, { userId, id }),
  ]);
  const [entry] = entries;
  if (user === undefined || entry === undefined) throw unknown();
  return { entry, weights: weightsOf(user.weights) };
}

const unknown = () => new AppError('not_found', 'You have no learned change of this id.');

/** Takes every change back: all weights are 1 again, the entries stay as undone. */
export async function resetLearning(ctx: Ctx, userId: string) {
  const [, , , [user]] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    undoEntries(ctx.db, { userId, now: ctx.clock.now() }),
    replayWeights(ctx.db, { userId }),
    selectWeights(ctx.db, { userId }),
  ]);
  if (user === undefined) throw userGone();
  return { weights: weightsOf(user.weights) };
}
