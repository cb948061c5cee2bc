import { describe, expect, test } from 'vitest';
import { STAYS } from '../../../lib/kit/kept-for.ts';
import { clockIn } from '../../../lib/words/people.ts';
import { type Browser, createBrowser, formsOf, type Page } from '../../local/browser.ts';
import { formIn, send, withFields } from '../../support/checks/forms.ts';
import {
  eventsOf,
  grantOf,
  listed,
  NO_GRANT,
  revokeCalls,
  times,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { asThief, atDashboard, auditOf, headingOf, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import {
  adaAtHome,
  asksToDisconnect,
  confirmDisconnect,
  deleteOnPage,
  disconnect,
  offered,
  userIdOf,
} from '../../support/people/person-data.ts';
import { adaWithTwo } from '../../support/people/signing-in.ts';
import { errorAt } from '../../support/people/why.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const home = (browser: Browser) => browser.open(`${world.baseUrl}/me`);
const count = async (platform: Parameters<typeof listed>[0]) => (await listed(platform)).count;

describe('a person’s own page', () => {
  test('lists the platforms with access and no other', async () => {
    const { platform, other, page } = await adaAtHome();
    expect(offered(page).sort()).toEqual([platform.id, other.id].sort());
    expect(
      page.html.match(/<bdi>Test platform<\/bdi>.*?Since \w{3} \d+ \w{3}<br\/>Last used \w{3} \d+ \w{3}</g),
    ).toHaveLength(2);
  });

  test('ends one platform’s access and leaves the other’s: only that one is told, and the grant stays', async () => {
    const { platform, other, ada, browser } = await adaAtHome();
    const bob = await connectedPerson(other, { name: 'bob' });
    world.traffic.clear();
    const after = await disconnect(browser, platform);
    expect([after.status, new URL(after.url).pathname]).toEqual([200, '/me']);
    expect(offered(after)).toEqual([other.id]);
    const [event] = await eventsOf(platform, DISCONNECTED);
    expect(event?.body.data).toMatchObject({ user_email: ada.email, reason: 'user_requested' });
    expect(await writtenEvents(other, DISCONNECTED)).toBe(0);
    expect(await count(platform)).toBe(0);
    expect(revokeCalls()).toEqual([]);
    expect((await other.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(404);
  });

  test('asks first, and only of a platform that has access', async () => {
    const { platform, other, browser } = await adaAtHome();
    const asked = await asksToDisconnect(browser, platform);
    expect(asked.html).toContain('<h1>Disconnect \u2068Test platform\u2069?</h1>');
    await disconnect(browser, other);
    for (const gone of [other, { id: 'plat_none' }]) {
      const after = await asksToDisconnect(browser, gone);
      expect([after.status, new URL(after.url).pathname]).toEqual([200, '/me']);
    }
    expect(await count(platform)).toBe(1);
  });

  test('revokes the grant with the last one', async () => {
    const { platform, other, ada, browser } = await adaAtHome();
    await disconnect(browser, platform);
    world.traffic.clear();
    const after = await disconnect(browser, other);
    expect(after.html).toContain('No platform has access to your calendar');
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });

  test('changes nothing by a form that is old: the grant that was given since stays', async () => {
    const { platform, other, ada, browser } = await adaAtHome();
    const old = await asksToDisconnect(browser, platform);
    for (const one of [platform, other]) await disconnect(browser, one);
    await world.connectCalendar(other, ada.email);
    expect((await confirmDisconnect(browser, old)).status).toBe(200);
    expect((await browser.submit(old, '/me/disconnect', { platform_id: 'plat_none' })).status).toBe(200);
    await world.connectCalendar(platform, ada.email);
    expect((await confirmDisconnect(browser, old)).status).toBe(403);
    expect([await count(platform), await count(other)]).toEqual([1, 1]);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    await eventsOf(platform, DISCONNECTED);
  });

  test('leaves a token that is being refreshed to the other platform', async () => {
    const { platform, other, ada } = await adaAtHome();
    const bob = await connectedPerson(other, { name: 'bob' });
    await world.advance(2 * 3_600_000);
    const own = await world.signIn(ada.email);
    await world.advance(30 * 60_000);
    await world.neon.query(
      "update calendar_accounts set access_expires_at = '2020-01-01' where user_id = (select id from users where email = $1)",
      [ada.email],
    );
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'delay', delay_ms: 400, times: 1 });
    const searching = other.api.availability({ attendees: [ada.email, bob.email] });
    await expect.poll(() => world.faults.list()[0]?.hits).toBe(1);
    await disconnect(own.browser, platform);
    expect((await searching).status).toBe(200);
    const [row] = await world.neon.query(
      'select refresh_owner, access_expires_at > now() as fresh from calendar_accounts where user_id = (select id from users where email = $1)',
      [ada.email],
    );
    expect(row).toEqual({ refresh_owner: null, fresh: true });
  });
});

describe('what another session opens', () => {
  test('asks to sign in first where there is no session, on every page', async () => {
    const stranger = createBrowser([new URL(world.baseUrl).host]);
    for (const path of ['/me', '/me/disconnect?platform_id=plat_none', '/me/delete', '/me/export']) {
      const page = await stranger.open(world.baseUrl + path);
      expect([page.status, page.html.includes('<h1>Sign in</h1>')]).toEqual([401, true]);
      expect(formsOf(page)).toMatchObject([{ method: 'GET', action: `${world.baseUrl}/oauth/login` }]);
    }
  });

  test('ends with the person: a page that is still open deletes nobody twice and opens nothing', async () => {
    const { browser } = await adaAtHome();
    const sure = await browser.open(`${world.baseUrl}/me/delete`);
    const { html } = await deleteOnPage(browser);
    expect(html).toContain('<h1>Your account is deleted</h1>');
    for (const { what, kept } of STAYS) expect(html).toContain(`<li>${what}: ${kept}</li>`);
    expect((await browser.submit(sure, '/me/delete')).status).toBe(401);
    expect((await home(browser)).status).toBe(401);
  });
});

const rows = (count: number) =>
  Object.assign(
    {},
    ...Array.from({ length: count }, (_, row) => ({
      [`focus-${row}-day`]: 'monday',
      [`focus-${row}-start`]: '09:00',
      [`focus-${row}-end`]: '10:00',
      [`focus-${row}-reason`]: '',
    })),
  );

test('an old form of the week changes nothing, and the same form sent twice is saved', async () => {
  const { ada, browser } = await adaAtHome();
  const old = await visit(browser, '/me/preferences');
  const save = (values: Record<string, string>) => browser.submit(old, '/me/preferences', values);
  for (let sent = 0; sent < 2; sent += 1)
    expect((await save({ max_meetings_per_day: '3' })).html).toContain('Platforms now look');
  const refused = await save({ buffer_minutes: '30' });
  expect([refused.status, refused.html.includes('Your week has changed since')]).toEqual([409, true]);
  const [row] = await world.neon.query('select preferences from users where email = $1', [ada.email]);
  expect(row?.preferences).toMatchObject({ max_meetings_per_day: 3, buffer_minutes: 0 });
});

test('a text that is far too long is named beside its field, and an endless one in a sentence', async () => {
  const { browser } = await adaAtHome();
  const page = await visit(browser, '/me/preferences');
  const save = (context: string) => browser.submit(page, '/me/preferences', { scheduling_context: context });
  expect(errorAt(await save('x'.repeat(100_000)), 'scheduling_context')).toContain('at most 1000 characters');
  const refused = await save('x'.repeat(1_100_000));
  expect([refused.status, refused.html.includes('Go back and shorten the longest text')]).toEqual([413, true]);
});

test('no link makes a page say that something was done', async () => {
  const { platform, browser } = await adaAtHome();
  const { url, html } = await browser.submit(await visit(browser, '/me/preferences'), '/me/preferences');
  expect(html).toContain('class="notice ok"');
  const other = await world.signIn((await connectedPerson(platform)).email);
  const { browser: admin } = await atDashboard(platform);
  const made = ['/me?saved', '/me?done=saved', '/me/preferences?saved', '/me/meetings?done=cancelled'];
  for (const path of [...made, url.replace(world.baseUrl, ''), '/dashboard/settings?done=saved'])
    for (const who of [other.browser, admin]) expect((await visit(who, path)).html).not.toContain('notice ok');
});

test('the form keeps a hundred focus blocks, and refuses one more beside its row', async () => {
  const ada = await adaWithTwo();
  const { browser } = await world.signIn(ada.email);
  const form = formIn(browser, await visit(browser, '/me/preferences'), '/me/preferences');
  const stored = async () => {
    const { body } = await ada.own.send('GET', '/v1/user/preferences');
    return (body as { preferences: { focus_blocks: unknown[] } }).preferences.focus_blocks.length;
  };
  expect((await send(withFields(form, rows(100)))).status).toBe(303);
  expect(await stored()).toBe(100);
  const more = await send(withFields(form, rows(101)));
  expect(more.status).toBe(400);
  expect(more.html).toMatch(/id="focus-100-day-error"[^>]*>.*?at most 100 focus times/);
  const fewer = { ...rows(101), 'focus-7-remove': 'on' };
  expect((await send(withFields(form, fewer))).status).toBe(303);
  expect(await stored()).toBe(100);
});

test('the best hours are named as the browser’s language counts', async () => {
  const cookie = (await adaAtHome()).browser.cookiesFor(world.baseUrl);
  const form = await fetch(`${world.baseUrl}/me/preferences`, { headers: { cookie, 'accept-language': 'en-US' } });
  expect(await form.text()).toContain('From noon to 5 PM<');
});

async function onTheForm() {
  const { browser, own } = await adaAtHome();
  const open = () => browser.open(`${world.baseUrl}/me/preferences`);
  return {
    open,
    save: async (holidays: string) => browser.submit(await open(), '/me/preferences', { holidays }),
    stored: async () => {
      const { body } = await own.send('GET', '/v1/user/preferences');
      return (body as { preferences: { holidays: string } }).preferences.holidays;
    },
  };
}

/** Returns the place that is chosen in the list of holidays, or an empty text for that of the time zone. */
const chosenPlace = ({ html }: Page) =>
  /<select id="holidays"[\s\S]*?<\/select>/.exec(html)?.[0].match(/<option value="([^"]*)" selected/)?.[1] ?? '';

test('a person chooses a region in any letter case, and goes back to the holidays of their time zone', async () => {
  const { open, save, stored } = await onTheForm();
  expect((await open()).html).toContain('Public holidays');
  await save('de-by');
  expect([await stored(), chosenPlace(await open())]).toEqual(['DE-BY', 'DE-BY']);
  await save('');
  // Ada lives in London.
  expect([await stored(), chosenPlace(await open())]).toEqual(['GB-ENG', '']);
  expect((await open()).html).toContain('As in your time zone: United Kingdom (GB-ENG)<');
  await save('off');
  expect([await stored(), chosenPlace(await open())]).toEqual(['off', 'off']);
});

test('a place without known holidays is refused beside its field, and nothing is saved', async () => {
  const { save, stored } = await onTheForm();
  const page = await save('Germany');
  expect(page.status).toBe(400);
  expect(errorAt(page, 'holidays')).toBe('Choose a place from the list. We know no public holidays for this one.');
  expect([await stored(), chosenPlace(page)]).toEqual(['off', '']);
});

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

describe('a person’s key', () => {
  test('is listed masked with the day it was made, and revoked there at any time: twice is as good as once', async () => {
    const { email, browser, page } = await signedIn();
    await makeKey(browser, page);
    const key = keyIn(await makeKey(browser, await home(browser)));
    const own = await home(browser);
    expect(own.html).toContain(`<code>sk_user_…${key.slice(-4)}</code>`);
    expect(own.html).toMatch(/<small class="muted">Created [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2}<\/small>/);
    expect(own.html).not.toContain(key);
    const [after] = await times(2, () => browser.submit(own, '/me/api-key/revoke'));
    expect(after?.html).toContain('You have no key yet');
    expect(await worksNow(key)).toBe(false);
    const audit = await auditOf('user_id', await userIdOf(email));
    expect(audit.filter((entry) => entry.startsWith('key.'))).toEqual([
      'key.created by person',
      'key.created by person',
      'key.revoked by person',
    ]);
  });

  test('of a form that is sent again, at once or later, is the one it made', async () => {
    const { browser, page } = await signedIn();
    const [first = '', ...same] = (await times(4, () => makeKey(browser, page))).map(keyIn);
    expect(new Set([first, ...same])).toEqual(new Set([first]));
    const next = await home(browser);
    const second = keyIn(await makeKey(browser, next));
    expect(second).not.toBe(first);
    expect(keyIn(await makeKey(browser, next))).toBe(second);
    expect((await makeKey(browser, page)).status).toBe(422);
    expect(await Promise.all([first, second].map(worksNow))).toEqual([false, true]);
  });

  test('is not made by a form that does not say which it is', async () => {
    const { browser, page } = await signedIn();
    for (const once of ['', 'x', 'y'.repeat(44)])
      expect((await browser.submit(page, '/me/api-key', { once })).status).toBe(403);
    expect((await home(browser)).html).toMatch(/You have no key yet.*>Create a key</);
  });

  test('is replaced once an hour: until then the page says from when on, and the key stays', async () => {
    const { browser, page } = await signedIn();
    const [before, late] = [await home(browser), await home(browser)];
    await makeKey(browser, page);
    const kept = keyIn(await makeKey(browser, before));
    const refused = await makeKey(browser, late);
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('<h1>Too many regeneration attempts</h1>');
    const says = /You can replace this API key again from (\d\d:\d\d) UTC on\./.exec(refused.html)?.[1];
    expect(await worksNow(kept)).toBe(true);
    const own = await home(browser);
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
