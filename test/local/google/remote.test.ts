import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formsOf } from '../browser.ts';
import { createRemoteGoogle } from './remote.ts';

const ana = 'ana@example.com';
const seen: { path: string; body: string }[] = [];
const inserted: { id: string; summary: string }[] = [];

const other = new Hono()
  .use(async (c, next) => {
    seen.push({ path: c.req.path, body: await c.req.raw.clone().text() });
    await next();
  })
  .get('/o/oauth2/v2/auth', (c) =>
    c.html(
      `<form method="post" action="/o/oauth2/v2/auth/callback"><input type="hidden" name="state" value="s"/><input type="hidden" name="email" value="${ana}"/></form>`,
    ),
  )
  .post('/o/oauth2/v2/auth/callback', (c) => c.redirect('http://localhost:8787/back?code=c1&state=s'))
  .post('/oauth2/token', async (c) => {
    const claims = { email: ana, name: 'Ana', sub: 'goog_1', iss: 'http://localhost:4000', aud: 'client' };
    const id_token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32));
    return c.json({ access_token: 'a1', refresh_token: 'r1', id_token, expires_in: 3600 });
  })
  .post('/oauth2/revoke', (c) => c.body(null, 200))
  .get('/oauth2/v2/userinfo', (c) =>
    c.req.header('authorization') === 'Bearer a1' ? c.json({ sub: 'goog_1', email: ana }) : c.json({}, 401),
  )
  .post('/calendar/v3/freeBusy', (c) => c.json({ calendars: { primary: { busy: [] } } }))
  .post('/calendar/v3/calendars/primary/events', async (c) => {
    const { summary } = await c.req.json();
    inserted.push({ id: `evt_${inserted.length}`, summary });
    return c.json(inserted.at(-1));
  })
  .get('/calendar/v3/calendars/primary/events', (c) => c.json({ items: inserted }))
  .delete('/calendar/v3/calendars/primary/events/:id', (c) => c.body(null, 204));

const server = serve({ overrideGlobalObjects: false, fetch: other.fetch, port: 0, hostname: '127.0.0.1' });
let google: ReturnType<typeof createRemoteGoogle>;

beforeAll(async () => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  google = createRemoteGoogle({ url, clock: { now: Date.now }, seed: [{ email: ana, timezone: 'Europe/Lisbon' }] });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function call(method: string, path: string, body?: object | URLSearchParams) {
  const response = await google.fetch(
    new Request(`https://www.googleapis.com${path}`, {
      method,
      headers: { authorization: 'Bearer a1' },
      ...(body ? { body: body instanceof URLSearchParams ? body : JSON.stringify(body) } : {}),
    }),
  );
  return response;
}

test('the consent form of the other server comes back through here', async () => {
  const url = 'http://127.0.0.1:1/o/oauth2/v2/auth';
  const html = await (await call('GET', '/o/oauth2/v2/auth?client_id=client')).text();
  const [form] = formsOf({ url, status: 200, html });
  expect(form?.action).toBe(`${url}/consent`);
  const answer = await call('POST', '/o/oauth2/v2/auth/consent', form?.fields);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://localhost:8787/back?code=c1&state=s']);
  expect(seen.at(-1)).toEqual({
    path: '/o/oauth2/v2/auth/callback',
    body: 'state=s&email=ana%40example.com',
  });
});

test('the token answer carries an id token in the name of Google, and waiting busy times are entered', async () => {
  google.addBusy({ email: ana, start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z' });
  expect(inserted).toEqual([]);
  const answer = await call('POST', '/token', new URLSearchParams({ code: 'c1' }));
  const { id_token } = (await answer.json()) as { id_token: string };
  const jwks = (await (await call('GET', '/oauth2/v3/certs')).json()) as { keys: object[] };
  const local = serve({
    overrideGlobalObjects: false,
    fetch: () => Response.json(jwks),
    port: 0,
    hostname: '127.0.0.1',
  });
  if (!local.listening) await new Promise((resolve) => local.once('listening', resolve));
  const address = local.address();
  const keys = createRemoteJWKSet(
    new URL(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`),
  );
  const { payload } = await jwtVerify(id_token, keys, { issuer: 'https://accounts.google.com', audience: 'client' });
  local.close();
  expect(payload).toMatchObject({ sub: 'goog_1', email: ana });
  expect(inserted).toEqual([{ id: 'evt_0', summary: `Busy ${ana}` }]);
});

test('userinfo and revoke find their paths', async () => {
  expect(await (await call('GET', '/v1/userinfo')).json()).toEqual({ sub: 'goog_1', email: ana });
  expect((await call('POST', '/revoke', new URLSearchParams({ token: 'r1' }))).status).toBe(200);
  expect(seen.at(-1)).toEqual({ path: '/oauth2/revoke', body: 'token=r1' });
});

test('the zone comes from the seed', async () => {
  const answer = await call('GET', '/calendar/v3/users/me/settings/timezone');
  expect(await answer.json()).toMatchObject({ value: 'Europe/Lisbon' });
});

test("a person's address stands for primary, and an unknown calendar stays out of the answer", async () => {
  const answer = await call('POST', '/calendar/v3/freeBusy', { items: [{ id: ana }, { id: 'no@example.com' }] });
  expect(await answer.json()).toEqual({ calendars: { [ana]: { busy: [] } } });
});

test('an event is found and deleted under the id its client chose, which stays taken', async () => {
  const events = `/calendar/v3/calendars/${ana}/events`;
  const body = { id: 'abcdef01', summary: 'Intro' };
  expect(await (await call('POST', events, body)).json()).toEqual(body);
  expect((await call('POST', events, body)).status).toBe(409);
  expect(await (await call('GET', `${events}/abcdef01`)).json()).toEqual(body);
  expect((await call('DELETE', `${events}/abcdef01`)).status).toBe(204);
  expect(seen.at(-1)?.path).toBe('/calendar/v3/calendars/primary/events/evt_1');
});

test('what the other server lacks is its own 404', async () => {
  expect((await call('PATCH', `/calendar/v3/calendars/${ana}/events/abcdef01`, {})).status).toBe(404);
});

test('a server out of reach is a 503', async () => {
  const lost = createRemoteGoogle({ url: 'http://127.0.0.1:9', clock: { now: Date.now } });
  const answer = await lost.fetch(new Request('https://oauth2.googleapis.com/token', { method: 'POST', body: '' }));
  expect(answer.status).toBe(503);
});
