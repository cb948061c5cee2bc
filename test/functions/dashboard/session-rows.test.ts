import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import type { Page } from '../../local/browser.ts';
import {
  asThief,
  atDashboard,
  auditOf,
  headingOf,
  linkFor,
  newBrowser,
  visit,
  wordsOf,
} from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const OPEN = 'Overview';
const CLOSED = 'You are not signed in';
const NO_ENTRY = 'This link does not open the dashboard';
const TEN_MINUTES = 600_000;

/** Opens a platform's dashboard with a link that changes nothing. */
async function lookingAt({ api }: TestPlatform) {
  const { body } = await api.send('POST', '/v1/platform/dashboard-link', { read_only: true });
  expect(body).toMatchObject({ read_only: true });
  const browser = newBrowser();
  const asked = await browser.open((body as { url: string }).url);
  return { browser, asked, page: await browser.submit(asked, '/dashboard/enter') };
}

const keyIn = ({ html }: Page) => /(sk_live_[\w-]{53})/.exec(html)?.[1];

describe('a cookie that was copied', () => {
  test('opens nothing once its person signed out, and cannot replace the key', async () => {
    const platform = await freshPlatform();
    const { browser, page } = await atDashboard(platform);
    const cookie = browser.cookiesFor(world.baseUrl);
    expect(await asThief(cookie, '/dashboard')).toBe(OPEN);
    const asked = await visit(browser, '/dashboard/keys/regenerate');
    await browser.submit(page, '/dashboard/sign-out');
    expect(await asThief(cookie, '/dashboard')).toBe(CLOSED);
    const fields = new URLSearchParams(
      [...asked.html.matchAll(/name="(csrf|once)" value="([^"]+)"/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      ),
    );
    const replaced = await fetch(`${world.baseUrl}/dashboard/keys/regenerate`, {
      method: 'POST',
      body: fields,
      headers: { cookie },
      redirect: 'manual',
    });
    expect([replaced.status, headingOf({ html: await replaced.text() })]).toEqual([401, CLOSED]);
    expect((await platform.api.calendars()).status).toBe(200);
    expect(await auditOf('platform_id', platform.id)).toEqual([
      'link.created by key',
      'session.opened by session',
      'session.ended by session',
    ]);
  });

  test('opens nothing once somebody signed out everywhere, nor does a link that nobody has opened', async () => {
    const platform = await freshPlatform();
    const [one, two] = [await atDashboard(platform), await atDashboard(platform)];
    const link = await linkFor(platform);
    const keys = await visit(one.browser, '/dashboard/keys');
    expect(headingOf(await one.browser.submit(keys, '/sign-out-everywhere'))).toBe('You are signed out');
    for (const { browser } of [one, two]) expect(headingOf(await visit(browser, '/dashboard'))).toBe(CLOSED);
    expect(headingOf(await newBrowser().open(link))).toBe(NO_ENTRY);
    expect(headingOf((await atDashboard(platform)).page)).toBe(OPEN);
    expect(await auditOf('platform_id', platform.id)).toContain('sessions.ended by session');
  });
});

describe('a link that only looks', () => {
  test('opens every page and changes nothing', async () => {
    const platform = await freshPlatform();
    const { browser, asked, page } = await lookingAt(platform);
    expect(wordsOf(asked)).toContain('This link lets you change nothing.');
    expect(wordsOf(page)).toContain('(read only)');
    const forms: [at: string, form: string][] = [
      ['/dashboard/settings', '/dashboard/settings'],
      ['/dashboard/webhooks/endpoint', '/webhooks/endpoint'],
      ['/dashboard/webhooks/endpoint', '/endpoint/test'],
      ['/dashboard/webhooks/endpoint/rotate', '/rotate'],
      ['/dashboard/keys/regenerate', '/regenerate'],
      ['/dashboard/people/disconnect?user_email=new@people.test', '/people/disconnect'],
      ['/dashboard/keys', '/sign-out-everywhere'],
    ];
    for (const [at, form] of forms) {
      const refused = await browser.submit(await visit(browser, at), form);
      expect([form, refused.status]).toEqual([form, 403]);
      expect(wordsOf(refused)).toContain('you opened the dashboard with a read-only link');
    }
    expect((await platform.api.calendars()).status).toBe(200);
    expect(headingOf(await browser.submit(page, '/dashboard/sign-out'))).toBe('You are signed out');
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(CLOSED);
  });

  test('is refused under a name that is no field', async () => {
    const { api } = await freshPlatform();
    const { status, body } = await api.send('POST', '/v1/platform/dashboard-link', { access: 'read_only' });
    expect([status, body]).toMatchObject([400, { field: 'access' }]);
  });

  test.each(['yes', 1])('is refused as %s', async (read_only) => {
    const { api } = await freshPlatform();
    const { status, body } = await api.send('POST', '/v1/platform/dashboard-link', { read_only });
    expect([status, body]).toMatchObject([400, { field: 'read_only' }]);
  });
});

