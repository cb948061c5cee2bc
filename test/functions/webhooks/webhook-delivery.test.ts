import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { bookable, useQuota } from '../../support/people/meetings.ts';
import {
  allSignedBy,
  answerWith,
  arrived,
  askedFor,
  drain,
  emitOne,
  hookOf,
  type LogPage,
  pathOf,
} from '../../support/people/webhooks.ts';
import { hold } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

async function endOf(platform: Awaited<ReturnType<typeof freshPlatform>>) {
  await emitOne(platform);
  await drain(platform);
  const [record] = ((await hookOf(platform).logs()).body as LogPage).deliveries;
  return record;
}

describe('an attempt ends', () => {
  test.each([
    [200, 'success', undefined],
    [299, 'success', undefined],
    [301, 'failed', 'answered 301, a redirect, which is not followed'],
    [400, 'failed', 'answered 400'],
    [500, 'failed', 'answered 500'],
  ])('with %i as %s', async (status, end, error) => {
    const platform = await freshPlatform();
    answerWith(platform, { status, headers: { location: 'https://inbox.platform.test/elsewhere' } });
    const attempts = end === 'success' ? 1 : 3;
    expect(await endOf(platform)).toMatchObject({
      status: end,
      response_code: status,
      attempts,
      ...(error && { error }),
    });
    expect(arrived(platform)).toHaveLength(attempts);
    expect(world.inbox.deliveries().filter(({ url }) => url.endsWith('/elsewhere'))).toEqual([]);
  });

  test.each([
    ['hangs', { mode: 'hang' }, 'no answer within 1 s'],
    ['drops the connection', { mode: 'reset' }, 'the connection was lost before an answer'],
  ] as const)('as failed with code 0 when the endpoint %s', async (_name, fault, error) => {
    const platform = await freshPlatform();
    await hookOf(platform).put({ timeout_seconds: 1 });
    world.faults.add({ target: 'inbox', match: `POST ${pathOf(platform)}`, ...fault });
    expect(await endOf(platform)).toMatchObject({ status: 'failed', response_code: 0, attempts: 3, error });
  });

  test.each([
    [521, 'connection refused'],
    [522, 'the host could not be reached'],
    [525, 'TLS failed'],
    [530, 'the host was not found'],
  ])('as failed with code 0 when the edge says %i in the endpoint’s place', async (status, error) => {
    const platform = await freshPlatform();
    answerWith(platform, { status });
    expect(await endOf(platform)).toMatchObject({ status: 'failed', response_code: 0, attempts: 3, error });
  });

  test('in time or not, by the endpoint own timeout', async () => {
    const [slow, patient] = [await freshPlatform(), await freshPlatform()];
    for (const platform of [slow, patient]) answerWith(platform, { delay_ms: 1_100 });
    await hookOf(slow).put({ timeout_seconds: 1, max_retries: 1 });
    await hookOf(patient).put({ timeout_seconds: 30, max_retries: 1 });
    const error = 'no answer within 1 s';
    expect(await endOf(slow)).toMatchObject({ status: 'failed', response_code: 0, attempts: 1, error });
    expect(await endOf(patient)).toMatchObject({ status: 'success', attempts: 1 });
  });

  test('without having been sent when the secret cannot be opened', async () => {
    const platform = await freshPlatform();
    await world.neon.query("update webhook_endpoints set secret = 'gone.AA.AA' where platform_id = $1", [platform.id]);
    const error = 'not sent: the webhook secret could not be read on our side';
    expect(await endOf(platform)).toMatchObject({ status: 'failed', response_code: 0, attempts: 3, error });
    expect(arrived(platform)).toEqual([]);
  });

  test('without an attempt when the endpoint was switched off meanwhile', async () => {
    const platform = await freshPlatform();
    await emitOne(platform);
    await hookOf(platform).put({ enabled: false });
    await drain(platform);
    expect((await hookOf(platform).logs()).body).toMatchObject({
      deliveries: [{ status: 'failed', response_code: 0, attempts: 0, error: 'not sent: the webhook was disabled' }],
      stats: { total_sent: 1, last_30_days: { success: 0, failed: 1 } },
    });
    expect(arrived(platform)).toEqual([]);
  });
});

