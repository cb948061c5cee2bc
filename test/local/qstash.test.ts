import { Client, Receiver } from '@upstash/qstash';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/worlds/quiet.ts';
import { client, publish, SECOND, TARGET, token, useQStash } from './qstash/fixture.ts';
import { createQStash } from './qstash.ts';
import { HOSTS } from './targets.ts';

const { world, queue } = useQStash();
const receiver = new Receiver({ currentSigningKey: 'sig_current', nextSigningKey: 'sig_next' });

describe('a delivery', () => {
  test('reaches its destination with body, content type and forwarded headers', async () => {
    const { messageId } = await publish({ headers: { 'X-Request-Id': 'req_1' } });
    expect(await queue().deliverDue()).toBe(1);
    expect(world.received[0]).toMatchObject({ body: '{"job":1}', request: { url: TARGET, method: 'POST' } });
    expect(Object.fromEntries(world.received[0]?.request.headers ?? [])).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Upstash-QStash',
      'x-request-id': 'req_1',
      'upstash-message-id': messageId,
      'upstash-retried': '0',
    });
    expect(queue().pending()).toEqual([]);
    expect(await queue().deliverDue()).toBe(0);
  });

  test('is signed for its body and its URL', async () => {
    await publish();
    await queue().deliverDue();
    const signature = world.header(0, 'upstash-signature');
    const body = world.received[0]?.body ?? '';
    expect(await receiver.verify({ signature, body, url: TARGET })).toBe(true);
    await expect(receiver.verify({ signature, body: `${body} `, url: TARGET })).rejects.toThrow('body hash');
    await expect(receiver.verify({ signature, body, url: 'https://other.test' })).rejects.toThrow('invalid subject');
    const stranger = new Receiver({ currentSigningKey: 'a', nextSigningKey: 'b' });
    await expect(stranger.verify({ signature, body })).rejects.toThrow('signature verification failed');
  });

  test('verifies with the next key after a rotation, and no more after a second one', async () => {
    const rotate = () =>
      fetch(`https://${HOSTS.qstash}/v2/keys/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
    const verify = () =>
      receiver.verify({
        signature: world.header(world.received.length - 1, 'upstash-signature'),
        body: '{"job":1}',
      });
    await rotate();
    await publish();
    await queue().deliverDue();
    expect(await verify()).toBe(true);
    await rotate();
    await publish();
    await queue().deliverDue();
    await expect(verify()).rejects.toThrow();
  });

  test('is signed by the clock of the world', async () => {
    world.ahead = 3600 * SECOND;
    await publish();
    await queue().deliverDue();
    const signature = world.header(0, 'upstash-signature');
    await expect(receiver.verify({ signature, body: '{"job":1}' })).rejects.toThrow();
    expect(await receiver.verify({ signature, body: '{"job":1}', clockTolerance: 3700 })).toBe(true);
  });

  test('waits for its delay and for its time', async () => {
    await publish({ delay: '1h' });
    await publish({ delay: 10 });
    await publish({ notBefore: Math.floor((Date.now() + world.ahead) / 1000) + 7200 });
    expect(await queue().deliverDue()).toBe(0);
    world.ahead += 11 * SECOND;
    expect(await queue().deliverDue()).toBe(1);
    world.ahead += 3600 * SECOND;
    expect(await queue().deliverDue()).toBe(1);
    world.ahead += 3600 * SECOND;
    expect(await queue().deliverDue()).toBe(1);
  });

  test('carries a batch', async () => {
    const accepted = await client.batchJSON([
      { url: TARGET, body: { n: 1 } },
      { url: 'https://app.test/other', body: { n: 2 }, delay: 60 },
    ]);
    expect(accepted).toHaveLength(2);
    await queue().deliverDue();
    expect(world.received.map(({ body }) => body)).toEqual(['{"n":1}']);
    expect(queue().pending()).toMatchObject([{ url: 'https://app.test/other', body: '{"n":2}', state: 'CREATED' }]);
  });

  test('keeps the order of a queue through a retry', async () => {
    const fifo = client.queue({ queueName: 'one-by-one' });
    for (const n of [1, 2, 3]) await fifo.enqueueJSON({ url: TARGET, body: { n } });
    world.answerNext({ status: 500 });
    await queue().deliverDue();
    world.ahead += 60 * SECOND;
    await queue().deliverDue();
    expect(world.received.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":1}', '{"n":2}', '{"n":3}']);
  });
});

describe('the queue', () => {
  test('recognises a repeated message for ten minutes', async () => {
    const first = await publish({ deduplicationId: 'job-1' });
    expect(await publish({ deduplicationId: 'job-1' })).toMatchObject({
      messageId: first.messageId,
      deduplicated: true,
    });
    expect(await queue().deliverDue()).toBe(1);
    world.ahead += 601 * SECOND;
    expect(await publish({ deduplicationId: 'job-1' })).not.toHaveProperty('deduplicated');
    queue().setKnobs({ deduplicate: false });
    await publish({ deduplicationId: 'job-1' });
    expect(await queue().deliverDue()).toBe(2);
  });

  test('recognises a repeated content', async () => {
    for (const body of [{ n: 1 }, { n: 1 }, { n: 2 }]) await publish({ body, contentBasedDeduplication: true });
    expect(await queue().deliverDue()).toBe(2);
  });

  test('shows and cancels what waits', async () => {
    const { messageId } = await publish({ delay: '1h', label: 'job' });
    expect(await client.messages.get(messageId)).toMatchObject({
      messageId,
      url: TARGET,
      body: '{"job":1}',
      label: 'job',
    });
    expect(await client.messages.cancel(messageId)).toEqual({ cancelled: 1 });
    await expect(client.messages.get(messageId)).rejects.toThrow('not found');
    world.ahead += 3601 * SECOND;
    expect(await queue().deliverDue()).toBe(0);
  });

  test('delivers twice, backwards or not at all when told to', async () => {
    queue().setKnobs({ duplicates: 1 });
    await publish();
    await queue().deliverDue();
    expect(world.received.map((_, at) => world.header(at, 'upstash-message-id'))).toEqual([
      world.header(0, 'upstash-message-id'),
      world.header(0, 'upstash-message-id'),
    ]);
    world.received.length = 0;
    queue().setKnobs({ duplicates: 0, reorder: true, loseNext: 1 });
    for (const n of [1, 2, 3]) await publish({ body: { n } });
    await queue().deliverDue();
    expect(world.received.map(({ body }) => body)).toEqual(['{"n":3}', '{"n":2}']);
  });

  test('delivers by itself once started, also what a jump of the clock makes due, and holds on demand', async () => {
    queue().start();
    await publish();
    await publish({ delay: '24h' });
    await eventually(() => expect(world.received).toHaveLength(1));
    world.ahead += 86_401 * SECOND;
    await eventually(() => expect(world.received).toHaveLength(2));
    queue().setKnobs({ hold: true });
    await publish();
    expect(queue().pending()).toHaveLength(1);
    expect(await queue().deliverDue()).toBe(1);
    await queue().stop();
  });

  test('delivers many with bounded parallelism', async () => {
    queue().start();
    await Promise.all(Array.from({ length: 100 }, (_, n) => publish({ body: { n } })));
    await eventually(() => expect(world.received).toHaveLength(100));
    await queue().stop();
    expect(new Set(world.received.map(({ body }) => body)).size).toBe(100);
    expect(world.mostAtOnce).toBeLessThanOrEqual(20);
  });

  test.each([
    ['a destination without scheme', { url: 'app.test/run' }, 'invalid destination url'],
    ['a delay that is none', { delay: 'soon' }, 'invalid upstash-delay'],
    ['an expression that is none', { retryDelay: 'pow(10,' }, 'invalid upstash-retry-delay'],
    ['an expression with unknown names', { retryDelay: 'process(1)' }, 'invalid upstash-retry-delay'],
  ])('refuses %s', async (_name, options, message) => {
    await expect(publish(options)).rejects.toThrow(message);
  });

  test('refuses a wrong token', async () => {
    const stranger = new Client({ baseUrl: `https://${HOSTS.qstash}`, token: 'no', retry: false });
    await expect(stranger.publishJSON({ url: TARGET })).rejects.toMatchObject({ status: 401 });
  });
});

