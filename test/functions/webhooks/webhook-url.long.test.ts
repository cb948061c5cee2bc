import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { NOT_SENT } from '../../../lib/webhooks/deliver.ts';
import type { DnsRecords } from '../../local/dns.ts';
import type { Fault } from '../../local/faults.ts';
import { flatRefusal } from '../../support/checks/errors.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { seen } from '../../support/people/meetings.ts';
import { hookOf } from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();
// A retry left over from an earlier test would use this test's resolver.
beforeEach(() => world.qstash.forget());

const NOT_PUBLIC = 'must have a host whose IP addresses are all public.';
const NO_HOST = 'must have a host that exists in public DNS.';

describe('on saving', () => {
  const put = async (url: string) => {
    const platform = await freshPlatform();
    const answer = await platform.api.send('PUT', '/v1/platform/webhook', { url });
    const kept = await platform.api.send('GET', '/v1/platform/webhook');
    return { answer, kept, before: platform.webhookUrl };
  };
  const hostWith = (records: DnsRecords) => {
    const host = `${randomUUID()}.acme.test`;
    world.dns.set(host, records);
    return host;
  };

  test.each<[string, DnsRecords, string]>([
    ['leads to a private address', { a: ['10.0.0.1'] }, NOT_PUBLIC],
    ['does not exist', { rcode: 3 }, NO_HOST],
    ['has no address', {}, NO_HOST],
    ['cannot be resolved', { rcode: 2 }, 'has a host that DNS could not look up. Try again in a minute.'],
  ])('a host that %s is refused, and the former URL stays', async (_name, records, reason) => {
    const { answer, kept, before } = await put(`https://${hostWith(records)}/hook`);
    expect(seen(answer)).toEqual(
      flatRefusal(400, 'Invalid request', { message: `The webhook URL ${reason}`, field: 'url' }),
    );
    expect(kept.body).toMatchObject({ url: before });
  });

  test('an answer kept from an attempt does not count: a mended host can be saved at once', async () => {
    const there = await platformAt({ a: ['10.0.0.1'], ttl: 300 });
    await emitTo(there);
    expect(arrivedAt(there.url)).toEqual([]);
    world.dns.set(there.host, { a: PUBLIC, ttl: 300 });
    const { answer } = await put(there.url);
    expect(answer).toMatchObject({ status: 200, body: { success: true, url: there.url } });
    await retry(1_000);
    expect(arrivedAt(there.url)).toHaveLength(1);
  });

  test('localhost is accepted in local mode without a question', async () => {
    const asked = world.dns.questions().length;
    expect((await put('http://localhost:9/hook')).answer.status).toBe(200);
    expect(world.dns.questions()).toHaveLength(asked);
  });
});

describe('before an attempt', () => {
  test('both address families of the endpoint’s host are asked for, once a minute at most', async () => {
    const there = await platformAt({ a: PUBLIC, aaaa: ['2606:4700::1'], ttl: 300 });
    await emitTo(there);
    await emitTo(there);
    expect(questionsAbout(there.host).sort()).toEqual([`A ${there.host}`, `AAAA ${there.host}`].sort());
    expect(arrivedAt(there.url)).toHaveLength(2);
    await world.advance(60_000);
    await emitTo(there);
    expect(questionsAbout(there.host)).toHaveLength(4);
    expect(arrivedAt(there.url)).toHaveLength(3);
  });

  test.each<[string, DnsRecords]>([
    ['a public IPv4 and a private IPv6 address', { a: PUBLIC, aaaa: ['fd00:ec2::254'] }],
    ['an alias of a private name', { a: PUBLIC, cname: 'db.acme.internal' }],
  ])('a host that leads to %s is never contacted', async (_name, records) => {
    const there = await platformAt(records);
    await emitTo(there);
    await retry(1_000);
    await retry(10_000);
    expect(arrivedAt(there.url)).toEqual([]);
    expect(await attemptsOf(there.platform)).toEqual(Array(3).fill({ code: 0, error: NOT_SENT.unsafe_url }));
  });

  test('a chain of aliases is followed to its addresses', async () => {
    const far = `${randomUUID()}.cloud.test`;
    world.dns.set(far, { a: ['10.1.2.3'] });
    const refused = await platformAt({ cname: far });
    await emitTo(refused);
    expect(arrivedAt(refused.url)).toEqual([]);
    world.dns.set(far, { a: PUBLIC });
    await retry(1_000);
    expect(arrivedAt(refused.url)).toHaveLength(1);
    expect(await attemptsOf(refused.platform)).toEqual([
      { code: 0, error: NOT_SENT.unsafe_url },
      { code: 200, error: null },
    ]);
  });

  test('a host that turns private after it was accepted is caught', async () => {
    const there = await platformAt({ a: PUBLIC });
    await emitTo(there);
    world.dns.set(there.host, { a: ['127.0.0.1'] });
    await emitTo(there);
    expect(arrivedAt(there.url)).toHaveLength(1);
    expect(await attemptsOf(there.platform)).toEqual([
      { code: 200, error: null },
      { code: 0, error: NOT_SENT.unsafe_url },
    ]);
  });
});

