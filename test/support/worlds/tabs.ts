/**
 * Opens pages in a real Chromium. A suite in `test/pages` looks like this:
 *
 *     pagesSuite();                                     // heals the world, closes tabs, fails on browser complaints
 *
 *     test('the page of …', async () => {
 *       const tab = await openTab('/me', { as: email });  // signs in through Google's page; without `as` a stranger
 *       await inspect(tab, 'me');                         // axe, width, weight, screenshots: light and dark, 360 and 1280
 *       expect(await tab.roundTrips()).toMatchObject({ neon: 1 });
 *       await tabTo(tab, 'Save');                         // by keyboard alone, to the element of this name
 *       await tab.page.keyboard.press('Enter');
 *     });
 *
 * `test/support/checks/forms.ts` has the requests to try on every form: sent twice, stale, from another site, with
 * hostile text. `SCREENSHOTS` names a folder for screenshots. `tab.page` is Playwright's page.
 * `await settled(tab, () => …)` waits for the page that follows.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page, type Response } from 'playwright-core';
import { afterEach, expect, inject } from 'vitest';
import { healAfterEach, world } from './world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Folder of the screenshots, which are for people to look at. Without it, none are taken. */
const { SCREENSHOTS } = process.env;
const LARGEST_BYTES = 30 * 1024;
/** Part of a page that a screenshot shows. After one of a much longer page, Chromium cannot take another. */
const TOP = { x: 0, y: 0, height: 16_000 };
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1280] as const;

export type Tab = ReturnType<typeof watched>;

interface TabOptions {
  /** Address of the person who signs in first. */
  as?: string;
  /** False to show that a page works without JavaScript. Only the docs, the dashboard and the page of a proposal have any. */
  javaScript?: boolean;
  /** Time zone of the browser; that of the machine if absent. */
  timeZone?: string;
  /** Language of the browser, which counts 24 hours if absent. */
  language?: string;
}

const shared = globalThis as { tandemBrowser?: Promise<Browser> };
let open: Tab[] = [];

export function pagesSuite(): void {
  healAfterEach();
  afterEach(async () => {
    const [tabs, complaints] = [open, open.flatMap((tab) => tab.complaints)];
    open = [];
    for (const { page } of tabs) await page.context().close();
    expect(complaints, 'what the browser complained of').toEqual([]);
  });
}

export async function openTab(
  path: string,
  { as, javaScript = true, timeZone, language = 'en-GB' }: TabOptions = {},
): Promise<Tab> {
  shared.tandemBrowser ??= chromium.connect(inject('chromium'));
  const browser = await shared.tandemBrowser;
  const context = await browser.newContext({
    javaScriptEnabled: javaScript,
    locale: language,
    ...(timeZone === undefined ? {} : { timezoneId: timeZone }),
    // Rate limits by address count people, not test runs, so each tab has its own address.
    extraHTTPHeaders: { 'cf-connecting-ip': `198.19.${randomInt(256)}.${randomInt(1, 255)}` },
  });
  const tab = watched(await context.newPage());
  open.push(tab);
  if (as !== undefined) await signIn(tab, as);
  await tab.page.goto(new URL(path, world.baseUrl).href);
  return tab;
}

