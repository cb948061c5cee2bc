import { describe, expect, test } from 'vitest';
import type { Page } from '../../local/browser.ts';
import { asThief, auditOf, headingOf } from '../../support/people/audit.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { userIdOf } from '../../support/people/retention.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const CLOSED = 'Sign in';
const keyIn = ({ html }: Page) => /<code id="api-key">(sk_user_[\w-]+)<\/code>/.exec(html)?.[1] ?? '';

/** Signs a person in to their own page, and copies the cookie. */
async function signedIn() {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  const me = await world.signIn(email);
  return { email, id: await userIdOf(email), ...me, cookie: me.browser.cookiesFor(world.baseUrl) };
}

describe('a copied cookie of a person’s page opens nothing once', () => {
  test('the person signed out', async () => {
    const { browser, page, cookie, id } = await signedIn();
    expect(await asThief(cookie, '/me/learning')).not.toBe(CLOSED);
    expect(headingOf(await browser.submit(page, '/me/sign-out'))).toBe('You are signed out');
    for (const path of ['/me', '/me/learning', '/me/export', '/me/preferences'])
      expect(await asThief(cookie, path)).toBe(CLOSED);
    expect(await auditOf('user_id', id)).toContain('session.ended by person');
  });

  test('the person signed out in every browser', async () => {
    const { email, cookie, id } = await signedIn();
    const other = await world.signIn(email);
    const out = await other.browser.submit(other.page, '/me/sign-out-everywhere');
    expect(out.html).toContain('Platforms, agents and your API key keep their access.');
    for (const place of ['agents', 'key']) expect(out.html).toContain(`href="/me#${place}"`);
    expect(await asThief(cookie, '/me')).toBe(CLOSED);
    expect(await auditOf('user_id', id)).toContain('sessions.ended by person');
  });

  test('the person deleted their account', async () => {
    const { browser, cookie, id } = await signedIn();
    await browser.submit(await browser.open(`${world.baseUrl}/me/delete`), '/me/delete');
    expect(await asThief(cookie, '/me')).toBe(CLOSED);
    expect(await world.neon.query('select id from sessions where user_id = $1', [id])).toEqual([]);
    const log = await world.neon.query('select action, network from audit_log where user_id = $1', [id]);
    expect(log.filter(({ action }) => action === 'session.opened').map(({ network }) => network)).toEqual([null]);
    expect(log.map(({ action }) => action)).toContain('person.erased');
  });
});

test('a person revokes a stolen key at any time, also within the hour in which none can be made', async () => {
  const { browser, page, id } = await signedIn();
  await browser.submit(page, '/me/api-key');
  const key = keyIn(await browser.submit(await browser.open(`${world.baseUrl}/me`), '/me/api-key'));
  const thief = createClient(world.baseUrl, key);
  expect((await thief.send('GET', '/v1/user/export')).status).toBe(200);
  const own = await browser.open(`${world.baseUrl}/me`);
  expect(own.html).toContain('You can create one key an hour.');
  const after = await browser.submit(own, '/me/api-key/revoke');
  expect(after.html).toContain('You have no key yet');
  expect((await thief.send('GET', '/v1/user/export')).status).toBe(401);
  await browser.submit(own, '/me/api-key/revoke');
  expect((await auditOf('user_id', id)).filter((entry) => entry.startsWith('key.'))).toEqual([
    'key.created by person',
    'key.created by person',
    'key.revoked by person',
  ]);
});
