import { describe, expect, test } from 'vitest';
import { formsOf, type Page } from '../../local/browser.ts';
import { times } from '../../support/people/calendars.ts';
import { atDashboard, linkFor, newBrowser, visit, wordsOf } from '../../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const headingOf = ({ html }: Page) => /<h1>(.*?)<\/h1>/.exec(html)?.[1];
const OPEN = 'Overview';
const NO_ENTRY = 'This link does not open the dashboard';
const CLOSED = 'You are not signed in';

const regenerate = async ({ api }: TestPlatform) => {
  const { status, body } = await api.send('POST', '/v1/platform/regenerate-key');
  expect(status).toBe(200);
  return (body as { api_key: string }).api_key;
};

describe('a link into the dashboard', () => {
  test('says until when it works, and opens the dashboard', async () => {
    const platform = await freshPlatform();
    const made = await platform.api.send('POST', '/v1/platform/dashboard-link');
    const { url, expires_at } = made.body as { url: string; expires_at: string };
    expect(Math.abs(Date.parse(expires_at) - world.clock.now() - 600_000)).toBeLessThanOrEqual(5_000);
    const browser = newBrowser();
    const asked = await browser.open(url);
    expect([asked.status, headingOf(asked)]).toEqual([200, 'The dashboard of Test platform']);
    const opened = await browser.submit(asked, '/dashboard/enter');
    expect([opened.status, opened.url, headingOf(opened)]).toEqual([200, `${world.baseUrl}/dashboard`, OPEN]);
  });

  test('is not used up by looking at it, as robots do', async () => {
    const link = await linkFor(await freshPlatform());
    for (const method of ['GET', 'HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200);
    const browser = newBrowser();
    expect(headingOf(await browser.submit(await browser.open(link), '/dashboard/enter'))).toBe(OPEN);
  });

  test('works in one browser alone, however many come at once, and there as often as its button is pressed', async () => {
    const link = await linkFor(await freshPlatform());
    const browsers = await times(4, async () => {
      const browser = newBrowser();
      return { browser, asked: await browser.open(link) };
    });
    const pressed = await Promise.all(
      browsers.flatMap(({ browser, asked }) => times(2, () => browser.submit(asked, '/dashboard/enter'))),
    );
    const headings = pressed.flat().map(headingOf);
    expect(headings.toSorted()).toEqual([...Array(2).fill(OPEN), ...Array(6).fill(NO_ENTRY)]);
  });

  test('works for ten minutes', async () => {
    const platform = await freshPlatform();
    const browser = newBrowser();
    const [late, asked] = [await linkFor(platform), await browser.open(await linkFor(platform))];
    await world.advance(601_000);
    expect([(await browser.open(late)).status, headingOf(await browser.open(late))]).toEqual([400, NO_ENTRY]);
    expect(headingOf(await browser.submit(asked, '/dashboard/enter'))).toBe(NO_ENTRY);
  });

  test('opens nothing once its secret key was replaced', async () => {
    const platform = await freshPlatform();
    const browser = newBrowser();
    const link = await linkFor(platform);
    const asked = await browser.open(link);
    await regenerate(platform);
    expect(headingOf(await browser.open(link))).toBe(NO_ENTRY);
    expect(headingOf(await browser.submit(asked, '/dashboard/enter'))).toBe(NO_ENTRY);
  });

  test('opens nothing from a page of another site, nor with a link that was changed', async () => {
    const link = new URL(await linkFor(await freshPlatform()));
    const text = link.searchParams.get('link') ?? '';
    const elsewhere = await fetch(`${world.baseUrl}/dashboard/enter`, {
      method: 'POST',
      body: new URLSearchParams({ link: text, token: 'abc' }),
      redirect: 'manual',
    });
    expect([elsewhere.status, elsewhere.headers.getSetCookie()]).toEqual([400, []]);
    for (const changed of ['', 'x', `${text}x`, text.replace(/\.[^.]+$/, '.')]) {
      link.searchParams.set('link', changed);
      expect((await fetch(link)).status).toBe(400);
    }
  });

  test('works once even if Redis forgets everything, or does not answer', async () => {
    const link = await linkFor(await freshPlatform());
    const [first, second] = [newBrowser(), newBrowser()];
    const [asked, late] = [await first.open(link), await second.open(link)];
    world.faults.add({ target: 'redis', mode: 'reset' });
    expect(headingOf(await first.submit(asked, '/dashboard/enter'))).toBe(OPEN);
    expect(headingOf(await second.submit(late, '/dashboard/enter'))).toBe(NO_ENTRY);
    world.faults.clear();
    await world.redis.flush();
    expect(headingOf(await second.submit(late, '/dashboard/enter'))).toBe(NO_ENTRY);
    expect(headingOf(await visit(first, '/dashboard'))).toBe(OPEN);
  });

  test('leads nowhere while the database does not answer, and works after', async () => {
    const link = await linkFor(await freshPlatform());
    const browser = newBrowser();
    const asked = await browser.open(link);
    world.faults.add({ target: 'neon', mode: 'after', body_match: 'browser', times: 1 });
    expect((await browser.submit(asked, '/dashboard/enter')).status).toBe(500);
    expect(headingOf(await browser.submit(asked, '/dashboard/enter'))).toBe(OPEN);
  });
});

describe('a session of the dashboard', () => {
  test('is a cookie that no script reads and no other site sends, and nothing is kept of its pages', async () => {
    const browser = newBrowser();
    const asked = await browser.open(await linkFor(await freshPlatform()));
    const [cookie = ''] = (await fetch(asked.url)).headers.getSetCookie();
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const answer = await fetch(`${world.baseUrl}/dashboard`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });

  test('lasts twelve hours', async () => {
    const { browser } = await atDashboard(await freshPlatform());
    await world.advance(12 * 3_600_000 - 60_000);
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(OPEN);
    await world.advance(61_000);
    expect([(await visit(browser, '/dashboard')).status, headingOf(await visit(browser, '/dashboard'))]).toEqual([
      401,
      CLOSED,
    ]);
  });

  test('that has expired says so, who can make a new link, and that a form changed nothing', async () => {
    const { browser, page } = await atDashboard(await freshPlatform());
    await world.advance(12 * 3_600_000 + 1_000);
    const said =
      'This browser has no session, or it has expired or was ended. A session lasts 12 hours. It ends earlier if somebody signs out everywhere or replaces the secret key. Whoever runs your company’s server, or anybody with the secret key, can make a new link with POST /v1/platform/dashboard-link';
    const late = await visit(browser, '/dashboard/meetings');
    expect([late.status, wordsOf(late).includes(`You are not signed in ${said}`)]).toEqual([401, true]);
    const sent = await browser.submit(page, '/dashboard/sign-out');
    expect([sent.status, wordsOf(sent).includes(`Nothing was changed. ${said}`)]).toEqual([401, true]);
  });

  test('ends with the secret key, in every browser at once', async () => {
    const platform = await freshPlatform();
    const [one, two] = [await atDashboard(platform), await atDashboard(platform)];
    await regenerate(platform);
    for (const { browser } of [one, two, one]) expect(headingOf(await visit(browser, '/dashboard'))).toBe(CLOSED);
  });

  test('ends when its person signs out, and the link that led in leads there no more', async () => {
    const browser = newBrowser();
    const asked = await browser.open(await linkFor(await freshPlatform()));
    const page = await browser.submit(asked, '/dashboard/enter');
    expect(headingOf(await browser.submit(page, '/dashboard/sign-out'))).toBe('You are signed out');
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(CLOSED);
    expect(headingOf(await browser.submit(asked, '/dashboard/enter'))).toBe(NO_ENTRY);
    expect(headingOf(await browser.submit(page, '/dashboard/sign-out'))).toBe(CLOSED);
  });

  test('is not ended by a form without its token, or with that of another session', async () => {
    const { browser, page } = await atDashboard(await freshPlatform());
    const other = await atDashboard(await freshPlatform());
    const foreign = formsOf(other.page)[0]?.fields.get('csrf') ?? '';
    for (const csrf of ['', 'abc', foreign])
      expect((await browser.submit(page, '/dashboard/sign-out', { csrf })).status).toBe(403);
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(OPEN);
  });
});
