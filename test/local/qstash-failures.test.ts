import { describe, expect, test } from 'vitest';
import { client, publish, SECOND, TARGET, useQStash } from './qstash/fixture.ts';

const { world, queue } = useQStash();

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
