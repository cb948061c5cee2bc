import type { Request, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { FOREIGN, formOf, HOSTILE, send } from '../support/checks/forms.ts';
import { freshPerson, freshPlatform } from '../support/people/factories.ts';
import { authorizeUrl } from '../support/people/signing-in.ts';
import {
  allowAtGoogle,
  inspect,
  openTab,
  pagesSuite,
  settled,
  strangeParts,
  type Tab,
  tabTo,
} from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

async function asked(name = 'Acme & Sons') {
  const platform = await freshPlatform({ name });
  const { email } = freshPerson({ name: 'ada' });
  const tab = await openTab(authorizeUrl(platform, email));
  return { platform, email, tab };
}

async function atGoogle() {
  const all = await asked();
  await settled(all.tab, () => all.tab.page.click('text=Continue to Google'));
  return all;
}

const told = async ({ page, answer }: Tab) => ({
  status: answer().status(),
  title: await page.locator('h1').textContent(),
  text: await page.locator('main').textContent(),
});
const isConnected = async (platform: Awaited<ReturnType<typeof freshPlatform>>, email: string) =>
  (await platform.api.status(email)).body;

test('the way to a connected calendar goes by keyboard, and each page is for everybody', async () => {
  const { platform, email, tab } = await asked();
  await inspect(tab, 'consent');
  await tabTo(tab, 'Continue to Google');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  await allowAtGoogle(tab, email);
  expect(await told(tab)).toMatchObject({ status: 200, title: 'Calendar connected' });
  await inspect(tab, 'consent-connected');
  expect(await isConnected(platform, email)).toMatchObject({ calendar_connected: true });
});

describe('a consent that comes to nothing says what happened, what it means and what to do', () => {
  const asAnother = async (tab: Tab) => {
    const google = new URL(tab.page.url());
    google.searchParams.delete('login_hint');
    const other = freshPerson({ name: 'bob' });
    await tab.page.goto(google.href);
    await allowAtGoogle(tab, other.email);
  };
  const late = async (tab: Tab, email: string) => {
    await world.advance(601_000);
    await allowAtGoogle(tab, email);
  };
  const unticked = (tab: Tab, email: string) => allowAtGoogle(tab, email, { without: ['calendar.freebusy'] });

  test.each<[name: string, act: (tab: Tab, email: string) => Promise<void>, title: string, text: string]>([
    ['denied', (tab) => settled(tab, () => tab.page.click('text=Cancel')), 'You did not allow access', 'Nothing in'],
    ['mismatch', asAnother, 'You used another account', 'EMAIL'],
    ['unticked', unticked, 'A permission is missing', 'Open the link again and tick every box on Google’s page.'],
    ['expired', late, 'This took too long', 'ten minutes'],
  ])('by the person: %s', async (name, act, title, text) => {
    const { platform, email, tab } = await atGoogle();
    await act(tab, email);
    const said = expect.stringContaining(text.replace('EMAIL', email));
    expect(await told(tab)).toMatchObject({ status: 400, title, text: said });
    await inspect(tab, `consent-${name}`);
    expect(await isConnected(platform, email)).toMatchObject({ calendar_connected: false });
  });

  test('where another browser comes back', async () => {
    const { platform, email, tab } = await atGoogle();
    await tab.page.context().clearCookies();
    await allowAtGoogle(tab, email);
    expect(await told(tab)).toMatchObject({ status: 400, title: 'This sign-in cannot continue here' });
    await inspect(tab, 'consent-other-browser');
    expect(await isConnected(platform, email)).toMatchObject({ calendar_connected: false });
  });

  test.each([
    ['fails', { mode: 'status', status: 503 }, 503, 'The last step failed', 'consent-unavailable'],
    [
      'refuses',
      { mode: 'status', status: 400, body: { error: 'invalid_grant' } },
      400,
      'Google did not accept the sign-in',
      'consent-refused',
    ],
  ] as const)('where Google %s at the last step', async (_name, fault, status, title, name) => {
    const { email, tab } = await atGoogle();
    world.faults.add({ target: 'google', match: 'POST /token', ...fault });
    await allowAtGoogle(tab, email);
    expect(await told(tab)).toMatchObject({ status, title });
    await inspect(tab, name);
  });

  test('where the database is down', async () => {
    const { email, tab } = await atGoogle();
    world.faults.add({ target: 'neon', mode: 'reset' });
    await allowAtGoogle(tab, email);
    expect(await told(tab)).toMatchObject({ status: 500, title: 'Something went wrong' });
    await inspect(tab, 'failure');
  });

  test('where the link was put together wrongly, whatever stands in it', async () => {
    const platform = await freshPlatform();
    for (const text of HOSTILE) {
      const tab = await openTab(authorizeUrl(platform, text));
      expect(await told(tab)).toMatchObject({ status: 400, title: 'This link does not work' });
      expect(await strangeParts(tab)).toEqual([]);
    }
    const tab = await openTab(authorizeUrl({ ...platform, publishable_key: 'pk_live_none' }, 'ada@people.test'));
    expect(await told(tab)).toMatchObject({ status: 400, title: 'This link does not work' });
    await inspect(tab, 'consent-broken-link');
  });
});

describe('on a phone of 360 by 640, the button is on the first screen', () => {
  const LOGO = 'https://cdn.acme.test/logo.png';
  const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="500"><rect width="2000" height="500" fill="#b0201c"/></svg>`;
  const LONG =
    'The Amalgamated Society of Schedulers, Planners & Calendar Keepers of Greater Wolverhampton and the Vale';

  /** Opens the page of a platform of this name on such a phone. If there is a logo, `answer` answers its request. */
  async function onPhone(name: string, answer?: (route: Route) => Promise<void>) {
    const platform = await freshPlatform({ name });
    if (answer !== undefined) await platform.api.send('PUT', '/v1/platform/settings', { logo_url: LOGO });
    const { email } = freshPerson({ name: `ada.${'x'.repeat(40)}` });
    const tab = await openTab('/privacy');
    const asked: Request[] = [];
    tab.page.on('request', (request) => request.url().startsWith('https://') && asked.push(request));
    await tab.page.route('https://cdn.acme.test/**', answer ?? ((route) => route.abort()));
    await tab.page.setViewportSize({ width: 360, height: 640 });
    await tab.page.goto(new URL(authorizeUrl(platform, email), world.baseUrl).href);
    return { tab, asked };
  }
  const bottomOfButton = async ({ page }: Tab) => {
    const box = await page.getByRole('button', { name: 'Continue to Google' }).boundingBox();
    return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
  };
  const picture = (route: Route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE });

  test.each([
    ['a short name', 'Acme', undefined],
    ['a long name', LONG, undefined],
    ['a long name and a logo', LONG, picture],
    ['a name of one word without end, and a logo', 'W'.repeat(300), picture],
    ['a long name and a logo that cannot be loaded', LONG, (route: Route) => route.abort()],
  ])('with %s', async (name, text, answer) => {
    const { tab } = await onPhone(text, answer);
    expect(await bottomOfButton(tab)).toBeLessThanOrEqual(640);
    expect(await tab.page.locator('.ticks li').count()).toBe(3);
    await inspect(tab, `consent-${name.replaceAll(/[ ,]+/g, '-')}`, { loads: answer === undefined ? [] : [LOGO] });
  });

  test('the logo is asked for by the browser alone, without saying who asks, and is shown small', async () => {
    const { tab, asked } = await onPhone('Acme', picture);
    expect(asked.map((request) => [request.url(), request.headers().referer])).toEqual([[LOGO, undefined]]);
    expect(world.traffic.list().filter(({ path }) => path.includes('logo.png'))).toEqual([]);
    const logo = tab.page.locator('.platform:has-text("Acme") img');
    expect(await logo.boundingBox()).toMatchObject({ width: 48, height: 48 });
    expect(await tab.page.evaluate('document.querySelector("img").naturalWidth')).toBe(2_000);
    expect(tab.answer().headers()['content-security-policy']).toContain('; img-src https://cdn.acme.test;');
  });

  test('without a logo, the page may load no image at all', async () => {
    const { tab } = await onPhone('Acme');
    expect(tab.answer().headers()['content-security-policy']).not.toContain('img-src');
    expect(await tab.page.locator('img').count()).toBe(0);
  });
});

describe('the form before Google’s page', () => {
  test.each(FOREIGN)('does nothing %s', async (_name, sender) => {
    const { tab } = await asked();
    const answer = await send(await formOf(tab, '/oauth/authorize'), sender);
    expect([answer.status, answer.location]).toEqual([403, null]);
  });

  test('does nothing once its browser has lost the cookie', async () => {
    const { tab } = await asked();
    await tab.page.context().clearCookies();
    await settled(tab, () => tab.page.click('text=Continue to Google'));
    expect(await told(tab)).toMatchObject({ status: 400, title: 'This page has expired' });
    await inspect(tab, 'consent-run-out');
  });

  test('names a platform as it calls itself, and nothing more', async () => {
    const { tab } = await asked('<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202Eevil');
    expect(await tab.page.locator('h1').textContent()).toContain('<script>alert(1)</script>');
    expect(await strangeParts(tab)).toEqual([]);
    await inspect(tab, 'consent-hostile');
  });
});
