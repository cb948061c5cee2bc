import { describe, expect, test } from 'vitest';
import { freshPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { authorizeUrl } from '../support/people/signing-in.ts';
import { allowAtGoogle, inspect, openTab, pagesSuite, settled, type Tab } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Latency of Redis in milliseconds, so that the page is still there for a late second click. */
const SLOW = 450;
const CONTINUE = 'text=Continue to Google';

async function asked() {
  const platform = await freshPlatform();
  const { email } = freshPerson();
  return { platform, email, tab: await openTab(authorizeUrl(platform, email)) };
}

async function atGoogle() {
  const all = await asked();
  await settled(all.tab, () => all.tab.page.click(CONTINUE));
  return all;
}

const titleOf = async ({ page }: Pick<Tab, 'page'>) => page.locator('h1').textContent();
const isConnected = async ({ api }: TestPlatform, email: string) =>
  ((await api.status(email)).body as { calendar_connected: boolean }).calendar_connected;
const exchanges = () => world.traffic.list().filter(({ path, status }) => path === '/token' && status === 200).length;

/** Waits until the tab shows a page. The second click ends the navigation of the first, which may not count as a failure. */
async function arrives({ page }: Pick<Tab, 'page'>, path: string): Promise<void> {
  await expect.poll(() => page.url()).toContain(path);
  await page.waitForLoadState();
}

/** Clicks a button a second time after some milliseconds, while the answer to the first click is still on its way. */
async function clickTwice({ page }: Pick<Tab, 'page'>, selector: string, ms: number): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  world.latency.set({ redis: SLOW });
  await page.mouse.click(x, y);
  if (ms > 0) await page.waitForTimeout(ms);
  await page.mouse.click(x, y);
}

describe.each([0, 150, 700])('a second click after %i ms', (ms) => {
  test('on our page leads on to Google', async () => {
    const { platform, email, tab } = await asked();
    await clickTwice(tab, CONTINUE, ms);
    await arrives(tab, '/o/oauth2/');
    await allowAtGoogle(tab, email);
    expect(await titleOf(tab)).toBe('Calendar connected');
    expect(await isConnected(platform, email)).toBe(true);
  });

  test('on Google’s page connects once', async () => {
    const { platform, email, tab } = await atGoogle();
    world.traffic.clear();
    await clickTwice(tab, 'button[value=allow]', ms);
    await arrives(tab, '/oauth/connected');
    expect(await titleOf(tab)).toBe('Calendar connected');
    expect([exchanges(), await isConnected(platform, email)]).toEqual([1, true]);
  });

  test('on Google’s Cancel says once what was not done', async () => {
    const { platform, email, tab } = await atGoogle();
    await clickTwice(tab, 'text=Cancel', ms);
    await expect.poll(() => titleOf(tab)).toBe('You did not allow access');
    expect(await isConnected(platform, email)).toBe(false);
  });

  test('on the page after it leads to the person’s own page', async () => {
    const { email, tab } = await atGoogle();
    await allowAtGoogle(tab, email);
    await clickTwice(tab, 'text=Go to your page', ms);
    await arrives(tab, '/o/oauth2/');
    await allowAtGoogle(tab, email);
    expect([tab.answer().status(), new URL(tab.page.url()).pathname]).toEqual([200, '/me']);
  });
});

test('every page of the way can be reloaded', async () => {
  const { platform, email, tab } = await asked();
  await tab.page.reload();
  await settled(tab, () => tab.page.click(CONTINUE));
  await tab.page.reload();
  await settled(tab, () => tab.page.click('text=Cancel'));
  for (let loads = 0; loads < 2; loads += 1) {
    expect(await titleOf(tab)).toBe('You did not allow access');
    await tab.page.reload();
  }
  await tab.page.goBack();
  await allowAtGoogle(tab, email);
  for (let loads = 0; loads < 3; loads += 1) {
    expect([await titleOf(tab), new URL(tab.page.url()).pathname]).toEqual(['Calendar connected', '/oauth/connected']);
    expect(await tab.page.textContent('main')).toContain(`Test platform can now schedule meetings for ${email}`);
    await tab.page.reload();
  }
  expect(await isConnected(platform, email)).toBe(true);
  await world.advance(3_600_000);
  await tab.page.reload();
  expect(await titleOf(tab)).toBe('Calendar connected');
});

test('two tabs connect two people, in any order', async () => {
  const { platform, email, tab } = await asked();
  const bob = freshPerson({ name: 'bob' });
  const other = { page: await tab.page.context().newPage() };
  await other.page.goto(authorizeUrl(platform, bob.email));
  await settled(tab, () => tab.page.click(CONTINUE));
  await settled(other, () => other.page.click(CONTINUE));
  await allowAtGoogle(tab, email);
  await allowAtGoogle(other as Tab, bob.email);
  for (const [one, address] of [
    [tab, email],
    [other, bob.email],
  ] as const) {
    await one.page.reload();
    expect(await one.page.locator('main').textContent()).toContain(address);
    expect(await isConnected(platform, address)).toBe(true);
  }
});

test('a scanner that opens the link and what it shows first takes nothing from the person', async () => {
  const platform = await freshPlatform();
  const { email } = freshPerson();
  const link = authorizeUrl(platform, email);
  for (let visits = 0; visits < 3; visits += 1) expect((await fetch(link)).status).toBe(200);
  const scanner = await openTab(link);
  await settled(scanner, () => scanner.page.click(CONTINUE));
  const tab = await openTab(`${link}.`);
  await settled(tab, () => tab.page.click(CONTINUE));
  await allowAtGoogle(tab, email);
  expect([await titleOf(tab), await isConnected(platform, email)]).toEqual(['Calendar connected', true]);
});

test('who only connected is not signed in', async () => {
  const { email, tab } = await atGoogle();
  await allowAtGoogle(tab, email);
  const cookies = (await tab.page.context().cookies()).map(({ name }) => name);
  expect(cookies.filter((name) => name.includes('session'))).toEqual([]);
  const open = 'select s.id from sessions s join users u on u.id = s.user_id where u.email = $1';
  expect(await world.neon.query(open, [email])).toEqual([]);
});

test('the page after it, in a browser that did not connect, claims nothing', async () => {
  const tab = await openTab('/oauth/connected?flow=theirs');
  expect(await titleOf(tab)).toBe('You can close this page');
  await inspect(tab, 'consent-connected-elsewhere');
});