/** Returns the same record for A and AAAA, because either query may come first. */
const ofBoth = (record: object) => [1, 28].map((type) => ({ type, ...record }));

describe('when DNS cannot tell', () => {
  const answering = (body: unknown) => ({ mode: 'status', status: 200, body }) as const;

  test.each<[string, Omit<Fault, 'target'>]>([
    ['answers 503', { mode: 'status', status: 503 }],
    ['does not answer', { mode: 'hang' }],
    ['answers no JSON', answering('<html>')],
    ['answers another form', answering([])],
    ['redirects', { mode: 'status', status: 302 }],
    ['truncates', answering({ Status: 0, TC: true, Answer: [{ type: 1, TTL: 1, data: PUBLIC[0] }] })],
    ['fails for one of the address families', answering({ Status: 2 })],
    ['names an address that is none', answering({ Status: 0, Answer: ofBoth({ TTL: 1, data: '1.2.3' }) })],
    ['has a negative TTL', answering({ Status: 0, Answer: ofBoth({ TTL: -1, data: PUBLIC[0] }) })],
  ])('the resolver %s: nobody is contacted, no attempt is spent, and the next one succeeds', async (_name, fault) => {
    const there = await platformAt({ a: PUBLIC, aaaa: ['2606:4700::1'] });
    world.faults.add({ target: 'dns', ...fault, times: 1 });
    await emitTo(there);
    expect(arrivedAt(there.url)).toEqual([]);
    await retry(5_000);
    expect(arrivedAt(there.url)).toHaveLength(1);
    expect(await attemptsOf(there.platform)).toEqual([{ code: 200, error: null }]);
  });

  test('REFUSED is shown as pending with its cause, tried ever more rarely, and after a day as failed', async () => {
    const there = await platformAt({ rcode: 5 });
    await emitTo(there);
    const [waiting] = await world.neon.query('select id from deliveries where platform_id = $1', [there.platform.id]);
    const shown = async () =>
      (await hookOf({ api: createClient(world.baseUrl, there.platform.secret_key) }).log(String(waiting?.id))).body;
    const unsent = { attempts: 0, error: NOT_SENT.dns_unavailable, attempt_log: [] };
    expect(await shown()).toMatchObject({ status: 'pending', ...unsent });
    const asked = questionsAbout(there.host).length;
    for (let hour = 0; hour < 23; hour += 1) await retry(3_600_000);
    expect(questionsAbout(there.host).length - asked).toBeLessThan(2 * 23 + 2);
    expect(await shown()).toMatchObject({ status: 'pending', attempts: 0 });
    await retry(3_600_000);
    await retry(3_600_000);
    expect(await shown()).toMatchObject({ status: 'failed', ...unsent });
    expect(arrivedAt(there.url)).toEqual([]);
  });

  test.each<[string, DnsRecords]>([
    ['NXDOMAIN', { rcode: 3 }],
    ['no address', {}],
    ['an alias of nothing', { cname: 'gone.invalid' }],
  ])('%s is a failed attempt, and the next succeeds once it is mended', async (_name, records) => {
    const there = await platformAt(records);
    await emitTo(there);
    world.dns.set(there.host, { a: PUBLIC });
    await retry(1_000);
    expect(arrivedAt(there.url)).toHaveLength(1);
    expect(await attemptsOf(there.platform)).toEqual([
      { code: 0, error: NOT_SENT.dns_failed },
      { code: 200, error: null },
    ]);
  });
});

/** A public address, which webhooks may call. */
const PUBLIC = ['93.184.215.14'];

async function platformAt(records: DnsRecords) {
  const host = `${randomUUID()}.acme.test`;
  const url = `https://${host}/hook`;
  world.inbox.addHost(host);
  world.dns.set(host, records);
  const platform = await world.platforms.create({ name: 'Acme', plan: 'pro', webhook_url: url });
  return { host, url, platform };
}

/** Makes the platform's next event happen and delivers it, as far as it is due. */
async function emitTo({ platform }: Awaited<ReturnType<typeof platformAt>>) {
  await connectedPerson(platform);
  await world.qstash.deliverDue();
}

/** Delivers everything that is due after this many milliseconds. */
async function retry(ms: number) {
  await world.advance(ms);
  await world.qstash.deliverDue();
}

const arrivedAt = (url: string) => world.inbox.deliveries().filter((delivery) => delivery.url === url);
const questionsAbout = (host: string) => world.dns.questions().filter((question) => question.endsWith(` ${host}`));
const attemptsOf = (platform: { id: string }) =>
  world.neon.query(
    `select delivery_attempts.response_code::int code, delivery_attempts.error from delivery_attempts
     join deliveries on deliveries.id = delivery_id where platform_id = $1 order by started_at, number`,
    [platform.id],
  );
