import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import type { AppEnv } from '../../../functions/http/env.ts';
import { dropCookie, keepCookie, readCookie } from '../../../functions/pages/session-cookie.ts';
import { createQueue } from '../../../lib/adapters/qstash.ts';
import type { Ctx } from '../../../lib/kit/context.ts';
import { startWorld } from '../../local/world.ts';
import { freshPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { bookable } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { migratedDatabase, preparedScript } from '../../support/worlds/prepared.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('every answer', async () => {
  const platform = await freshPlatform();
  const { email } = freshPerson();
  const authorize = `/v1/auth/calendar/authorize?platform_key=${platform.publishable_key}&user_email=${email}`;
  const login = `/oauth/login?user_id=${email}`;

  test.each([
    ['of health', 'GET', '/health', 200],
    ['of the API', 'GET', '/v1/calendars', 200],
    ['of the document', 'GET', '/openapi.json', 200],
    ['that is a redirect', 'GET', login, 302],
    ['that is a page', 'GET', authorize, 200],
    ['that is a page of a refusal', 'GET', '/me', 401],
    ['that refuses a body', 'POST', '/v1/availability', 400],
    ['without such a path', 'GET', '/nowhere', 404],
    ['without such a method', 'PUT', '/health', 405],
    ['of the queue’s paths', 'POST', '/internal/run-job', 401],
  ])('%s keeps to HTTPS, to its type, and out of caches', async (_name, method, path, status) => {
    const answer = await platform.api.send(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('that is a failure too', async () => {
    world.faults.add({ target: 'neon', mode: 'reset' });
    const { status, headers } = await platform.api.calendars();
    expect(status).toBe(500);
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

test('JSON names its charset, since some programs would take another, in answers and in webhooks', async () => {
  const { platform, body } = await bookable();
  const answers = [
    await platform.api.schedule(body),
    await platform.api.send('GET', '/v1/nothing'),
    await platform.api.send('POST', '/mcp', { id: 1, jsonrpc: '2.0', method: 'ping' }),
    await createClient(world.baseUrl).send('POST', '/oauth/token', {}),
    await createClient(world.baseUrl).send('GET', '/.well-known/oauth-authorization-server'),
  ];
  const types = answers.map(({ headers }) => headers.get('content-type'));
  const deliveries = await webhooksOf(platform);
  expect(deliveries.length).toBeGreaterThan(0);
  expect(new Set([...types, ...deliveries.map(({ headers }) => headers['content-type'])])).toEqual(
    new Set(['application/json; charset=utf-8']),
  );
});

test('plain HTTP from elsewhere is sent on to HTTPS, path and query kept', async () => {
  const { hostname: host, port } = new URL(world.baseUrl);
  const { status, headers } = await new Promise<{ status?: number; headers: Record<string, unknown> }>((resolve) => {
    request({ host, port, path: '/v1/calendars?a=b', headers: { host: 'api.acme.com' } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    }).end();
  });
  expect(status).toBe(308);
  expect(headers).toMatchObject({
    location: 'https://api.acme.com/v1/calendars?a=b',
    'strict-transport-security': 'max-age=63072000',
  });
});

test('a page may use its own style and nothing else', async () => {
  const { text, headers } = await createClient(world.baseUrl).send('GET', '/oauth/login');
  const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style.replaceAll('&#39;', "'").replaceAll('&quot;', '"')).digest('base64');
  expect(style).toMatch(/body ?\{/);
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(text).not.toMatch(/\sstyle=|<script|<link/);
});

describe('a cookie', () => {
  const at = (baseUrl: string) => {
    const app = new Hono<AppEnv>();
    app.use((c, next) => {
      c.set('ctx', { config: { baseUrl } } as Ctx);
      return next();
    });
    app.get('/set', (c) => {
      keepCookie(c, 'tandem_session', 'abc', 60);
      return c.body(null);
    });
    app.get('/drop', (c) => {
      dropCookie(c, 'tandem_session');
      return c.body(null);
    });
    app.get('/read', (c) => c.text(readCookie(c, 'tandem_session') ?? 'none'));
    return async (path: string, cookie = '') => app.request(path, { headers: { cookie } });
  };

  test('is bound to this host and to TLS', async () => {
    const ask = at('https://api.acme.com');
    expect((await ask('/set')).headers.get('set-cookie')).toBe(
      '__Host-tandem_session=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(await (await ask('/read', '__Host-tandem_session=abc')).text()).toBe('abc');
    // Another host under the same domain can set a cookie without the prefix.
    expect(await (await ask('/read', 'tandem_session=abc')).text()).toBe('none');
    expect((await ask('/drop')).headers.get('set-cookie')).toBe(
      '__Host-tandem_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
  });

  test('on this machine has no TLS to be bound to', async () => {
    expect((await at('http://localhost:8787')('/set')).headers.get('set-cookie')).toBe(
      'tandem_session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    );
  });
});

test.each(['https://qstash.upstash.io', 'https://qstash-us-east-1.upstash.io'])(
  'the queue is the real one at %s, whatever the environment says of development',
  async (url) => {
    const asked: string[] = [];
    const { fetch: original } = globalThis;
    process.env.QSTASH_DEV = 'true';
    globalThis.fetch = async (input) => {
      asked.push(String(input instanceof Request ? input.url : input));
      return Response.json({ messageId: 'msg_1' });
    };
    try {
      const queue = createQueue({ url, token: 'token', baseUrl: 'https://api.acme.com', requestId: 'request' });
      await queue.publish({ path: '/internal/run-job', body: { job_id: 'sched_1' } });
    } finally {
      globalThis.fetch = original;
      delete process.env.QSTASH_DEV;
    }
    expect(asked).toEqual([`${url}/v2/publish/https://api.acme.com/internal/run-job`]);
  },
);

const own = await startWorld({
  patience: 20,
  script: await preparedScript(),
  snapshot: await migratedDatabase(),
  isTraced: true,
});
afterAll(() => own.close());

interface SpanEvent {
  type: string;
  name?: string;
  spanId?: string;
  /** Span that this event belongs to; for an opening span, its parent. */
  of: string;
}

const eventsSince = (from: number): SpanEvent[] =>
  own
    .logs()
    .slice(from)
    .filter((line) => line.startsWith('{"span_event"'))
    .map((line) => JSON.parse(line).span_event);

const openedSince = (from: number) =>
  eventsSince(from).filter(({ type, name = '' }) => type === 'spanOpen' && /^[a-z]+\.[a-zA-Z]+$/.test(name));

const namesSince = (from: number) => [...new Set(openedSince(from).map(({ name }) => name))].sort();

const platform = await own.platforms.create({
  name: 'Traced',
  plan: 'enterprise',
  webhook_url: 'https://inbox.test/traced',
});
const api = createClient(own.baseUrl, platform.secret_key);
const attendees = ['ada@people.test', 'bob@people.test'];
for (const email of attendees) {
  own.google.addUser({ email, timezone: 'UTC' });
  await own.connectCalendar(platform, email);
}

test('each call that leaves the Worker has a span that names its port and operation', async () => {
  const from = own.logs().length;
  const start = new Date(own.clock.now() + 48 * 3_600_000).toISOString();
  const booking = { attendees, start_time: start, duration_minutes: 30, title: 'Board meeting' };
  const { status } = await api.send('POST', '/v1/schedule', booking, { headers: { 'Idempotency-Key': 'traced' } });
  expect(status).toBe(200);
  await eventually(async () =>
    expect(namesSince(from)).toEqual(['answers.keep', 'calendar.insertEvent', 'neon.query', 'queue.publish']),
  );
  // The span that workerd opens for the call lies below our span that names the call.
  const ours = openedSince(from).map(({ spanId }) => spanId);
  const fetches = eventsSince(from).filter(({ type, name }) => type === 'spanOpen' && name === 'fetch');
  expect(fetches.length).toBeGreaterThanOrEqual(4);
  expect(fetches.filter(({ of }) => !ours.includes(of))).toEqual([]);
});

test('the tick has spans as well', async () => {
  const from = own.logs().length;
  await own.worker.runScheduled(own.clock.now());
  await eventually(async () =>
    expect(namesSince(from)).toEqual(expect.arrayContaining(['neon.query', 'vitals.noteTick'])),
  );
});

test('a span of ours has a name, and nothing that says whom or what it is about', () => {
  const ours = openedSince(0);
  expect(ours.length).toBeGreaterThan(10);
  const ids = ours.map(({ spanId }) => spanId);
  expect(eventsSince(0).filter(({ type, of }) => type === 'attributes' && ids.includes(of))).toEqual([]);
});
