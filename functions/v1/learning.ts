import { Hono } from 'hono';
import { readLearning, resetLearning, undoLearning } from '../../lib/learning/ledger.ts';
import { type AppEnv, userOf } from '../env.ts';

export const learning = new Hono<AppEnv>();

learning.get('/v1/user/learning', async (c) => {
  const { email, learnedWeights, entries } = await readLearning(c.var.ctx, userOf(c).userId);
  return c.json({ email, learned_weights: learnedWeights, entries });
});

learning.post('/v1/user/learning/:id/undo', async (c) => {
  const { userId } = userOf(c);
  const { entry, learnedWeights } = await undoLearning(c.var.ctx, { userId, id: c.req.param('id') });
  return c.json({ success: true, entry, learned_weights: learnedWeights });
});

learning.delete('/v1/user/learning', async (c) => {
  const { learnedWeights } = await resetLearning(c.var.ctx, userOf(c).userId);
  return c.json({ success: true, learned_weights: learnedWeights });
});
