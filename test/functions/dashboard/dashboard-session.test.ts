import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import type { Page } from '../../local/browser.ts';
import { formIn, send } from '../../support/checks/forms.ts';
import { times } from '../../support/people/calendars.ts';
import {
  asThief,
  atDashboard,
  auditOf,
  expectSaid,
  freshDashboard,
  headingOf,
  linkFor,
  lookingAt,
  newBrowser,
  visit,
  wordsOf,
} from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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

  test('opens nothing once it was changed', async () => {
    const link = new URL(await linkFor(await freshPlatform()));
    const text = link.searchParams.get('link') ?? '';
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
  test('lasts twelve hours, and then says so, who can make a new link, and that a form changed nothing', async () => {
    const { browser, page } = await freshDashboard();
    await world.advance(12 * 3_600_000 - 60_000);
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(OPEN);
    await world.advance(61_000);
    const said =
      'This browser has no session, or it has expired or was ended. A session lasts 12 hours. It ends earlier if somebody signs out everywhere or replaces the secret key. Whoever runs your company’s server, or anybody with the secret key, can make a new link with POST /v1/platform/dashboard-link';
    const late = await visit(browser, '/dashboard/meetings');
    expectSaid(late, 401, `You are not signed in ${said}`);
    const sent = await browser.submit(page, '/dashboard/sign-out');
    expectSaid(sent, 401, `Nothing was changed. ${said}`);
  });
});

const TEN_MINUTES = 600_000;

const keyIn = ({ html }: Page) => /(sk_live_[\w-]{53})/.exec(html)?.[1];

describe('a cookie that was copied', () => {
  test('opens nothing once its person signed out, and cannot replace the key; nor does the link that led in', async () => {
    const platform = await freshPlatform();
    const browser = newBrowser();
    const link = await browser.open(await linkFor(platform));
    const page = await browser.submit(link, '/dashboard/enter');
    const cookie = browser.cookiesFor(world.baseUrl);
    expect(await asThief(cookie, '/dashboard')).toBe(OPEN);
    const asked = await visit(browser, '/dashboard/keys/regenerate');
    const form = formIn(browser, asked, '/dashboard/keys/regenerate');
    await browser.submit(page, '/dashboard/sign-out');
    expect(await asThief(cookie, '/dashboard')).toBe(CLOSED);
    const replaced = await send({ ...form, cookie });
    expect([replaced.status, headingOf(replaced)]).toEqual([401, CLOSED]);
    expect(headingOf(await browser.submit(link, '/dashboard/enter'))).toBe(NO_ENTRY);
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
  test('opens the pages and changes nothing', async () => {
    const { browser, asked, page } = await lookingAt(await freshPlatform());
    expect(wordsOf(asked)).toContain('This link lets you change nothing.');
    expect(wordsOf(page)).toContain('(read only)');
    const refused = await browser.submit(await visit(browser, '/dashboard/keys'), '/sign-out-everywhere');
    expectSaid(refused, 403, 'you opened the dashboard with a read-only link');
    expect(headingOf(await browser.submit(page, '/dashboard/sign-out'))).toBe('You are signed out');
    expect(headingOf(await visit(browser, '/dashboard'))).toBe(CLOSED);
  });

  test.each([{ access: 'read_only' }, { read_only: 'yes' }, { read_only: 1 }])('is refused as %j', async (asked) => {
    const { api } = await freshPlatform();
    const { status, body } = await api.send('POST', '/v1/platform/dashboard-link', asked);
    expect([status, body]).toMatchObject([400, { field: Object.keys(asked)[0] }]);
  });
});

describe('ten minutes after its link was made, a session', () => {
  test('cannot replace the key; with a new link it can, and stays open', async () => {
    const { platform, browser } = await freshDashboard();
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
    const { platform, browser } = await freshDashboard();
    const asked = await visit(browser, path);
    await world.advance(11 * HOUR);
    const refused = await browser.submit(asked, action, change);
    expectSaid(refused, 403, 'Get a new dashboard link');
    const fresh = await atDashboard(platform);
    expect((await fresh.browser.submit(await visit(fresh.browser, path), action, change)).status).toBe(200);
  });

  test('cannot change the endpoint’s address, and can change the rest', async () => {
    const { platform, browser } = await freshDashboard();
    await world.advance(TEN_MINUTES + 1_000);
    const page = await visit(browser, '/dashboard/webhooks/endpoint');
    const refused = await browser.submit(page, '/webhooks/endpoint', { url: `${platform.webhookUrl}/other` });
    expectSaid(refused, 403, 'Get a new dashboard link');
    const saved = await browser.submit(page, '/webhooks/endpoint', { max_retries: '2', events: ['meeting.cancelled'] });
    expect(wordsOf(saved)).toContain('The webhook is saved. Its secret has not changed.');
    const { body } = await platform.api.send('GET', '/v1/platform/webhook');
    expect(body).toMatchObject({ url: platform.webhookUrl, max_retries: 2, events: ['meeting.cancelled'] });
  });
});

test.each([
  [{ keep: 'on' }, {}, 'The old key works for 24 more hours.', 200],
  [{}, { keep: 'on' }, 'The old key no longer works.', 401],
])('sending %j, and then the same form with %j, tells what the first did', async (first, second, told, status) => {
  const { platform, browser } = await freshDashboard();
  const asked = await visit(browser, '/dashboard/keys/regenerate');
  const made = await browser.submit(asked, '/regenerate', first);
  const again = await browser.submit(asked, '/regenerate', second);
  expect([keyIn(again), wordsOf(again)]).toEqual([keyIn(made), expect.stringContaining(told)]);
  expect((await platform.api.calendars()).status).toBe(status);
});
