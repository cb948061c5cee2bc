import { afterAll, describe, expect, test } from 'vitest';
import { CLIENT_ID, CLIENT_SECRET, openGoogleWorld, REDIRECT_URI } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const ana = 'ana@example.com';

world.google.addUser({ email: ana, timezone: 'Europe/Lisbon' });

async function token(fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...fields });
  const response = await fetch(`${world.url}/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const exchange = (code: string, verifier: string, more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI, ...more });

test('a foreign client is turned away', async () => {
  const { html } = await world.consent({ email: ana, query: { client_id: 'other' } });
  expect(html).toContain('invalid_client');
  expect(html).not.toContain('<form');
});

describe('token', () => {
  test('expires_in is 3599 and the access token dies by the clock, not the refresh token', async () => {
    const { code, verifier } = await world.consent({ email: ana });
    const { body } = await exchange(code, verifier);
    expect(body.expires_in).toBe(3599);
    const zone = () =>
      fetch(`${world.url}/calendar/v3/users/me/settings/timezone`, {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
    expect((await zone()).status).toBe(200);
    world.clock.advance(3_600_000);
    expect((await zone()).status).toBe(401);
    const again = await token({ grant_type: 'refresh_token', refresh_token: String(body.refresh_token) });
    expect(again.status).toBe(200);
    expect(again.body.refresh_token).toBeUndefined();
  });

  test('a second consent without prompt=consent brings no refresh token', async () => {
    await world.connect(ana);
    const { code, verifier } = await world.consent({ email: ana, query: { prompt: 'select_account' } });
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

test('revoking a token ends the whole grant, and again is invalid_token', async () => {
  const { client, tokens } = await world.connect(ana);
  expect((await client.revokeToken(tokens.access_token ?? '')).status).toBe(200);
  expect(await token({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) })).toEqual({
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
  });
  const body = new URLSearchParams({ token: tokens.refresh_token ?? '' });
  const again = await fetch(`${world.url}/revoke`, { method: 'POST', body });
  expect([again.status, await again.json()]).toEqual([
    400,
    { error: 'invalid_token', error_description: 'Token expired or revoked' },
  ]);
});
