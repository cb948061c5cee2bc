import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRelayWorld } from './fixtures/relay-world.ts';
import { freePort } from './free-port.ts';
import { readRequest } from './node-http.ts';

const world = await startRelayWorld();
afterAll(() => world.close());
afterEach(() => {
  world.faults.clear();
  world.traffic.clear();
  world.inbox.clear();
  world.worked.length = 0;
  world.reports.length = 0;
});

describe('where a call goes', () => {
  test('an unknown host answers 599 and is reported', async () => {
    expect(await world.relay('https://nowhere.test/x')).toEqual({ status: 599, body: 'unknown host nowhere.test' });
    expect(world.reports).toEqual(['edge: nobody answers for GET nowhere.test/x']);
  });

  test('another host becomes an inbox when it is added', async () => {
    world.inbox.addHost('hooks.other.test');
    expect(await world.relay('https://hooks.other.test/in', { method: 'POST', body: 'x' })).toMatchObject({
      status: 200,
    });
    expect(world.inbox.deliveries().map(({ url }) => url)).toEqual(['https://hooks.other.test/in']);
  });

  test('its own address is answered by the control server and is no traffic', async () => {
    expect(await (await fetch(`${world.edge.url}/faults`)).json()).toMatchObject({ own: '/faults' });
    expect(await (await fetch(`http://localhost:${world.edge.port}/clock`)).json()).toMatchObject({ own: '/clock' });
    expect(world.traffic.list()).toEqual([]);
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
    expect(await world.relay(hook, { method: 'POST', body: '{"b":2}' })).toEqual({ status: 202, body: 'taken' });
    expect(got).toEqual([{ method: 'POST', path: '/hook?a=1', signature: 'req_fixture', bodyText: '{"b":2}' }]);
    expect(world.traffic.list()).toMatchObject([{ target: 'inbox', method: 'POST', path: '/hook', status: 202 }]);
  });

  test('is not sent on where that server points', async () => {
    expect(await world.relay(`http://localhost:${port}/moved`, { method: 'POST', body: '' })).toMatchObject({
      status: 302,
    });
    expect(got.map(({ path }) => path)).toEqual(['/moved']);
  });

  test('meets the faults of the inbox', async () => {
    world.faults.add({ target: 'inbox', mode: 'status', status: 503 });
    expect(await world.relay(`http://localhost:${port}/hook`, { method: 'POST', body: '' })).toMatchObject({
      status: 503,
    });
    expect(got).toEqual([]);
  });

  test('breaks like a network call when nobody listens there, and that is reported', async () => {
    const nobody = `http://localhost:${await freePort()}/hook`;
    expect(await world.relay(nobody, { method: 'POST', body: '' })).toMatchObject({ failed: expect.any(String) });
    expect(world.reports).toEqual([`edge: POST ${nobody} got no answer: ECONNREFUSED`]);
  });
});
