import { Client } from '@upstash/qstash';
import { afterEach, beforeEach, vi } from 'vitest';
import { createQStash } from '../qstash.ts';
import { HOSTS } from '../targets.ts';

export const TARGET = 'https://app.test/internal/run?job=1&kind=a';
export const SECOND = 1000;
export const token = 'local-token';
export const client = new Client({ baseUrl: `https://${HOSTS.qstash}`, token, enableTelemetry: false, retry: false });

/** Publishes a small job to `TARGET` with the official client. */
export function publish(more: object = {}) {
  return client.publishJSON({ url: TARGET, body: { job: 1 }, ...more });
}

/** Creates a fresh queue per test, whose deliveries go to a receiver that answers as told, or else with 200. */
export function useQStash() {
  let answers: (ResponseInit | Error)[] = [];
  let running = 0;

  async function deliver(request: Request): Promise<Response> {
    running += 1;
    world.mostAtOnce = Math.max(world.mostAtOnce, running);
    world.received.push({ request, body: await request.text() });
    running -= 1;
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
    mostAtOnce: 0,
    received,
    header: (at: number, name: string) => received[at]?.request.headers.get(name) ?? '',
    answerNext: (...next: (ResponseInit | Error)[]) => void answers.push(...next),
  };
  let stand = open();

  beforeEach(() => {
    Object.assign(world, { ahead: 0, mostAtOnce: 0 });
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
