import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../support/worlds/prepared.ts';
import { freePort } from './free-port.ts';
import { readRequest } from './node-http.ts';
import { startWorld } from './world.ts';

const RELAY = fileURLToPath(new URL('fixtures/worker.ts', import.meta.url));
const reports: string[] = [];
const world = await startWorld({
  entry: RELAY,
  snapshot: await migratedDatabase(),
  report: (line) => reports.push(line),
});
afterAll(() => world.close());
afterEach(() => {
  world.faults.clear();
  world.traffic.clear();
  world.inbox.clear();
  reports.length = 0;
});

/** Makes the Worker send a call and returns the call's result. */
async function relay(to: string, init: RequestInit = {}) {
  const response = await fetch(`${world.baseUrl}/?to=${encodeURIComponent(to)}`, init);
  return response.json();
}

describe('where a call goes', () => {
  test('an unknown host answers 599 and is reported', async () => {
    expect(await relay('https://nowhere.test/x')).toEqual({ status: 599, body: 'unknown host nowhere.test' });
    expect(reports).toEqual(['edge: nobody answers for GET nowhere.test/x']);
  });
});

describe("a webhook to one's own server on this machine", () => {
  const got: { method: string; path: string; signature: string | null; bodyText: string }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { request, bodyText } = await readRequest(incoming);
    const { method, headers } = request;
    got.push({ method, path: incoming.url ?? '', signature: headers.get('x-request-id'), bodyText });
    outgoing.writeHead(incoming.url === '/moved' ? 302 : 202, { location: '/elsewhere' }).end('taken');
  });
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    got.length = 0;
  });

  test.each(['localhost', '127.0.0.1'])('arrives at %s, and its answer comes back', async (host) => {
    const hook = `http://${host}:${port}/hook?a=1`;
    expect(await relay(hook, { method: 'POST', body: '{"b":2}' })).toEqual({ status: 202, body: 'taken' });
    expect(got).toEqual([{ method: 'POST', path: '/hook?a=1', signature: 'req_fixture', bodyText: '{"b":2}' }]);
    expect(world.traffic.list()).toMatchObject([{ target: 'inbox', method: 'POST', path: '/hook', status: 202 }]);
  });

  test('is not sent on where that server points', async () => {
    expect(await relay(`http://localhost:${port}/moved`, { method: 'POST', body: '' })).toMatchObject({ status: 302 });
    expect(got.map(({ path }) => path)).toEqual(['/moved']);
  });

  test('breaks like a network call when nobody listens there, and that is reported', async () => {
    const nobody = `http://localhost:${await freePort()}/hook`;
    expect(await relay(nobody, { method: 'POST', body: '' })).toMatchObject({ failed: expect.any(String) });
    expect(reports).toEqual([`edge: POST ${nobody} got no answer: ECONNREFUSED`]);
  });
});
