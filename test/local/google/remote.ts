import { Hono } from 'hono';
import { decodeJwt } from 'jose';
import type { WorldClock } from '../stand-in.ts';
import { GoogleError, renderError } from './errors.ts';
import { certs, signIdToken } from './id-token.ts';
import type { Google } from './index.ts';
import { createRemoteCalendar } from './remote-calendar.ts';
import { createRemoteControl } from './remote-control.ts';
import { createRemoteServer } from './remote-server.ts';

interface RemoteOptions {
  /** Another server that speaks Google's OAuth and Calendar, such as an emulator. */
  url: string;
  clock: WorldClock;
  /** Whose time zones the other server need not know. */
  seed?: { email: string; timezone: string; name?: string }[];
}

/**
 * Google played by another server: paths it has elsewhere are mapped, id tokens are signed in Google's name, and the
 * zone setting comes from the seed. What it cannot do stays undone.
 */
export function createRemoteGoogle({ url, clock, seed = [] }: RemoteOptions): Google {
  const server = createRemoteServer(url);
  const control = createRemoteControl(server);
  for (const person of seed) control.addUser(person);
  const app = new Hono();

  app.get('/o/oauth2/v2/auth', async (c) => {
    const page = await server.forward(c.req.raw);
    const html = await page.text();
    return c.html(html.replaceAll('action="/o/oauth2/v2/auth/callback"', 'action="auth/consent"'));
  });

  app.post('/o/oauth2/v2/auth/consent', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    if (form.get('action') !== 'deny') return server.send('/o/oauth2/v2/auth/callback', { method: 'POST', body: form });
    const back = new URL(form.get('redirect_uri') ?? '');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', form.get('state') ?? '');
    return c.redirect(back.href, 302);
  });

  app.post('/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const answer = await server.send('/oauth2/token', { method: 'POST', body: form });
    if (!answer.ok) return answer;
    const tokens = (await answer.json()) as { access_token: string; refresh_token?: string; id_token?: string };
    const email = await server.remember(tokens);
    await control.flush(email);
    return c.json({
      ...tokens,
      ...(tokens.id_token ? { id_token: await reSign(tokens.id_token, tokens.access_token) } : {}),
    });
  });

  async function reSign(idToken: string, accessToken: string): Promise<string> {
    const { sub = '', aud, email, name, nonce } = decodeJwt<{ email: string; name: string; nonce?: string }>(idToken);
    return signIdToken({
      person: { sub, email, name },
      clientId: String(aud),
      accessToken,
      nonce,
      now: clock.now(),
    });
  }

  app.post('/revoke', async (c) => {
    const token = c.req.query('token') ?? new URLSearchParams(await c.req.text()).get('token') ?? '';
    return server.send('/oauth2/revoke', { method: 'POST', body: new URLSearchParams({ token }) });
  });

  app.get('/v1/userinfo', (c) => server.forward(c.req.raw, '/oauth2/v2/userinfo'));
  app.get('/oauth2/v3/certs', async (c) => c.json(await certs()));
  app.route('/calendar/v3', createRemoteCalendar(server, control.timezoneOf));
  app.all('*', (c) => server.forward(c.req.raw));
  app.onError((error) =>
    renderError(
      error instanceof GoogleError ? error : new GoogleError(503, 'backendError', `${url}: ${error.message}`),
    ),
  );

  return { ...control, fetch: (request) => app.fetch(request), keep: () => undefined, close: async () => {} };
}
