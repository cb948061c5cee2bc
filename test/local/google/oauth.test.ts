import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { CLIENT_ID, CLIENT_SECRET, openGoogleWorld, REDIRECT_URI, SCOPES } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const ana = 'ana@example.com';

world.google.addUser({ email: ana, timezone: 'Europe/Lisbon', name: 'Ana <Ng>' });
world.google.addUser({ email: 'ben@example.com', timezone: 'America/New_York' });

async function token(fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...fields });
  const response = await fetch(`${world.url}/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const exchange = (code: string, verifier: string, more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI, ...more });

describe('consent', () => {
  test('the page names the hinted account only, escaped', async () => {
    const { html } = await world.consent({ email: ana });
    expect(html).toContain('Ana &lt;Ng&gt;');
    expect(html).not.toContain('ben@example.com');
  });

  test('the world can decide what a user leaves ticked', async () => {
    world.google.revoke(ana);
    world.google.settings.grantedScopes.set(ana, []);
    const { code, verifier } = await world.consent({ email: ana });
    world.google.settings.grantedScopes.clear();
    expect((await exchange(code, verifier)).body.scope).toBe('openid email');
    world.google.revoke(ana);
  });

  test('a foreign client is turned away', async () => {
    const { html } = await world.consent({ email: ana, query: { client_id: 'other' } });
    expect(html).toContain('invalid_client');
    expect(html).not.toContain('<form');
  });
});

describe('token', () => {
  test('a code gives access, refresh and id token, through the official client', async () => {
    const { tokens, client } = await world.connect(ana);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: SCOPES.join(' ') });
    expect(tokens.refresh_token).toMatch(/^1\/\//);
    const keys = createRemoteJWKSet(new URL(`${world.url}/oauth2/v3/certs`));
    const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
      issuer: 'https://accounts.google.com',
      audience: CLIENT_ID,
      currentDate: new Date(world.clock.now()),
    });
    expect(payload).toMatchObject({ email: ana, email_verified: true });
    expect(payload.sub).toBe(world.google.users()[0]?.sub);

    const { credentials } = await client.refreshAccessToken();
    expect(credentials.access_token).not.toBe(tokens.access_token);
    expect(credentials.refresh_token).toBe(tokens.refresh_token);
  });

  test('expires_in is 3599 and the access token dies by the clock, not the refresh token', async () => {
    const { code, verifier } = await world.consent({ email: ana });
    const { body } = await exchange(code, verifier);
    expect(body.expires_in).toBe(3599);
    const who = () => fetch(`${world.url}/v1/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } });
    expect(await (await who()).json()).toMatchObject({ email: ana, email_verified: true });
    world.clock.advance(3_600_000);
    expect((await who()).status).toBe(401);
    const again = await token({ grant_type: 'refresh_token', refresh_token: String(body.refresh_token) });
    expect(again.status).toBe(200);
    expect(again.body.refresh_token).toBeUndefined();
  });

  test('a second consent without prompt=consent brings no refresh token', async () => {
    await world.connect(ana);
    const { code, verifier } = await world.consent({ email: ana, query: { prompt: 'select_account' } });
    expect((await exchange(code, verifier)).body.refresh_token).toBeUndefined();
  });

  test('without access_type=offline there is no refresh token', async () => {
    const { code, verifier } = await world.consent({ email: ana, query: { access_type: 'online' } });
    expect((await exchange(code, verifier)).body.refresh_token).toBeUndefined();
  });

  test('a code works once', async () => {
    const { code, verifier } = await world.consent({ email: ana });
    expect((await exchange(code, verifier)).status).toBe(200);
    expect(await exchange(code, verifier)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Bad Request' },
    });
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 400, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: `${REDIRECT_URI}/` }, 400, 'redirect_uri_mismatch'],
    ['a wrong secret', { client_secret: 'nope' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nope' }, 401, 'invalid_client'],
    ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('%s is refused', async (_name, more, status, error) => {
    const { code, verifier } = await world.consent({ email: ana });
    const answer = await exchange(code, verifier, more);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });
});

describe('revoking', () => {
  const refresh = (value: unknown) => token({ grant_type: 'refresh_token', refresh_token: String(value) });
  const dead = {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
  };

  test('the official client revokes the whole grant; again is invalid_token', async () => {
    const { client, tokens } = await world.connect(ana);
    const response = await client.revokeToken(tokens.access_token ?? '');
    expect(response.status).toBe(200);
    expect(await refresh(tokens.refresh_token)).toEqual(dead);
    const again = await fetch(`${world.url}/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.refresh_token ?? '' }),
    });
    expect([again.status, await again.json()]).toEqual([
      400,
      { error: 'invalid_token', error_description: 'Token expired or revoked' },
    ]);
  });

  test('the user revokes in their account: API 401 and refresh invalid_grant', async () => {
    const { tokens } = await world.connect(ana);
    world.google.revoke(ana);
    const response = await fetch(`${world.url}/calendar/v3/users/me/settings/timezone`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect([response.status, await response.json()]).toEqual([
      401,
      {
        error: {
          code: 401,
          message: expect.stringContaining('Request had invalid authentication credentials.'),
          errors: [
            {
              message: 'Invalid Credentials',
              domain: 'global',
              reason: 'authError',
              locationType: 'header',
              location: 'Authorization',
            },
          ],
          status: 'UNAUTHENTICATED',
          details: [expect.objectContaining({ reason: 'ACCESS_TOKEN_EXPIRED' })],
        },
      },
    ]);
    expect(await refresh(tokens.refresh_token)).toEqual(dead);
  });
});
