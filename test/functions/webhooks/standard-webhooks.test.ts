import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { answerWith, arrived, drain, emitOne, hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Delivery = ReturnType<typeof arrived>[number];

/**
 * Verifies a delivery with the Standard Webhooks library at the world's time. Returns the event, or why it is not
 * genuine.
 */
function verified(secret: string, { headers, body_text }: Pick<Delivery, 'headers' | 'body_text'>): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now() });
  try {
    return new Webhook(secret).verify(body_text, headers);
  } catch (error) {
    return String(error);
  } finally {
    vi.useRealTimers();
  }
}

const NO_MATCH = 'WebhookVerificationError: No matching signature found';
const secretOf = (answer: { body: unknown }) => (answer.body as { secret: string }).secret;

async function delivered(platform: Awaited<ReturnType<typeof freshPlatform>>): Promise<Delivery> {
  const before = arrived(platform).length;
  await emitOne(platform);
  await drain(platform);
  const delivery = arrived(platform)[before];
  if (delivery === undefined) throw new Error('nothing arrived');
  return delivery;
}

test('the official library verifies every delivery with the secret as it was shown, and nothing that was changed', async () => {
  const platform = await freshPlatform();
  const secret = platform.webhook_secret ?? '';
  const delivery = await delivered(platform);
  expect(verified(secret, delivery)).toEqual(JSON.parse(delivery.body_text));
  expect(delivery.headers['webhook-id']).toBe(JSON.parse(delivery.body_text).id);
  expect(verified(secret, { ...delivery, body_text: delivery.body_text.replace('wh_', 'wh-') })).toBe(NO_MATCH);
  const other = { ...delivery.headers, 'webhook-id': 'wh_other' };
  expect(verified(secret, { ...delivery, headers: other })).toBe(NO_MATCH);
  expect(verified((await freshPlatform()).webhook_secret ?? '', delivery)).toBe(NO_MATCH);
});

test('after rotations every secret that is still valid verifies', async () => {
  const platform = await freshPlatform();
  const former = platform.webhook_secret ?? '';
  const [second, third] = [secretOf(await hookOf(platform).rotate()), secretOf(await hookOf(platform).rotate())];
  const delivery = await delivered(platform);
  expect(delivery.headers['webhook-signature']?.split(' ')).toHaveLength(3);
  for (const secret of [former, second, third])
    expect(verified(secret, delivery)).toEqual(JSON.parse(delivery.body_text));
});

test('a receiver that knows the former secret alone gets the same signatures again, each once', async () => {
  const platform = await freshPlatform();
  const former = platform.webhook_secret ?? '';
  await hookOf(platform).rotate();
  answerWith(platform, { secret: former });
  await connectedPerson(platform);
  await drain(platform);
  const [first, again] = arrived(platform);
  for (const delivery of [first, again]) {
    const given = delivery?.headers['webhook-signature']?.split(' ') ?? [];
    expect([given.length, new Set(given).size]).toEqual([2, 2]);
    expect(delivery && verified(former, delivery)).toMatchObject({ event_type: 'user.calendar.connected' });
  }
});

test('each attempt is signed anew under one id, and so is a replay', async () => {
  const platform = await freshPlatform();
  answerWith(platform, { status: 500 });
  await emitOne(platform);
  await drain(platform);
  const deliveries = arrived(platform);
  expect(deliveries).toHaveLength(3);
  answerWith(platform, { status: 200 });
  const { body } = await hookOf(platform).logs();
  const [{ id = '' } = {}] = (body as { deliveries: { id: string }[] }).deliveries;
  await hookOf(platform).replay(id);
  await drain(platform);
  const all = arrived(platform);
  expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  for (const delivery of all) expect(verified(platform.webhook_secret ?? '', delivery)).toBeInstanceOf(Object);
});
