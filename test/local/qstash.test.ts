import { Client } from '@upstash/qstash';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/worlds/quiet.ts';
import { createQStash } from './qstash.ts';
import { HOSTS } from './targets.ts';

const TARGET = 'https://app.test/internal/run?job=1&kind=a';
const SECOND = 1000;
const token = 'local-token';
const client = new Client({ baseUrl: `https://${HOSTS.qstash}`, token, enableTelemetry: false, retry: false });

/** Publishes a small job to `TARGET` with the official client. */
function publish(more: object = {}) {
  return client.publishJSON({ url: TARGET, body: { job: 1 }, ...more });
}

/** Creates a fresh queue per test, whose deliveries go to a receiver that answers as told, or else with 200. */
function useQStash() {
  let answers: (ResponseInit | Error)[] = [];

  async function deliver(request: Request): Promise<Response> {
    world.received.push({ request, body: await request.text() });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer === undefined ? new Response('done') : new Response('no', answer);
  }

  function open() {
    const clock = { now: () => Date.now() + world.ahead };
    return createQStash({ clock, token, currentSigningKey: 'sig_current', nextSigningKey: 'sig_next', deliver });
  }

  const received: { request: Request; body: string }[] = [];
  const world = {
    ahead: 0,
    received,
    header: (at: number, name: string) => received[at]?.request.headers.get(name) ?? '',
    answerNext: (...next: (ResponseInit | Error)[]) => void answers.push(...next),
  };
  let stand = open();

  beforeEach(() => {
    world.ahead = 0;
    received.length = 0;
    answers = [];
    stand = open();
    // The client logs each refused call with console.error.
    vi.spyOn(console, 'error').mockReturnValue();
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => stand.fetch(new Request(url, init)));
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await stand.close();
  });

  return { world, queue: () => stand };
}

const { world, queue } = useQStash();

describe('the queue', () => {
  test('delivers by itself once started, also what a jump of the clock makes due, and holds on demand', async () => {
    queue().start();
    await publish();
    await publish({ delay: 86_400 });
    await eventually(() => expect(world.received).toHaveLength(1));
    world.ahead += 86_401 * SECOND;
    await eventually(() => expect(world.received).toHaveLength(2));
    queue().setKnobs({ hold: true });
    await publish();
    expect(queue().pending()).toHaveLength(1);
    expect(await queue().deliverDue()).toBe(1);
    await queue().stop();
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

describe('a failed attempt', () => {
  const waitedSeconds = () =>
    queue()
      .pending()
      .map(({ notBefore }) => Math.round((notBefore - (Date.now() + world.ahead)) / SECOND));

  test('is repeated after 12 s, then after 2 min 28 s, until the last retry', async () => {
    await publish({ retries: 2 });
    for (const delay of [12, 148]) {
      world.answerNext({ status: 500 });
      await queue().deliverDue();
      expect(waitedSeconds()).toEqual([delay]);
      world.ahead += (delay + 1) * SECOND;
    }
    world.answerNext(new Error('connection refused'));
    await queue().deliverDue();
    expect(world.received.map((_, at) => world.header(at, 'upstash-retried'))).toEqual(['0', '1', '2']);
    expect(queue().pending()).toEqual([]);
  });

  test('waits as long as Retry-After says', async () => {
    await publish();
    world.answerNext({ status: 503, headers: { 'retry-after': '30' } });
    await queue().deliverDue();
    expect(waitedSeconds()).toEqual([30]);
  });

  test('ends with the queue, also if the queue is closed before the delivery is signed', async () => {
    await publish();
    const delivering = queue().deliverDue();
    await queue().close();
    expect(await delivering).toBe(1);
    expect(queue().pending()).toMatchObject([{ state: 'RETRY', retried: 1 }]);
  });
});