/** Creates a queue whose receiver answers only when told, and the list of bodies that reached it. */
function slowQueue() {
  const reached: string[] = [];
  const waiting = new Map<string, () => void>();
  let isSlow = true;
  const stand = createQStash({
    clock: { now: () => Date.now() },
    token,
    currentSigningKey: 'sig_current',
    nextSigningKey: 'sig_next',
    async deliver(request) {
      const body = await request.text();
      reached.push(body);
      if (isSlow) await new Promise<void>((answer) => waiting.set(body, answer));
      return new Response('done');
    },
  });
  const publish = (key: string, body: string) =>
    stand.fetch(
      new Request(`https://qstash.upstash.io/v2/publish/${TARGET}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'upstash-flow-control-key': key,
          'upstash-flow-control-value': 'parallelism=2',
        },
        body,
      }),
    );
  const answerOne = (body: string) => waiting.get(body)?.();
  const answerAll = () => {
    isSlow = false;
    for (const answer of waiting.values()) answer();
  };
  return { stand, reached, publish, answerOne, answerAll };
}

test('messages of one key go two at a time, and those of another key pass them', async () => {
  const { stand, reached, publish, answerOne, answerAll } = slowQueue();
  for (const body of ['a1', 'a2', 'a3', 'a4']) await publish('a', body);
  await publish('b', 'b1');
  const delivering = stand.deliverDue();
  await expect.poll(() => [...reached].sort()).toEqual(['a1', 'a2', 'b1']);
  answerOne('a2');
  await expect.poll(() => [...reached].sort()).toEqual(['a1', 'a2', 'a3', 'b1']);
  answerAll();
  expect(await delivering).toBe(5);
  await stand.close();
});

test('a queue that overfills sends all messages of a key at once', async () => {
  const { stand, reached, publish, answerAll } = slowQueue();
  stand.setKnobs({ overfill: true });
  for (const body of ['a1', 'a2', 'a3']) await publish('a', body);
  const delivering = stand.deliverDue();
  await expect.poll(() => [...reached].sort()).toEqual(['a1', 'a2', 'a3']);
  answerAll();
  expect(await delivering).toBe(3);
  await stand.close();
});

test('the official client asks for it, alone and in a batch', async () => {
  const flowControl = { key: 'webhooks.a', parallelism: 1 };
  await client.publishJSON({ url: TARGET, body: { job: 1 }, flowControl });
  await client.batchJSON([
    { url: TARGET, body: { job: 2 }, flowControl },
    { url: TARGET, body: { job: 3 }, flowControl },
  ]);
  expect(await queue().deliverDue()).toBe(3);
  expect(world.received.map(({ body }) => JSON.parse(body).job)).toEqual([1, 2, 3]);
  expect(world.mostAtOnce).toBe(1);
});

test('a value it cannot read is refused', async () => {
  const headers = { 'Upstash-Flow-Control-Key': 'a b', 'Upstash-Flow-Control-Value': 'parallelism=1' };
  await expect(client.publishJSON({ url: TARGET, body: {}, headers })).rejects.toThrow('flow-control');
});

describe('a failed attempt', () => {
  const waitedSeconds = () =>
    queue()
      .pending()
      .map(({ notBefore }) => Math.round((notBefore - (Date.now() + world.ahead)) / SECOND));

  test.each([
    ['12 s, then 2 min 28 s by default', {}, [12, 148]],
    ['by the message expression', { retryDelay: 'min(60000, pow(10, retried) * 1000)' }, [1, 10, 60]],
    ['linearly', { retryDelay: '1000 * (1 + retried)' }, [1, 2, 3]],
  ])('is repeated %s', async (_name, options, delays) => {
    await publish(options);
    for (const delay of delays) {
      world.answerNext({ status: 500 });
      await queue().deliverDue();
      expect(waitedSeconds()).toEqual([delay]);
      world.ahead += (delay + 1) * SECOND;
    }
    await queue().deliverDue();
    expect(world.received.map((_, at) => world.header(at, 'upstash-retried'))).toEqual(
      Array.from({ length: delays.length + 1 }, (_, n) => String(n)),
    );
    expect(queue().pending()).toEqual([]);
  });

  test.each([
    ['seconds', '30', 30],
    ['a duration', '6m5s', 365],
    ['too much', '172800', 86_400],
  ])('waits as long as Retry-After says in %s', async (_name, value, seconds) => {
    await publish({ retryDelay: '1000' });
    world.answerNext({ status: 503, headers: { 'retry-after': value } });
    await queue().deliverDue();
    expect(waitedSeconds()).toEqual([seconds]);
  });

  test('that nobody answered counts as one', async () => {
    world.answerNext(new Error('connection refused'));
    await publish({ retries: 0 });
    await queue().deliverDue();
    const { messages } = await client.dlq.listMessages();
    expect(messages).toMatchObject([{ responseStatus: 0, responseBody: 'connection refused' }]);
  });

  test('ends with the queue, also if the queue is closed before the delivery is signed', async () => {
    await publish();
    const delivering = queue().deliverDue();
    await queue().close();
    expect(await delivering).toBe(1);
    expect(queue().pending()).toMatchObject([{ state: 'RETRY', retried: 1 }]);
  });

  test('ends in the dead letters after the last retry and can be sent anew', async () => {
    const { messageId } = await publish({ retries: 1, retryDelay: '1000' });
    world.answerNext({ status: 500 }, { status: 502 });
    await queue().deliverDue();
    world.ahead += 2 * SECOND;
    await queue().deliverDue();
    const { messages } = await client.dlq.listMessages();
    expect(messages).toMatchObject([{ messageId, url: TARGET, responseStatus: 502, responseBody: 'no' }]);
    const dlqId = messages[0]?.dlqId ?? '';
    await client.dlq.retry(dlqId);
    expect(await queue().deliverDue()).toBe(1);
    expect(world.header(2, 'upstash-message-id')).not.toBe(messageId);
    expect((await client.dlq.listMessages()).messages).toEqual([]);
  });

  test('with 489 is not repeated', async () => {
    await publish();
    world.answerNext({ status: 489, headers: { 'Upstash-NonRetryable-Error': 'true' } });
    await queue().deliverDue();
    expect(queue().pending()).toEqual([]);
    const { messages } = await client.dlq.listMessages();
    expect(messages).toMatchObject([{ responseStatus: 489 }]);
    await client.dlq.delete(messages[0]?.dlqId ?? '');
    expect((await client.dlq.listMessages()).messages).toEqual([]);
  });

  test('is reported to the callback each time and to the failure callback once', async () => {
    const { messageId } = await publish({
      retries: 1,
      retryDelay: '1000',
      callback: 'https://app.test/callback',
      failureCallback: 'https://app.test/failed',
    });
    world.answerNext({ status: 500 });
    await queue().deliverDue();
    world.answerNext({ status: 500 });
    world.ahead += 2 * SECOND;
    await queue().deliverDue();
    // The two reports of the last attempt are separate messages in any order.
    const reportsAt = (url: string) =>
      world.received.filter(({ request }) => request.url === url).map(({ body }) => JSON.parse(body));
    expect(reportsAt('https://app.test/callback').map(({ retried }) => retried)).toEqual([0, 1]);
    const failed = reportsAt('https://app.test/failed');
    expect(failed.map(({ retried }) => retried)).toEqual([1]);
    expect(failed[0]).toMatchObject({
      status: 500,
      body: Buffer.from('no').toString('base64'),
      sourceMessageId: messageId,
      sourceBody: Buffer.from('{"job":1}').toString('base64'),
      dlqId: expect.stringMatching(/^dlq_/),
    });
  });
});
