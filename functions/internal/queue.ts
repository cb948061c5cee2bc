import { Hono } from 'hono';
import * as z from 'zod';
import { runJob } from '../../lib/jobs/run.ts';
import { syncCalendars } from '../../lib/meetings/sweep-calendars.ts';
import { deliverWebhook } from '../../lib/webhooks/deliver.ts';
import type { AppEnv } from '../env.ts';
import { readBody } from '../input.ts';
import { qstash } from '../middleware/qstash.ts';

/** What the queue calls: each message names a row, and the row says whether there is work left. */
export const queue = new Hono<AppEnv>();

queue.post('/internal/deliver-webhook', qstash(), async (c) => {
  const { delivery_id } = await readBody(c, z.object({ delivery_id: z.string().max(64) }));
  const waitMs = await deliverWebhook(c.var.ctx, delivery_id);
  if (waitMs === 0) return c.json({ ok: true });
  c.header('Retry-After', String(Math.ceil(waitMs / 1_000)));
  return c.json({ ok: false, message: `Not due yet. Request ${c.var.requestId}.` }, 503);
});

queue.post('/internal/sync-calendars', qstash(), async (c) => {
  const { user_ids, asked_at } = await readBody(
    c,
    z.object({ user_ids: z.array(z.string().max(64)).max(100), asked_at: z.number() }),
  );
  await syncCalendars(c.var.ctx, { userIds: user_ids, askedAt: asked_at });
  return c.json({ ok: true });
});

queue.post('/internal/run-job', qstash(), async (c) => {
  const { job_id } = await readBody(c, z.object({ job_id: z.string().max(64) }));
  await runJob(c.var.ctx, job_id);
  return c.json({ ok: true });
});
