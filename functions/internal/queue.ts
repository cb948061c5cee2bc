import { Receiver } from '@upstash/qstash';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import type { Ctx } from '../../lib/kit/context.ts';
import { AppError } from '../../lib/kit/errors.ts';
import { receivePush, runBatch, runJob, syncCalendars } from '../../lib/meetings/index.ts';
import { deliverWebhook } from '../../lib/webhooks/deliver.ts';
import { readText } from '../http/body.ts';
import type { AppEnv } from '../http/env.ts';
import { readBody } from '../http/input.ts';
import { countByIp } from '../middleware/rate-limit.ts';

/** Counts any other request against its IP address, and does not read the body of one without a signature. */
const qstash = () =>
  createMiddleware<AppEnv>(async function qstash(c, next) {
    const signature = c.req.header('Upstash-Signature');
    if (signature === undefined) return refuse(c);
    const { QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY, BASE_URL } = c.var.env;
    const body = await readText(c);
    const receiver = new Receiver({
      currentSigningKey: QSTASH_CURRENT_SIGNING_KEY,
      nextSigningKey: QSTASH_NEXT_SIGNING_KEY,
      devMode: false,
    });
    const isOurs = await receiver
      .verify({ signature, body, url: BASE_URL + c.req.path, clockTolerance: 5 })
      .catch(() => false);
    if (!isOurs) return refuse(c);
    await next();
  });

async function refuse(c: Context<AppEnv>): Promise<never> {
  await countByIp(c);
  throw new AppError(
    'unauthorized',
    "This path accepts only requests that Tandem's message queue has signed. GET /openapi.json lists the paths that you can call.",
  );
}

/** QStash delivers these. Each names a database row, and the row says if work is left. */
export const queue = new Hono<AppEnv>();

const id = z.string().max(64);

queue.post('/internal/deliver-webhook', qstash(), async (c) => {
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

function on<S extends z.ZodType>(path: string, message: S, run: (ctx: Ctx, message: z.output<S>) => Promise<unknown>) {
  queue.post(path, qstash(), async (c) => {
    await run(c.var.ctx, await readBody(c, message));
    return c.json({ ok: true });
  });
}

on('/internal/sync-calendars', z.object({ user_ids: z.array(id).max(100), asked_at: z.number() }), (ctx, message) =>
  syncCalendars(ctx, { userIds: message.user_ids, askedAt: message.asked_at }),
);
on('/internal/run-job', z.object({ job_id: id }), (ctx, { job_id }) => runJob(ctx, job_id));
on('/internal/run-batch', z.object({ batch_id: id }), (ctx, { batch_id }) => runBatch(ctx, batch_id));

/** A watched calendar has changed. All of the push's data is in its headers. */
export const calendarPush = new Hono<AppEnv>();

calendarPush.post('/internal/calendar-push', async (c) => {
  const header = (name: string) => c.req.header(`X-Goog-${name}`) ?? '';
  const isBelieved = await receivePush(c.var.ctx, {
    channelId: header('Channel-ID').slice(0, 64),
    token: header('Channel-Token'),
    state: header('Resource-State'),
    number: /^\d{1,15}$/.test(header('Message-Number')) ? Number(header('Message-Number')) : 0,
  });
  if (isBelieved) return c.body(null, 204);
  await countByIp(c);
  throw new AppError(
    'not_found',
    'This path accepts only notifications from the calendar provider about calendars that Tandem watches. GET /openapi.json lists the paths that you can call.',
  );
});
