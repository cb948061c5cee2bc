import type { Place } from '../../schema/api/paging.ts';
import {
  findLearning,
  listLearning,
  replayWeights,
  selectWeights,
  undoEntries,
} from '../../schema/learning/queries.ts';
import { lockUser } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError, userGone } from '../errors.ts';
import { type PageRequest, readPage, rowsToAsk } from '../read-page.ts';
import { weightsOf } from '../users/person.ts';

const AT_ONCE = 1_000;

/** A user's weights and every change that made them, newest first. */
export async function readLearning(ctx: Ctx, userId: string, { limit, after }: PageRequest = {}) {
  const list = (page: { limit: number; after: Place | undefined }) => listLearning(ctx.db, { userId, ...page });
  const [[user], first] = await ctx.db.batch([
    selectWeights(ctx.db, { userId }),
    list({ limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after }),
  ]);
  if (user === undefined) throw userGone();
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    list({ limit: more, after: placeOf(last) }),
  );
  return { email: user.email, weights: weightsOf(user.weights), entries: rows, next: next && placeOf(next) };
}

const placeOf = ({ createdAt, id }: { createdAt: number; id: string }): Place => ({ at: createdAt, id });

/** Takes one change back, once however often it is asked; the others stand. Throws `not_found`. */
export async function undoLearning(ctx: Ctx, { userId, id }: { userId: string; id: string }) {
  if (!/^[\w-]{1,64}$/.test(id)) throw unknown();
  const [, , , [user], entries] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    undoEntries(ctx.db, { userId, id, now: ctx.clock.now() }),
    replayWeights(ctx.db, { userId }),
    selectWeights(ctx.db, { userId }),
    findLearning(ctx.db, { userId, id }),
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
