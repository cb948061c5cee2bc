import { expect, test } from 'vitest';
import { client, TARGET, token, useQStash } from './qstash/fixture.ts';
import { createQStash } from './qstash.ts';

const { world, queue } = useQStash();

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
