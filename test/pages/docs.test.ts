import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSETS, packagePath } from '../../functions/cli/assets.ts';
import { VERSION } from '../../functions/cli/release.ts';
import { GROUPS } from '../../functions/http/groups.ts';
import { addressOf, PAGE_NAMES } from '../../functions/pages/docs/pages.ts';
import type { Place } from '../../functions/pages/docs/prerender.tsx';
import { ERROR_CODES } from '../../schema/api/http-errors.ts';
import { EVENT_TYPES } from '../../schema/api/webhook-events.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { bookable, liveEvents } from '../support/people/meetings.ts';
import { inspect, openTab, pagesSuite, settled, strangeParts, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

const dialogOf = ({ page }: Tab) => page.getByRole('dialog', { name: 'Search the documentation' });

/** Opens the search with the key `/` and types a query. Returns the addresses of the results, best first. */
async function find(tab: Tab, query: string): Promise<string[]> {
  await tab.page.keyboard.press('/');
  await dialogOf(tab).getByRole('searchbox').fill(query);
  await expect.poll(() => dialogOf(tab).getByRole('status').textContent()).toMatch(/place|No page/);
  return dialogOf(tab)
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

test.each([
  ['idempotency', '/docs/idempotency'],
  ['calendar_reconnect_required', '/docs/errors#calendar_reconnect_required'],
  ['meeting.cancelled', '/docs/events/meeting.cancelled'],
  ['/v1/availability', '/docs/reference/findAvailability'],
  ['POST /v1/schedule', '/docs/reference/scheduleMeeting'],
  ['Webhooks', '/docs/webhooks'],
  ['bulk', '/docs/rounds'],
  ['gdpr', '/docs/data'],
  ['retention', '/docs/data'],
  ['pricing', '/docs/limits'],
  ['sdk', '/docs/client'],
  ['sandbox', '/docs/testing'],
  ['backoff', '/docs/webhooks'],
  ['outlook', '/docs/concepts'],
  ['import csv', '/docs/rounds'],
  ['slot taken', '/docs/slot-taken'],
  ['calcom', '/docs/from-cal-com'],
  ['migrate', '/docs/from-cal-com'],
  ['nylas', '/docs/from-nylas'],
])('%s brings the right section first', async (query, first) => {
  const found = await find(await openTab('/docs'), query);
  expect(found[0], found.join('\n')).toBe(first);
});

test('everything with a name is a place to find: pages, operations, events, errors and fields', () => {
  const places = JSON.parse(readFileSync(join(ASSETS, 'pages/docs/places.json'), 'utf8')) as Place[];
  const addresses = places.map(({ to }) => to);
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const name of PAGE_NAMES) expect(addresses).toContain(addressOf(name));
  for (const code of ERROR_CODES) expect(addresses).toContain(`/docs/errors#${code}`);
  for (const type of EVENT_TYPES) expect(addresses).toContain(`/docs/events/${type}`);
  for (const { id, method, path } of GROUPS.flatMap(({ operations }) => operations)) {
    const names = `${method.toUpperCase()} ${path} ${id}`;
    expect(places.find((place) => place.names === names)?.to).toBe(`/docs/reference/${id}`);
  }
  const [response] = places.filter(({ to }) => to === '/docs/reference/findAvailability#response-200');
  expect(response?.text).toContain('slots[].attendees[].timezone');
  for (const { to, title, text } of places)
    expect([to, `${title}${text}`]).toEqual([
      to,
      expect.not.stringMatching(/<\/(?:p|td|code)>|<(?:p|td|code|span)[ >]|&(?:lt|gt|quot|amp);/),
    ]);
});

test('the keyboard alone leads to a result: / opens, arrows choose, Enter goes, and words are shown around the hit', async () => {
  const tab = await openTab('/docs/concepts');
  await find(tab, 'idempotency');
  const focused = () =>
    tab.page.evaluate<string>('document.activeElement.getAttribute("href") ?? document.activeElement.type');
  await tab.page.keyboard.press('ArrowUp');
  await tab.page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('search');
  await tab.page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('/docs/idempotency');
  await tab.page.keyboard.press('ArrowUp');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await tab.page.locator('h1').textContent()).toBe('Idempotency and retries');
  await find(tab, 'printable ascii');
  expect(await dialogOf(tab).locator('a').first().textContent()).toMatch(/printable ASCII/);
  expect(await dialogOf(tab).locator('mark').allTextContents()).toEqual(expect.arrayContaining(['printable', 'ASCII']));
  // The first Escape empties the field.
  for (let i = 0; i < 2; i++) await tab.page.keyboard.press('Escape');
  await expect.poll(() => dialogOf(tab).isVisible()).toBe(false);
});

