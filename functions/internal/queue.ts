import { Hono } from 'hono';
import * as z from 'zod';
import { runBatch, runJob, syncCalendars } from '../../lib/meetings/index.ts';
import { deliverWebhook } from '../../lib/webhooks/deliver.ts';
import type { AppEnv } from '../http/env.ts';
import { readBody } from '../http/input.ts';
import { qstash } from '../middleware/qstash.ts';

/** QStash delivers these. Each names a database row, and the row says if work is left. */
export const queue = new Hono<AppEnv>();

queue.post('/internal/deliver-webhook', qstash(), async (c) => {
  const id = z.string().max(64);
  const { delivery_id, more } = await readBody(c, z.object({ delivery_id: id, more: z.array(id).max(10).default([]) }));
  const waitMs = await deliverWebhook(c.var.ctx, delivery_id, ...more);
  if (waitMs === 0) return c.json({ ok: true });
  c.header('Retry-After', String(Math.ceil(waitMs / 1_000)));
  c.set('refusal', 'not_due');
  return c.json(
    {
      ok: false,
      message: `This delivery of a webhook is not due yet. The queue must send its message again after the number of seconds in Retry-After. The request ID is ${c.var.requestId}.`,
    },
    503,
  );
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

queue.post('/internal/run-batch', qstash(), async (c) => {
  const { batch_id } = await readBody(c, z.object({ batch_id: z.string().max(64) }));
  await runBatch(c.var.ctx, batch_id);
  return c.json({ ok: true });
});
