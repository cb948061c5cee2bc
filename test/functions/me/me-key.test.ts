import { describe, expect, test } from 'vitest';
import { clockIn } from '../../../lib/words/people.ts';
import { type Browser, formsOf, type Page } from '../../local/browser.ts';
import { times } from '../../support/people/calendars.ts';
import { asThief, auditOf, headingOf } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { userIdOf } from '../../support/people/person-data.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const KEY = /<code id="api-key">(sk_user_[\w-]+)<\/code>/;
const keyIn = ({ html }: Page) => KEY.exec(html)?.[1] ?? '';
const worksNow = async (key: string) =>
  (await createClient(world.baseUrl, key).send('GET', '/v1/user/preferences')).status === 200;

async function signedIn() {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada', timezone: 'Asia/Kolkata' });
  return { platform, email, ...(await world.signIn(email)) };
}

const makeKey = (browser: Browser, page: Page) => browser.submit(page, '/me/api-key');
const ownPage = (browser: Browser) => browser.open(`${world.baseUrl}/me`);

describe('a person’s key', () => {
  test('is listed masked with the day it was made, and revoked there: twice is as good as once', async () => {
    const { browser, page } = await signedIn();
    const key = keyIn(await makeKey(browser, page));
    const own = await ownPage(browser);
    expect(own.html).toContain(`<code>sk_user_…${key.slice(-4)}</code>`);
    expect(own.html).toMatch(/<small class="muted">Created [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}<\/small>/);
    expect(own.html).not.toContain(key);
    const [after] = await times(2, () => browser.submit(own, '/me/api-key/revoke'));
    expect(after?.html).toMatch(/You have no key yet.*>Create a key</);
    expect(await worksNow(key)).toBe(false);
  });

  test('is shown once, and another can take its place at once: the first replaced none', async () => {
    const { browser, page } = await signedIn();
    const first = keyIn(await makeKey(browser, page));
    const second = keyIn(await makeKey(browser, await ownPage(browser)));
    expect(await worksNow(first)).toBe(false);
    expect(await worksNow(second)).toBe(true);
  });

  test('of a form that is sent again, at once or later, is the one it made', async () => {
    const { browser, page } = await signedIn();
    const [first, ...same] = (await times(4, () => makeKey(browser, page))).map(keyIn);
    expect(new Set([first, ...same])).toEqual(new Set([first]));
    const next = await ownPage(browser);
    const second = keyIn(await makeKey(browser, next));
    expect(second).not.toBe(first);
    expect(keyIn(await makeKey(browser, next))).toBe(second);
    expect((await makeKey(browser, page)).status).toBe(422);
    expect(await worksNow(second)).toBe(true);
  });

  test('is not made by a form that does not say which it is', async () => {
    const { browser, page } = await signedIn();
    for (const once of ['', 'x', 'y'.repeat(44)])
      expect((await browser.submit(page, '/me/api-key', { once })).status).toBe(403);
    expect((await ownPage(browser)).html).toMatch(/You have no key yet.*>Create a key</);
  });

  test('is replaced once an hour: until then the page says from when on, and the key stays', async () => {
    const { browser, page } = await signedIn();
    const [before, late] = [await ownPage(browser), await ownPage(browser)];
    await makeKey(browser, page);
    const kept = keyIn(await makeKey(browser, before));
    const refused = await makeKey(browser, late);
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('<h1>Too many regeneration attempts</h1>');
    const says = /You can replace this API key again from (\d\d:\d\d) UTC on\./.exec(refused.html)?.[1];
    expect(await worksNow(kept)).toBe(true);
    const own = await ownPage(browser);
    const theirs = clockIn(Date.parse(`2026-12-01T${says}Z`), 'Asia/Kolkata');
    expect(own.html).toMatch(
      new RegExp(`You can create one key an hour, the next from \\w+day, \\d+ \\w+, ${theirs} on\\.`),
    );
    expect(formsOf(own).filter(({ action }) => action.endsWith('/me/api-key'))).toEqual([]);

    await world.advance(3_601_000);
    const { browser: later, page: again } = await world.signIn(/[\w.]+@people\.test/.exec(own.html)?.[0] ?? '');
    expect(keyIn(await makeKey(later, again))).toMatch(/^sk_user_/);
    expect(await worksNow(kept)).toBe(false);
  });

  test('is replaced once, however many requests race, and one of them stays alive', async () => {
    const { browser, page } = await signedIn();
    await makeKey(browser, page);
    const pages = await times(6, () => ownPage(browser));
    const answers = await Promise.all(pages.map((open) => makeKey(browser, open)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(429)]);
    const made = answers.map(keyIn).filter((key) => key !== '');
    expect(await Promise.all(made.map(worksNow))).toEqual([true]);
  });

  test('cannot be made by the page of somebody whose address went to another', async () => {
    const { platform, email, browser, page } = await signedIn();
    world.google.passOn(email);
    await world.connectCalendar(platform, email);
    const answer = await makeKey(browser, page);
    expect(answer.status).toBe(401);
    expect(keyIn(answer)).toBe('');
    const [row] = await world.neon.query(
      `select count(*)::int as live from api_keys k join users u on u.id = k.user_id
       where u.ended_at is not null and k.revoked_at is null`,
    );
    expect(row).toEqual({ live: 0 });
  });
});