test('a result on the open page closes the search and goes there', async () => {
  const tab = await openTab('/docs/conventions');
  await find(tab, 'whose zone counts');
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => new URL(tab.page.url()).hash).toBe('#whose-zone-counts');
  expect(await dialogOf(tab).isVisible()).toBe(false);
});

test('what is typed is only text, and what nothing has is said', async () => {
  const tab = await openTab('/docs');
  expect(await find(tab, '<img src=x onerror=alert(1)> (.*[')).toEqual([]);
  expect(await dialogOf(tab).getByRole('status').textContent()).toBe('No page has all of these words.');
});

test('the search is for everybody, on a phone and a desk, in light and dark', async () => {
  const tab = await openTab('/docs/idempotency');
  await tab.page.getByRole('button', { name: 'Search' }).click();
  await dialogOf(tab).getByRole('searchbox').fill('webhook');
  await expect.poll(() => dialogOf(tab).locator('a').count()).toBe(12);
  await inspect(tab, 'docs-search', { loads: [new URL('/docs/places.json', tab.page.url()).href] });
});

test('without scripts there is no search that does nothing', async () => {
  const { page } = await openTab('/docs', { javaScript: false });
  expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(0);
  expect(await page.locator('dialog').isVisible()).toBe(false);
});

const PAGES = [
  ...['/', ...PAGE_NAMES.map(addressOf)],
  ...['/docs/reference/scheduling', '/docs/reference/updatePreferences', '/docs/events/meeting.updated'],
  ...['/privacy', '/terms'],
];

const OVERHANGING = `[...document.querySelectorAll('table')]
  .filter((one) => one.scrollWidth > one.parentElement.clientWidth)
  .map((one) => one.textContent.slice(0, 60))`;

test.each(PAGES)('%s is for everybody', async (path) => {
  const tab = await openTab(path);
  await inspect(tab, path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'));
  expect(await tab.page.evaluate(OVERHANGING), 'tables that run under what is beside them').toEqual([]);
  expect(await tab.roundTrips()).toMatchObject({ neon: 0, google: 0 });
});

test('the way around goes by keyboard: past the links to the content, or along them', async () => {
  const tab = await openTab('/docs');
  await tabTo(tab, 'Skip to the content');
  await tab.page.keyboard.press('Enter');
  expect(await tab.page.evaluate('document.activeElement.id')).toBe('main');
  await tab.page.goto(new URL('/docs', tab.page.url()).href);
  await tabTo(tab, 'How Tandem works');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await tab.page.locator('h1').textContent()).toBe('How Tandem works');
  expect(await tab.page.locator('[aria-current]').textContent()).toBe('How Tandem works');
});

test('a language chosen in one block is shown in all blocks, and on the next page', async () => {
  const tab = await openTab('/docs/search');
  const shown = () =>
    tab.page.locator('.tabs pre:visible').evaluateAll((all) => all.map((one) => one.dataset.language));
  expect(new Set(await shown())).toEqual(new Set(['sh']));
  await tab.page.locator('.tabs').nth(1).getByLabel('Python').check();
  expect(new Set(await shown())).toEqual(new Set(['python']));
  await tab.page.goto(new URL('/docs/rounds', tab.page.url()).href);
  await expect.poll(async () => [...new Set(await shown())]).toEqual(['python']);
});