export async function signIn(tab: Tab, email: string): Promise<void> {
  await tab.page.goto(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(email)}`);
  await allowAtGoogle(tab, email);
}

/** Chooses the account on Google's page and allows everything except the named scopes. */
export async function allowAtGoogle({ page }: Tab, email: string, { without = [] as string[] } = {}): Promise<void> {
  await page.locator(`input[name=email][value="${email}"]`).check();
  for (const scope of without) await page.locator(`input[name=granted][value$="${scope}"]`).uncheck();
  await settled({ page }, () => page.locator('button[value=allow]').click());
}

export async function settled({ page }: Pick<Tab, 'page'>, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()]);
}

function watched(page: Page) {
  const complaints: string[] = [];
  let last: Response | undefined;
  page.on('response', (response) => {
    const request = response.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame() && response.status() < 300)
      last = response;
    else if (response.status() >= 400) last = response;
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const answer = () => {
    if (last === undefined) throw new Error('no page is open');
    return last;
  };
  return {
    page,
    /** Complaints of the browser: console errors except failed statuses, scripts that failed, and dialogs. */
    complaints,
    /** Answer that loaded the open page. */
    answer,
    /** Calls that the open page caused, by target. */
    async roundTrips() {
      const id = answer().headers()['x-request-id'];
      const calls = () => world.traffic.list().filter(({ request_id }) => request_id === id);
      await expect.poll(() => calls().every(({ end }) => end !== null)).toBe(true);
      const counts: Record<string, number> = { neon: 0, redis: 0, google: 0, qstash: 0 };
      for (const { target } of calls()) counts[target] = (counts[target] ?? 0) + 1;
      return counts;
    },
  };
}

/**
 * Inspects the open page in light and dark, on a phone and a desk. The page must have one heading of the first rank and
 * no findings of axe. It must not scroll sideways, and must have at most 30 KB and load no other files but `loads`.
 */
export async function inspect(tab: Tab, name: string, { loads = [] as string[] } = {}): Promise<void> {
  const { page } = tab;
  expect(gzipSync(await tab.answer().body()).length, `${name}: bytes`).toBeLessThan(LARGEST_BYTES);
  expect(await page.locator('h1').count(), `${name}: headings`).toBe(1);
  const loaded = 'performance.getEntriesByType("resource").map(({ name }) => name)';
  expect(await page.evaluate(loaded), `${name}: loaded beside`).toEqual(loads);
  if (SCREENSHOTS !== undefined) await mkdir(SCREENSHOTS, { recursive: true });
  for (const colorScheme of SCHEMES)
    for (const width of WIDTHS) {
      const variant = `${name}-${colorScheme}-${width}`;
      await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
      await page.emulateMedia({ colorScheme });
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: join(SCREENSHOTS, `${variant}.png`), fullPage: true, clip: { ...TOP, width } });
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(sideways, `${variant}: too wide by`).toBe(0);
      const found = await axe(page);
      expect(found.length, [`${variant}: axe finds`, ...found].join('\n')).toBe(0);
    }
}

/** Lists axe's findings on the open page, by WCAG 2.2 AA and axe's own best practices: rule, place and reason. */
async function axe(page: Page): Promise<string[]> {
  // The debugger evaluates axe, so the page's content policy does not block it.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' at ' + target.join(' ') + ': ' + failureSummary)))`);
}

/** Finds parts of a page that exist only if the page treated a stranger's text as its own markup. */
export const strangeParts = ({ page }: Tab): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('script, img, iframe, object, embed, [style], [onerror], [onclick], a[href^="javascript:"]')]
    .map((element) => element.outerHTML.slice(0, 200))`);

const FOCUS = `(() => {
  const at = document.activeElement;
  const label = at.labels?.[0]?.innerText ?? at.getAttribute('aria-label') ?? at.innerText ?? '';
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  return { name: label.trim().replaceAll(/\\s+/g, ' '), isBody: at === document.body, isSeen: outlineStyle !== 'none' && outlineWidth !== '0px' };
})()`;

/**
 * Presses Tab until the element of this name has the focus. Checks that each stop is visible, and fails if the element
 * is never reached.
 */
export async function tabTo({ page }: Tab, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  const isIt = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let stops = 0; stops < 200; stops += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<{ name: string; isBody: boolean; isSeen: boolean }>(FOCUS);
    if (at.isBody) break;
    expect(at.isSeen, `the focus at "${at.name}" can be seen`).toBe(true);
    if (isIt(at.name)) return;
    passed.push(at.name);
  }
  throw new Error(`Tab does not lead to ${name}, only to: ${passed.join(' | ')}`);
}
