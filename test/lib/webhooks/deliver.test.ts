import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSealer } from '../../../lib/adapters/sealed-tokens.ts';
import type { Ctx } from '../../../lib/kit/context.ts';
import { randomIds } from '../../../lib/kit/ids.ts';
import { createKeys } from '../../../lib/kit/keys.ts';
import { createPlatform } from '../../../lib/platforms/create-platform.ts';
import { type DeliveryCtx, deliverWebhook, sweepDeliveries } from '../../../lib/webhooks/deliver.ts';
import { insertEvent, publishChange } from '../../../lib/webhooks/outbox.ts';
import { createNeon } from '../../local/neon.ts';
import { openDb } from '../../local/open-db.ts';
import { createSecrets } from '../../local/platforms.ts';
import { migratedDatabase } from '../../support/worlds/prepared.ts';

const keys = createKeys(randomIds, createSecrets().KEY_CHECK_SECRET);

type Posted = Parameters<Ctx['sender']['post']>[0];

const neon = await createNeon({ snapshot: await migratedDatabase() });
let time = Date.parse('2026-08-03T09:00:00Z');
let codes: number[] = [];
let posted: Posted[] = [];
let published: Parameters<Ctx['queue']['publish']>[0][] = [];

beforeEach(() => {
  [codes, posted, published] = [[], [], []];
});
afterAll(() => neon.close());

function world() {
  return {
    db: openDb(neon),
    clock: { now: () => time },
    ids: randomIds,
    sealer: createSealer(createSecrets().TOKEN_KEYS),
    queue: { publish: async (...messages: typeof published) => void published.push(...messages) },
    sender: {
      async post(input: Posted) {
        posted.push(input);
        const code = codes.shift() ?? 200;
        return { code, durationMs: 5 };
      },
    },
    dns: { lookup: async () => ({ addresses: ['93.184.215.14'], aliases: [] }) },
    log: () => undefined,
    config: { baseUrl: 'https://api.tandem.test', sessionSecret: '' },
  } satisfies DeliveryCtx;
}

async function emitted(ctx: DeliveryCtx, webhookUrl: string | undefined = 'https://acme.test/hook') {
  const owner = { name: 'Acme', email: 'owner@acme.test', plan: 'starter' };
  const platform = await createPlatform({ ...ctx, keys }, { ...owner, webhookUrl });
  const event = { used: 200, limit: 250, at: 0, plan: 'starter', message: 'm' };
  const { statement, deliveryId } = insertEvent(ctx, {
    platformId: platform.id,
    type: 'platform.usage_warning',
    event,
  });
  await ctx.db.batch([statement]);
  return { platform, deliveryId };
}

const stateOf = async (id: string) =>
  (await neon.query(`select status, attempts::int from deliveries where id = '${id}'`))[0];

test('three refusals, 1 s and 10 s apart, end in failure with every attempt written down', async () => {
  const ctx = world();
  codes = [500, 302, 404];
  const { deliveryId } = await emitted(ctx);
  await deliverWebhook(ctx, deliveryId);
  await deliverWebhook(ctx, deliveryId);
  expect(posted).toHaveLength(1);
  time += 1_000;
  await deliverWebhook(ctx, deliveryId);
  time += 10_000;
  await deliverWebhook(ctx, deliveryId);
  expect(published.map(({ delaySeconds }) => delaySeconds)).toEqual([1, 10]);
  expect(await stateOf(deliveryId)).toMatchObject({ status: 'failed' });
  expect(
    await neon.query(`select response_code from delivery_attempts where delivery_id = '${deliveryId}' order by number`),
  ).toHaveLength(3);
});

test('one message delivers all events of a change, and each that fails is retried alone', async () => {
  const ctx = world();
  codes = [200, 500];
  const { platform, deliveryId: first } = await emitted(ctx);
  const event = { used: 250, limit: 250, at: 0, plan: 'starter', message: 'm' };
  const second = insertEvent(ctx, { platformId: platform.id, type: 'platform.usage_limit_reached', event });
  await ctx.db.batch([second.statement]);
  await publishChange(ctx, [first, second.deliveryId]);
  expect(published.map(({ body }) => body)).toEqual([{ delivery_id: first, more: [second.deliveryId] }]);
  expect(await deliverWebhook(ctx, first, second.deliveryId)).toBe(0);
  const states = [await stateOf(first), await stateOf(second.deliveryId)];
  expect(states.map((state) => state?.status).sort()).toEqual(['pending', 'success']);
  const failed = states[0]?.status === 'pending' ? first : second.deliveryId;
  expect(published.at(-1)).toMatchObject({ body: { delivery_id: failed }, delaySeconds: 1 });
  expect(await deliverWebhook(ctx, first, second.deliveryId)).toBe(1_000);
  time += 1_000;
  await deliverWebhook(ctx, failed);
  expect(await stateOf(failed)).toMatchObject({ status: 'success', attempts: 2 });
  expect(posted).toHaveLength(3);
});

test('the sweep asks again for what is due, and a platform without an endpoint gets no row', async () => {
  const ctx = world();
  const { deliveryId } = await emitted(ctx);
  expect(await sweepDeliveries(ctx, ctx.clock.now() + 1)).toBe(1);
  expect(published[0]?.body).toEqual({ delivery_id: deliveryId });
  const { id } = await createPlatform({ ...ctx, keys }, { name: 'B', email: 'b@b.test', plan: 'pro' });
  const event = { used: 1, limit: 1, at: 0, plan: 'pro', message: 'm' };
  const silent = insertEvent(ctx, { platformId: id, type: 'platform.usage_limit_reached', event });
  await ctx.db.batch([silent.statement]);
  expect(await stateOf(silent.deliveryId)).toBeUndefined();
});
