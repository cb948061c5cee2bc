import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRelayWorld } from './fixtures/relay-world.ts';
import { freePort } from './free-port.ts';
import { readRequest } from './node-http.ts';
import { HOSTS } from './targets.ts';

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
  test.each([
    [HOSTS.neon, 'neon'],
    [HOSTS.redis, 'redis'],
    [HOSTS.qstash, 'qstash'],
    [HOSTS.googleAccounts, 'google'],
    [HOSTS.googleOAuth, 'google'],
    [HOSTS.googleUserinfo, 'google'],
    [HOSTS.googleApis, 'google'],
    [HOSTS.dns, 'dns'],
  ])('a call of the Worker to %s reaches %s with path and query', async (host, target) => {
    expect(await world.relay(`https://${host}/a/b?c=1`)).toEqual({ status: 200, body: `${target} did it` });
    expect(world.worked).toEqual([`${target} GET ${host}/a/b?c=1`]);
  });

  test('an unknown host answers 599 and is reported', async () => {
    expect(await world.relay('https://nowhere.test/x')).toEqual({ status: 599, body: 'unknown host nowhere.test' });
    expect(world.reports).toEqual(['edge: nobody answers for GET nowhere.test/x']);
  });

  test('every path under the inbox host is an endpoint of its own', async () => {
    await world.relay(`https://${HOSTS.inbox}/one?x=1`, { method: 'POST', body: '{"a":1}' });
    await world.relay(`https://${HOSTS.inbox}/two`, { method: 'POST', body: 'b' });
    expect(world.inbox.deliveries()).toMatchObject([
      { url: `https://${HOSTS.inbox}/one?x=1`, body_text: '{"a":1}' },
      { url: `https://${HOSTS.inbox}/two`, body_text: 'b' },
    ]);
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

describe('traffic', () => {
  test('each call is kept with target, method, path, times, status and the request that caused it', async () => {
    await world.relay(`https://${HOSTS.googleApis}/calendar/v3/freeBusy?x=1`, { method: 'POST', body: '{}' });
    const [entry, ...more] = world.traffic.list();
    expect(more).toEqual([]);
    expect(entry).toEqual({
      target: 'google',
      method: 'POST',
      path: '/calendar/v3/freeBusy',
      start: expect.any(Number),
      end: expect.any(Number),
      status: 200,
      request_id: 'req_fixture',
    });
  });

  test('a call that got no answer has no status', async () => {
    world.faults.add({ target: 'neon', mode: 'reset' });
    await world.relay(`https://${HOSTS.neon}/sql`);
    expect(world.traffic.list()).toMatchObject([{ target: 'neon', status: null, end: expect.any(Number) }]);
  });
});

describe('the answers of the inbox', () => {
  test('it answers what it is told, the next `times` first, then as before', async () => {
    world.inbox.answer({ status: 503, times: 1 });
    world.inbox.answer({ status: 500, times: 1, path: '/only' });
    const statusOf = async (path: string) =>
      (await world.relay(`https://${HOSTS.inbox}${path}`, { method: 'POST', body: '' })).status;
    expect([await statusOf('/other'), await statusOf('/only'), await statusOf('/only')]).toEqual([503, 500, 200]);
  });

  test('a standing answer holds until it is replaced', async () => {
    const status = async () => (await world.relay(`https://${HOSTS.inbox}/s`, { method: 'POST', body: '' })).status;
    world.inbox.answer({ status: 410 });
    expect([await status(), await status()]).toEqual([410, 410]);
    world.inbox.answer({ status: 200 });
    expect(await status()).toBe(200);
  });
});
