import {
  deleteRules,
  findLearning,
  type ListedRule,
  listLearning,
  replayWeights,
  selectWeights,
  undoEntries,
} from '../../schema/access/learning.ts';
import type { Place, Rows } from '../../schema/api/paging.ts';
import { changeUser } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, userGone } from '../kit/errors.ts';
import { type PageRequest, readPage, rowsToAsk } from '../kit/read-page.ts';
import { wholeWeights } from '../person/person.ts';
import { toRule } from '../person/standing.ts';
import { capitalized } from '../words/people.ts';
import { ruleWords } from '../words/understood.ts';

/** Returns a user's learned preference weights and every change that led to them, newest first. */
export async function readLearning(ctx: Ctx, userId: string, { limit, after }: PageRequest = {}) {
  const list = (page: Rows) => listLearning(ctx.db, { userId, ...page });
  const [[user], first] = await ctx.db.batch([
    selectWeights(ctx.db, { userId }),
    list({ limit: rowsToAsk({ limit }), after }),
  ]);
  if (user === undefined) throw userGone();
  const { rows, next } = await readPage({ limit, placeOf, first }, list);
  return {
    email: user.email,
    weights: wholeWeights(user.weights),
    rules: user.rules.map(sayRule),
    entries: rows,
    next,
  };
}

export const sayRule = ({ id, quote, source, createdAt, ...rule }: ListedRule) => ({
  id,
  quote,
  meaning: capitalized(ruleWords(toRule({ id, quote, ...rule }))),
  source,
  createdAt,
});

export type SaidRule = ReturnType<typeof sayRule>;

const placeOf = ({ createdAt, id }: { createdAt: number; id: string }): Place => ({ at: createdAt, id });

/** A repeated call has no further effect. Throws `not_found` for an unknown ID. */
export async function undoLearning(ctx: Ctx, { userId, id }: { userId: string; id: string }) {
  if (!/^[\w-]{1,64}$/.test(id)) throw unknown();
  const { weights, entries } = await changeUser(ctx, userId, {
    undone: undoEntries(ctx.db, { userId, id, now: ctx.clock.now() }),
    replayed: replayWeights(ctx.db, { userId }),
    weights: selectWeights(ctx.db, { userId }),
    entries: findLearning(ctx.db, { userId, id }),
  });
  const [[user], [entry]] = [weights, entries];
  if (user === undefined || entry === undefined) throw unknown();
  return { entry, weights: wholeWeights(user.weights) };
}

const unknown = () =>
  new AppError(
    'not_found',
    'No change of your learned weights has the ID in the request. GET /v1/user/learning lists the changes with their IDs.',
  );

/** Removes the rules of their own words too. All weights return to 1, and the ledger marks the changes as undone. */
export async function resetLearning(ctx: Ctx, userId: string) {
  const { weights } = await changeUser(ctx, userId, {
    deleted: deleteRules(ctx.db, { userId }),
    undone: undoEntries(ctx.db, { userId, now: ctx.clock.now() }),
    replayed: replayWeights(ctx.db, { userId }),
    weights: selectWeights(ctx.db, { userId }),
  });
  const [user] = weights;
  if (user === undefined) throw userGone();
  return { weights: wholeWeights(user.weights) };
}
