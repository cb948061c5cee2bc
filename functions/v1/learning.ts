import { Hono } from 'hono';
import type { LearnedWeights } from '../../lib/engine/types.ts';
import { readLearning, resetLearning, undoLearning } from '../../lib/learning/ledger.ts';
import type { listLearning } from '../../schema/access/learning.ts';
import * as api from '../../schema/api/learning.ts';
import { toPagination } from '../../schema/api/paging.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const learning = new Hono<AppEnv>();

serve(learning, api.getLearning, async ({ ctx, user: { userId }, query: { limit, cursor: after } }) => {
  const { email, weights, entries, next } = await readLearning(ctx, userId, { limit, after });
  return {
    email,
    learned_weights: toWeightsAnswer(weights),
    entries: entries.map(toEntryAnswer),
    pagination: toPagination(next),
  };
});

serve(learning, api.undoLearning, async ({ ctx, user: { userId }, params: { id } }) => {
  const { entry, weights } = await undoLearning(ctx, { userId, id });
  return { success: true, entry: toEntryAnswer(entry), learned_weights: toWeightsAnswer(weights) };
});

serve(learning, api.resetLearning, async ({ ctx, user: { userId } }) => {
  const { weights } = await resetLearning(ctx, userId);
  return { success: true, learned_weights: toWeightsAnswer(weights) };
});

export const toWeightsAnswer = ({ timeOfDay, dayOfWeek, bufferImportance }: LearnedWeights): api.LearnedWeights => ({
  time_of_day_preference: timeOfDay,
  day_of_week_preference: dayOfWeek,
  buffer_importance: bufferImportance,
});

export const toEntryAnswer = (entry: Awaited<ReturnType<typeof listLearning>>[number]): api.LearningEntry => ({
  id: entry.id,
  source: entry.source,
  meeting_id: entry.meetingId,
  pattern: entry.pattern,
  weight: entry.weight,
  before: entry.before,
  after: entry.after,
  created_at: new Date(entry.createdAt).toISOString(),
  undone_at: entry.undoneAt === null ? null : new Date(entry.undoneAt).toISOString(),
});