test('without scripts, the tabs of each block work, and no button does nothing', async () => {
  const tab = await openTab('/docs/search', { javaScript: false });
  await tab.page.locator('.tabs').first().getByLabel('Python').check();
  expect(await tab.page.locator('.tabs').first().locator('pre:visible').textContent()).toContain('urllib.request');
  expect(await tab.page.locator('.copy').count()).toBe(0);
});

test('the button beside code copies what is shown', async () => {
  const tab = await openTab('/docs/search');
  await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab.page.locator('.tabs').first().getByLabel('curl').check();
  await tab.page.locator('.tabs .copy').first().click();
  await expect.poll(() => tab.page.locator('.tabs .copy').first().textContent()).toBe('Copied');
  const copied = await tab.page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(await tab.page.locator('.tabs pre:visible').first().textContent());
});

test('on a phone, a button opens the list of pages', async () => {
  const tab = await openTab('/docs');
  await tab.page.setViewportSize({ width: 360, height: 780 });
  const link = tab.page.locator('.contents a', { hasText: /^Webhooks$/ });
  expect(await link.isVisible()).toBe(false);
  await tab.page.getByRole('button', { name: 'All pages' }).click();
  await settled(tab, () => link.click());
  expect(await tab.page.locator('h1').textContent()).toBe('Webhooks');
});

test('the old address of an operation leads to its page, and the outline to a section', async () => {
  const tab = await openTab('/docs/reference/scheduling#findAvailability');
  await expect.poll(() => new URL(tab.page.url()).pathname).toBe('/docs/reference/findAvailability');
  await tab.page.goto(new URL('/docs/webhooks', tab.page.url()).href);
  await tab.page.locator('.outline a', { hasText: 'What if my server was down?' }).click();
  expect(new URL(tab.page.url()).hash).toBe('#what-if-my-server-was-down');
});

test.each([
  ['text that is too pale', 'document.querySelector("main p").style.color = "#ccc"', /color-contrast/],
  [
    'a field without a label',
    'document.querySelector("main").append(document.createElement("input"))',
    /label at .*input/,
  ],
  ['what is wider than a phone', 'document.querySelector("h1").style.width = "500px"', /too wide by/],
  [
    'a second heading of the first rank',
    'document.querySelector("main").append(document.createElement("h1"))',
    /headings/,
  ],
])('%s is found', async (_name, damage, finding) => {
  const tab = await openTab('/docs/idempotency');
  await tab.page.evaluate(damage);
  await expect(inspect(tab, 'damaged')).rejects.toThrow(finding);
});

test('what the policy of a page stops is complained of', async () => {
  const tab = await openTab('/privacy');
  await tab.page.evaluate('document.querySelector("main").innerHTML = "<p style=color:red>x</p>"');
  await expect.poll(() => tab.complaints).toEqual([expect.stringContaining('Content Security Policy')]);
  expect(await strangeParts(tab)).toEqual(['<p style="color:red">x</p>']);
  tab.complaints.length = 0;
});

test('a focus that cannot be seen is found, and a name that Tab never reaches', async () => {
  const tab = await openTab('/docs/idempotency');
  await expect(tabTo(tab, 'Nowhere')).rejects.toThrow('Tab does not lead to Nowhere, only to: Skip to the content');
  await tab.page.evaluate('document.querySelector("nav a").style.outline = "none"');
  await expect(tabTo(tab, 'Concepts')).rejects.toThrow('the focus at "Dashboard" can be seen');
});