const CLOSED = 'Sign in';

async function withCookie() {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  const me = await world.signIn(email);
  return { email, id: await userIdOf(email), ...me, cookie: me.browser.cookiesFor(world.baseUrl) };
}

describe('a copied cookie of a person’s page opens nothing once', () => {
  test('the person signed out', async () => {
    const { browser, page, cookie, id } = await withCookie();
    expect(await asThief(cookie, '/me/learning')).not.toBe(CLOSED);
    expect(headingOf(await browser.submit(page, '/me/sign-out'))).toBe('You are signed out');
    for (const path of ['/me', '/me/learning', '/me/export', '/me/preferences'])
      expect(await asThief(cookie, path)).toBe(CLOSED);
    expect(await auditOf('user_id', id)).toContain('session.ended by person');
  });

  test('the person signed out in every browser', async () => {
    const { email, cookie, id } = await withCookie();
    const other = await world.signIn(email);
    const out = await other.browser.submit(other.page, '/me/sign-out-everywhere');
    expect(out.html).toContain('Platforms, agents and your API key keep their access.');
    for (const place of ['agents', 'key']) expect(out.html).toContain(`href="/me#${place}"`);
    expect(await asThief(cookie, '/me')).toBe(CLOSED);
    expect(await auditOf('user_id', id)).toContain('sessions.ended by person');
  });

  test('the person deleted their account', async () => {
    const { browser, cookie, id } = await withCookie();
    await browser.submit(await browser.open(`${world.baseUrl}/me/delete`), '/me/delete');
    expect(await asThief(cookie, '/me')).toBe(CLOSED);
    expect(await world.neon.query('select id from sessions where user_id = $1', [id])).toEqual([]);
    const log = await world.neon.query('select action, network from audit_log where user_id = $1', [id]);
    expect(log.filter(({ action }) => action === 'session.opened').map(({ network }) => network)).toEqual([null]);
    expect(log.map(({ action }) => action)).toContain('person.erased');
  });
});

test('a person revokes a stolen key at any time, also within the hour in which none can be made', async () => {
  const { browser, page, id } = await withCookie();
  await browser.submit(page, '/me/api-key');
  const key = keyIn(await browser.submit(await browser.open(`${world.baseUrl}/me`), '/me/api-key'));
  const thief = createClient(world.baseUrl, key);
  expect((await thief.send('GET', '/v1/user/export')).status).toBe(200);
  const own = await browser.open(`${world.baseUrl}/me`);
  expect(own.html).toContain('You can create one key an hour, ');
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
