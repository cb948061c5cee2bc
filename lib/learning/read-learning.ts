import { listLearning, selectWeights } from '../../schema/learning/queries.ts';
import type { Ctx } from '../context.ts';
import { shownWeights } from './shown-weights.ts';

type Entry = Awaited<ReturnType<typeof listLearning>>[number];

/** A user's weights and every change that made them, newest first. */
export async function readLearning(ctx: Ctx, userId: string) {
  const [[user], entries] = await ctx.db.batch([selectWeights(ctx.db, { userId }), listLearning(ctx.db, { userId })]);
  if (user === undefined) throw new Error('the user of the key is gone');
  return { email: user.email, learnedWeights: shownWeights(user.weights), entries: entries.map(shownEntry) };
}

/** A ledger row as the API shows it. */
export const shownEntry = ({ meetingId, createdAt, undoneAt, ...entry }: Entry) => ({
  ...entry,
  meeting_id: meetingId,
  created_at: new Date(createdAt).toISOString(),
  undone_at: undoneAt === null ? null : new Date(undoneAt).toISOString(),
});