/** Program of a page: `book` books the first free time, and `tell` returns what the client makes of mistakes. */
const PROGRAM = `
import { createTandem, verifyWebhook } from './package/client/tandem.js';
window.book = async ({ attendees, ...options }) => {
  const tandem = createTandem({ ...options, retries: 0 });
  try {
    const { slots: [{ start_time }] } = await tandem.findAvailability({ attendees });
    return (await tandem.scheduleMeeting({ attendees, start_time, duration_minutes: 30, title: 'Intro' })).meeting_id;
  } catch (error) {
    return error.name + ': ' + error.message;
  }
};
window.tell = async ({ apiKey, baseUrl, webhook }) => {
  const told = async (options, ask = (tandem) => tandem.getMeeting('meet_1')) => {
    try {
      return await ask(createTandem({ apiKey, baseUrl, ...options }));
    } catch (error) {
      return [error.name, error.status, error.message].join(' ');
    }
  };
  return {
    webhook: await verifyWebhook(webhook),
    'wrong key': await told({ apiKey: apiKey.slice(0, -3) }),
    'a page': await told({ baseUrl: baseUrl + '/guest-network' }),
    'no number': await told({ timeoutSeconds: NaN }),
  };
};`;

const folder = mkdtempSync(join(tmpdir(), 'tandem-page-'));
let html = '';
beforeAll(() => {
  execFileSync('tar', ['-xzf', join(ASSETS, packagePath(VERSION)), '-C', folder]);
  const stdin = { contents: PROGRAM, resolveDir: folder };
  const { outputFiles } = buildSync({ stdin, bundle: true, platform: 'browser', format: 'esm', write: false });
  html = `<!doctype html><title>Page of a platform</title><script type="module">${outputFiles[0]?.text}</script>`;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function programAt(origin: string) {
  const { page, complaints } = await openTab('/docs');
  await page.route(`${origin}/program`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route('**/guest-network/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  );
  await page.goto(`${origin}/program`);
  const call = <Said>(name: 'book' | 'tell', asked: object) =>
    page.evaluate(
      ({ name, asked }) => (globalThis as never as Record<string, (asked: object) => Said>)[name]?.(asked),
      { name, asked },
    );
  return { call, complaints };
}

async function bookFrom(origin: string) {
  const { platform, ada, bob } = await bookable();
  const { call, complaints } = await programAt(origin);
  const attendees = [ada.email, bob.email];
  const said = await call<string>('book', { apiKey: platform.secret_key, baseUrl: world.baseUrl, attendees });
  return { said, email: ada.email, complaints };
}

test('the client from its package books in a page of the API’s origin', async () => {
  const { said, email } = await bookFrom(world.baseUrl);
  expect(said).toMatch(/^meet_/);
  expect(liveEvents(email)).toHaveLength(1);
});

test('in a page of another origin, where the browser blocks the call, it says so', async () => {
  const { said, email, complaints } = await bookFrom('http://platform.test');
  expect(said).toBe(
    `TandemConnectionError: ${world.baseUrl} could not be reached or did not answer in time. Browsers block calls from pages of another origin. Call Tandem from your server, which keeps the key.`,
  );
  expect(liveEvents(email)).toEqual([]);
  expect(complaints.splice(0).join()).toContain('CORS');
});

test('in a page it verifies a webhook, and tells mistakes at once and as what they are', async () => {
  const { platform, body } = await bookable();
  await platform.api.schedule(body);
  const [delivery] = await webhooksOf(platform);
  const { headers, body_text } = delivery ?? {};
  const secret = platform.webhook_secret;
  const { call, complaints } = await programAt(world.baseUrl);
  const webhook = { secret, headers, body: body_text, now: world.clock.now() };
  expect(await call('tell', { apiKey: platform.secret_key, baseUrl: world.baseUrl, webhook })).toEqual({
    webhook: { ok: true, event: JSON.parse(body_text ?? '') },
    'wrong key': expect.stringMatching(/^TandemError 401 The API key in the header Authorization is not valid\./),
    'a page': expect.stringMatching(/^TandemError 200 The server answered with status 200 and no JSON\./),
    'no number': expect.stringMatching(/^TypeError {2}`timeoutSeconds` must be a number/),
  });
  expect(complaints).toEqual([]);
});
