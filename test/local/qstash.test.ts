import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/worlds/quiet.ts';
import { createQStash, type QStash } from './qstash.ts';

const TARGET = 'https://app.test/internal/run?job=1&kind=a';
const SECOND = 1000;

let queue: QStash;
let ahead: number;
afterEach(() => queue.close());

/** Opens a queue with a receiver. Returns the deliveries that reached it. */
function openQueue(answer: (body: string) => Response | Promise<Response> = () => new Response('done')) {
  const received: { body: string; retried: string | null }[] = [];
  ahead = 0;
  queue = createQStash({
    clock: { now: () => Date.now() + ahead },
    token: 't',
    currentSigningKey: 'sig_current',
    nextSigningKey: 'sig_next',
    async deliver(request) {
      const body = await request.text();
      received.push({ body, retried: request.headers.get('upstash-retried') });
      return answer(body);
    },
  });
  return received;
}

const publish = (headers: Record<string, string> = {}, body = '') =>
  queue.fetch(
    new Request(`https://qstash.upstash.io/v2/publish/${TARGET}`, {
      method: 'POST',
      headers: { authorization: 'Bearer t', ...headers },
      body,
    }),
  );

test('the queue delivers by itself once started, also what a jump of the clock makes due, and holds on demand', async () => {
  const received = openQueue();
  queue.start();
  await publish();
  await publish({ 'upstash-delay': '86400s' });
  await eventually(() => expect(received).toHaveLength(1));
  ahead += 86_401 * SECOND;
  await eventually(() => expect(received).toHaveLength(2));
  queue.setKnobs({ hold: true });
  await publish();
  expect(queue.pending()).toHaveLength(1);
  expect(await queue.deliverDue()).toBe(1);
});

test('messages of one key go two at a time, and those of another key pass them', async () => {
  const waiting = new Map<string, () => void>();
  const received = openQueue(async (body) => {
    await new Promise<void>((resolve) => waiting.set(body, resolve));
    return new Response('done');
  });
  const reached = () => received.map(({ body }) => body).sort();
  const lane = (key: string) => ({ 'upstash-flow-control-key': key, 'upstash-flow-control-value': 'parallelism=2' });
  for (const body of ['a1', 'a2', 'a3']) await publish(lane('a'), body);
  await publish(lane('b'), 'b1');
  const delivering = queue.deliverDue();
  await expect.poll(reached).toEqual(['a1', 'a2', 'b1']);
  waiting.get('a2')?.();
  await expect.poll(reached).toEqual(['a1', 'a2', 'a3', 'b1']);
  for (const answer of waiting.values()) answer();
  expect(await delivering).toBe(4);
});

describe('a failed attempt', () => {
  const waitedSeconds = () =>
    queue.pending().map(({ notBefore }) => Math.round((notBefore - (Date.now() + ahead)) / SECOND));

  test('is repeated after 12 s, then after 2 min 28 s, until the last retry', async () => {
    const received = openQueue(() => new Response('no', { status: 500 }));
    await publish({ 'upstash-retries': '2' });
    for (const delay of [12, 148]) {
      await queue.deliverDue();
      expect(waitedSeconds()).toEqual([delay]);
      ahead += (delay + 1) * SECOND;
    }
    await queue.deliverDue();
    expect(received.map(({ retried }) => retried)).toEqual(['0', '1', '2']);
    expect(queue.pending()).toEqual([]);
  });

  test('waits as long as Retry-After says', async () => {
    openQueue(() => new Response('no', { status: 503, headers: { 'retry-after': '30' } }));
    await publish();
    await queue.deliverDue();
    expect(waitedSeconds()).toEqual([30]);
  });

  test('ends with the queue, also if the queue is closed before the delivery is signed', async () => {
    openQueue();
    await publish();
    const delivering = queue.deliverDue();
    await queue.close();
    expect(await delivering).toBe(1);
    expect(queue.pending()).toMatchObject([{ state: 'RETRY', retried: 1 }]);
  });
});