describe('ten minutes after its link was made, a session', () => {
  test('cannot replace the key; with a new link it can, and stays open', async () => {
    const platform = await freshPlatform();
    const { browser } = await atDashboard(platform);
    const asked = await visit(browser, '/dashboard/keys/regenerate');
    await world.advance(TEN_MINUTES + 1_000);
    const refused = await browser.submit(asked, '/regenerate');
    expect(refused.status).toBe(403);
    expect(wordsOf(refused)).toContain('Get a new dashboard link');
    expect(wordsOf(await visit(browser, '/dashboard/keys/regenerate'))).toContain('made within ten minutes');
    expect((await platform.api.calendars()).status).toBe(200);

    const fresh = await atDashboard(platform);
    const made = await fresh.browser.submit(await visit(fresh.browser, '/dashboard/keys/regenerate'), '/regenerate');
    const key = keyIn(made) ?? '';
    expect((await createClient(world.baseUrl, key).calendars()).status).toBe(200);
    expect((await platform.api.calendars()).status).toBe(401);
    expect(headingOf(await visit(fresh.browser, '/dashboard'))).toBe(OPEN);
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(CLOSED);
  });

  test('cannot disconnect a person; with a new link it can, and every platform is told', async () => {
    const platform = await freshPlatform();
    const other = await freshPlatform();
    const { email } = await connectedPerson(platform);
    await world.connectCalendar(other, email);
    const { browser } = await atDashboard(platform);
    const path = `/dashboard/people/disconnect?user_email=${email}`;
    expect((await visit(browser, '/dashboard/people')).html).toContain(encodeURIComponent(email));
    const asked = await visit(browser, path);
    await world.advance(TEN_MINUTES + 1_000);
    const late = await browser.submit(asked, '/people/disconnect');
    expect([late.status, headingOf(late)]).toEqual([403, 'Nobody was disconnected']);
    expect(wordsOf(await visit(browser, path))).toContain('made within ten minutes');
    const fresh = await atDashboard(platform);
    const shown = await visit(fresh.browser, path);
    const done = await fresh.browser.submit(shown, '/people/disconnect');
    expect([done.status, headingOf(done)]).toEqual([200, `${email} is disconnected`]);
    for (const one of [platform, other])
      expect((await webhooksOf(one)).map(({ body }) => body.event_type)).toContain('user.calendar.disconnected');
    expect(await auditOf('platform_id', platform.id)).toContain('person.disconnected by session');
    const again = await fresh.browser.submit(await visit(fresh.browser, path), '/people/disconnect');
    expect([again.status, headingOf(again)]).toEqual([200, `${email} is disconnected already`]);
    const stranger = await visit(fresh.browser, '/dashboard/people/disconnect?user_email=never@people.test');
    const never = await fresh.browser.submit(stranger, '/people/disconnect');
    expect([never.status, headingOf(never)]).toEqual([404, 'Nobody was disconnected']);
    await world.connectCalendar(platform, email);
    const old = await fresh.browser.submit(shown, '/people/disconnect');
    expect([old.status, headingOf(old)]).toEqual([404, 'Nobody was disconnected']);
    expect(wordsOf(old)).toContain('connected again after you opened the page');
  });

  test.each([
    ['replace the webhook secret', '/dashboard/webhooks/endpoint/rotate', '/rotate', {}],
    [
      'change the redirect URIs',
      '/dashboard/settings',
      '/settings',
      { redirect_uris: 'https://a.test/cb', on_decline: 'notify' },
    ],
  ])('cannot %s; with a new link it can', async (_, path, action, change) => {
    const platform = await freshPlatform();
    const { browser } = await atDashboard(platform);
    const asked = await visit(browser, path);
    await world.advance(11 * HOUR);
    const refused = await browser.submit(asked, action, change);
    expect([refused.status, wordsOf(refused).includes('Get a new dashboard link')]).toEqual([403, true]);
    const fresh = await atDashboard(platform);
    expect((await fresh.browser.submit(await visit(fresh.browser, path), action, change)).status).toBe(200);
  });

  test('cannot change the endpoint’s address, and can change the rest', async () => {
    const platform = await freshPlatform();
    const { browser } = await atDashboard(platform);
    await world.advance(TEN_MINUTES + 1_000);
    const page = await visit(browser, '/dashboard/webhooks/endpoint');
    const refused = await browser.submit(page, '/webhooks/endpoint', { url: `${platform.webhookUrl}/other` });
    expect([refused.status, wordsOf(refused).includes('Get a new dashboard link')]).toEqual([403, true]);
    const saved = await browser.submit(page, '/webhooks/endpoint', { max_retries: '2' });
    expect(wordsOf(saved)).toContain('The webhook is saved.');
    const { body } = await platform.api.send('GET', '/v1/platform/webhook');
    expect(body).toMatchObject({ url: platform.webhookUrl, max_retries: 2 });
  });
});

test.each([
  [{ keep: 'on' }, {}, 'The old key works for 24 more hours.', 200],
  [{}, { keep: 'on' }, 'The old key no longer works.', 401],
])('sending %j, and then the same form with %j, tells what the first did', async (first, second, told, status) => {
  const platform = await freshPlatform();
  const { browser } = await atDashboard(platform);
  const asked = await visit(browser, '/dashboard/keys/regenerate');
  const made = await browser.submit(asked, '/regenerate', first);
  const again = await browser.submit(asked, '/regenerate', second);
  expect([keyIn(again), wordsOf(again)]).toEqual([keyIn(made), expect.stringContaining(told)]);
  expect((await platform.api.calendars()).status).toBe(status);
});

test('the current key may be kept for a day when the dashboard replaces it', async () => {
  const platform = await freshPlatform();
  const { browser } = await atDashboard(platform);
  const asked = await visit(browser, '/dashboard/keys/regenerate');
  const made = await browser.submit(asked, '/regenerate', { keep: 'on' });
  expect(wordsOf(made)).toContain('The old key works for 24 more hours.');
  const next = createClient(world.baseUrl, keyIn(made));
  expect([(await platform.api.calendars()).status, (await next.calendars()).status]).toEqual([200, 200]);
  expect(wordsOf(await visit(browser, '/dashboard/keys'))).toMatch(/sk_live_….{4} , the former key, works until/);
  await world.advance(24 * 3_600_000 + 1_000);
  expect([(await platform.api.calendars()).status, (await next.calendars()).status]).toEqual([401, 200]);
});