test('every attempt carries the same bytes and delivery id under a fresh signature', async () => {
  const platform = await freshPlatform();
  answerWith(platform, { status: 500, times: 2 });
  const record = await endOf(platform);
  const attempts = arrived(platform);
  expect(new Set(attempts.map(({ body_text }) => body_text)).size).toBe(1);
  expect(attempts.map(({ headers }) => headers['x-service-delivery'])).toEqual(Array(3).fill(record?.id));
  expect(new Set(attempts.map(({ headers }) => headers['x-service-timestamp'])).size).toBe(3);
  expect(allSignedBy(platform, platform.webhook_secret ?? '')).toBe(true);
});

test('the queue asks too early and is told when to come again', async () => {
  const platform = await freshPlatform();
  answerWith(platform, { status: 500, times: 1 });
  await emitOne(platform);
  await expect.poll(() => world.qstash.pending().length).toBe(1);
  const [message] = world.qstash.pending();
  await world.qstash.deliverDue();
  world.qstash.setKnobs({ hold: true });
  const [retry] = world.qstash.pending();
  expect(retry?.body).toEqual(message?.body);
  const [deferred] = await world.neon.query(
    `update deliveries set next_attempt_at = next_attempt_at + interval '20 seconds' where platform_id = $1
     returning (extract(epoch from next_attempt_at) * 1000)::float8 as due`,
    [platform.id],
  );
  await world.advance(1_000);
  await world.qstash.deliverDue();
  const [again] = world.qstash.pending();
  expect(arrived(platform)).toHaveLength(1);
  expect(again?.notBefore).toBeGreaterThanOrEqual(Number(deferred?.due));
  await world.advance(22_000);
  await world.qstash.deliverDue();
  expect(arrived(platform)).toHaveLength(2);
});

test('one message delivers all events of a change, and each that fails is retried alone', async () => {
  const { platform, body } = await bookable({ plan: 'developer' });
  await useQuota(platform, 19);
  await drain(platform);
  const before = arrived(platform).length;
  answerWith(platform, { status: 500, times: 1 });
  await platform.api.schedule(body);
  const messages = () => askedFor().map(({ body }) => JSON.parse(body));
  const id = expect.stringMatching(/^wh_del_/);
  await expect.poll(messages).toEqual([{ delivery_id: id, more: [id] }]);
  const [{ delivery_id, more }] = messages();
  await world.qstash.deliverDue();
  expect(arrived(platform)).toHaveLength(before + 2);
  const [failed] = messages();
  expect(messages()).toEqual([{ delivery_id: id }]);
  expect([delivery_id, ...more]).toContain(failed.delivery_id);
  await drain(platform);
  expect(arrived(platform)).toHaveLength(before + 3);
});

test('a platform without an endpoint has no deliveries', async () => {
  const { platform, body } = await bookable();
  await world.neon.query('delete from webhook_endpoints where platform_id = $1', [platform.id]);
  expect((await platform.api.schedule(body)).status).toBe(200);
  expect((await hookOf(platform).logs('?event=meeting.scheduled')).body).toMatchObject({ deliveries: [] });
});

test('a slow and a dead platform do not hold up a third', async () => {
  const [slow, dead, third] = [await freshPlatform(), await freshPlatform(), await freshPlatform()];
  await hookOf(dead).put({ timeout_seconds: 1, max_retries: 1 });
  const held = [slow, dead].map((platform) => hold({ target: 'inbox', match: `POST ${pathOf(platform)}` }));
  const { email } = freshPerson();
  // Each consent of a person sends an event to every platform they are connected with.
  for (const platform of [slow, dead, ...Array(12).fill(third)]) await world.connectCalendar(platform, email);
  await expect.poll(() => world.qstash.pending().length).toBe(14 + 13 + 12);
  const delivering = world.qstash.deliverDue();
  await expect.poll(() => arrived(third).length).toBe(12);
  expect(arrived(slow)).toEqual([]);
  for (const { release } of held) release();
  await delivering;
  for (const platform of [slow, dead]) await drain(platform);
  expect(arrived(slow)).toHaveLength(14);
});

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
