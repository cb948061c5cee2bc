import { listLearning, lockWeights, replayWeights, selectWeights, undoEntries } from '../../schema/learning/queries.ts';
import type { StoredWeights } from '../../schema/users/table.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { weightsOf } from '../users/person.ts';

type Entry = Awaited<ReturnType<typeof listLearning>>[number];

/** A user's weights and every change that made them, newest first. */
export async function readLearning(ctx: Ctx, userId: string) {
  const [[user], entries] = await ctx.db.batch([selectWeights(ctx.db, { userId }), listLearning(ctx.db, { userId })]);
  if (user === undefined) throw new Error('the user of the key is gone');
  return { email: user.email, learnedWeights: toWeightsAnswer(user.weights), entries: entries.map(toEntryAnswer) };
}

/** A ledger row as the API shows it. */
export const toEntryAnswer = ({ meetingId, createdAt, undoneAt, ...entry }: Entry) => ({
  ...entry,
  meeting_id: meetingId,
  created_at: new Date(createdAt).toISOString(),
  undone_at: undoneAt === null ? null : new Date(undoneAt).toISOString(),
});

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
  return { entry: toEntryAnswer(entry), learnedWeights: toWeightsAnswer(user.weights) };
}

const unknown = () => new AppError('not_found', 'You have no learned change of this id.');

/** Takes every change back: all weights are 1 again, the entries stay as undone. */
export async function resetLearning(ctx: Ctx, userId: string) {
  const [, , , [user]] = await ctx.db.batch([
    lockWeights(ctx.db, userId),
    undoEntries(ctx.db, { userId, now: ctx.clock.now() }),
    replayWeights(ctx.db, { userId }),
    selectWeights(ctx.db, { userId }),
  ]);
  if (user === undefined) throw new Error('the user of the key is gone');
  return { learnedWeights: toWeightsAnswer(user.weights) };
}

/** Learned weights as the API shows them, whole: a missing one is 1. */
export function toWeightsAnswer(stored: StoredWeights) {
  const { timeOfDay, dayOfWeek, bufferImportance } = weightsOf(stored);
  return {
    time_of_day_preference: timeOfDay,
    day_of_week_preference: dayOfWeek,
    buffer_importance: bufferImportance,
  };
}
