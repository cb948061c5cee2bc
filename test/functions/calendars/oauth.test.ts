import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBrowser, formsOf } from '../../local/browser.ts';
import { flatRefusal } from '../../support/checks/errors.ts';
import { listed } from '../../support/people/calendars.ts';
import { suspend } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPerson, freshPlatform, ownClient } from '../../support/people/factories.ts';
import { leaveToGoogle, offeredToGoogleUser } from '../../support/people/proposal-pages.ts';
import { authorizeUrl, consent, consentAs, cookieOf, land } from '../../support/people/signing-in.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const CALLBACK = 'https://app.platform.test/connected';

/** Answers Google's consent page, as another person if `as` names one. */
async function linked({ action = 'allow', state = '', as = '' } = {}) {
  const { email } = freshPerson();
  const platform = await freshPlatform({ redirectUris: [CALLBACK] });
  const start = authorizeUrl(platform, email, { redirect_uri: CALLBACK, ...(state && { state }) });
  const left = await (as === '' ? consent(start, { action, email }) : consentAs(start, as));
  const isConnected = async () => (await platform.api.status(email)).body;
  return { ...left, platform, email, isConnected };
}

async function landed({ callback, cookie }: { callback: string; cookie: string }) {
  const { origin, pathname, searchParams } = new URL((await land(callback, cookie)).headers.get('location') ?? '');
  return { at: origin + pathname, ...Object.fromEntries(searchParams) };
}

async function signingIn() {
  const { email } = freshPerson();
  await world.connectCalendar(await freshPlatform(), email);
  const left = await fetch(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(email)}`, { redirect: 'manual' });
  const google = createBrowser([new URL(world.worldUrl).host]);
  const asked = await google.open(left.headers.get('location') ?? '');
  const { url: callback } = await google.submit(asked, '/consent', { email, action: 'allow' });
  return { callback, cookie: cookieOf(left, 'tandem_flow') };
}

async function checking() {
  const { url, grace } = await offeredToGoogleUser();
  const { browser, asked } = await leaveToGoogle(url);
  const google = createBrowser([new URL(world.worldUrl).host]);
  const { url: callback } = await google.submit(asked, '/consent', { email: grace.email, action: 'allow' });
  return { callback, cookie: browser.cookiesFor(world.baseUrl) };
}

describe('connecting a calendar', () => {
  test('returns to the redirect URI with success and the state', async () => {
    const left = await linked({ state: 'a b&c=1' });
    expect(await landed(left)).toEqual({ at: CALLBACK, success: 'true', state: 'a b&c=1' });
    const status = { email: left.email, calendar_connected: true, last_sync: expect.any(String), provider: 'google' };
    expect(await left.isConnected()).toEqual(status);
  });

  test('a pre-built link carries redirect URI and state, and only a registered URI', async () => {
    const platform = await freshPlatform({ redirectUris: [CALLBACK] });
    const { email } = freshPerson();
    const ask = (query: Record<string, string>) =>
      platform.api.send('GET', `/v1/platform/oauth-url?${new URLSearchParams({ user_email: email, ...query })}`);
    const { body } = await ask({ redirect_uri: CALLBACK, state: 'a b&c=1' });
    const { oauth_url: start } = body as { oauth_url: string };
    const { callback, cookie } = await consent(start, { action: 'allow', email });
    const location = new URL((await land(callback, cookie)).headers.get('location') ?? '');
    expect(location.href).toBe(`${CALLBACK}?success=true&state=a+b%26c%3D1`);

    const others = [
      'https://evil.test/',
      `${CALLBACK}/`,
      `${CALLBACK}?next=https://evil.test`,
      '//evil.test',
      'javascript:alert(1)',
      '',
    ];
    for (const redirect_uri of others)
      expect([redirect_uri, await ask({ redirect_uri })]).toEqual([
        redirect_uri,
        expect.objectContaining(
          flatRefusal(400, 'Invalid redirect URI', {
            message:
              '`redirect_uri` is not registered for this platform. Register the URI with PUT /v1/platform/settings.',
            field: 'redirect_uri',
          }),
        ),
      ]);
  });

  test('a second way back leads where the first one led', async () => {
    const { callback, cookie } = await linked();
    world.traffic.clear();
    const [first, again] = [await land(callback, cookie), await land(callback, cookie)];
    expect([first.status, again.status]).toEqual([302, 302]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(world.traffic.list().filter(({ path }) => path === '/token')).toHaveLength(1);
  });

  test.each([
    ['a plus sign that was not encoded', (link: string) => link.replace('%2B', '+')],
    ['each & escaped as in HTML', (link: string) => link.replaceAll('&', '&amp;')],
  ])('a link with %s leads where it should', async (_name, sent) => {
    const platform = await freshPlatform();
    const { email } = freshPerson({ name: 'ada+work' });
    const { callback, cookie } = await consentAs(sent(authorizeUrl(platform, email)), email);
    expect((await land(callback, cookie)).status).toBe(303);
    expect((await platform.api.status(email)).body).toMatchObject({ calendar_connected: true });
  });

  test.each(['suspended', 'without its URI'])('a platform meanwhile %s gets nobody', async (what) => {
    const left = await linked();
    if (what === 'suspended') await suspend(left.platform);
    else await left.platform.api.send('PUT', '/v1/platform/settings', { redirect_uris: [] });
    const answer = await land(left.callback, left.cookie);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('This link no longer works')]);
    const found = 'select 1 from connections where platform_id = $1';
    expect(await world.neon.query(found, [left.platform.id])).toEqual([]);
  });

  test('a state of eleven minutes ago is refused', async () => {
    const { callback, cookie } = await linked();
    await world.advance(11 * 60_000);
    expect((await land(callback, cookie)).status).toBe(400);
  });

  test.each([
    ['a refusal', 'access_denied', { action: 'deny' }],
    ['another account than the one named', 'email_mismatch', { as: freshPerson().email }],
  ])('%s comes back as an error, and nothing is connected', async (_, error, how) => {
    const left = await linked({ ...how, state: 's' });
    expect(await landed(left)).toEqual({ at: CALLBACK, error, state: 's' });
    expect(await left.isConnected()).toMatchObject({ calendar_connected: false });
  });

  test.each([
    ['no platform key', { user_email: 'a@x.test' }, 'platform_key'],
    ['an unknown platform key', { platform_key: `pk_live_${'x'.repeat(43)}`, user_email: 'a@x.test' }, 'platform_key'],
    ['no address', {}, 'user_email'],
    ['an address that is none', { user_email: 'nobody' }, 'user_email'],
    ['a redirect URI of nobody', { user_email: 'a@x.test', redirect_uri: 'https://evil.test/' }, 'redirect_uri'],
  ])('%s gets a page that names the parameter', async (name, query, parameter) => {
    const platform = await freshPlatform();
    const own: Record<string, string> = name.includes('platform key') ? {} : { platform_key: platform.publishable_key };
    const url = `${world.baseUrl}/v1/auth/calendar/authorize?${new URLSearchParams({ ...own, ...query })}`;
    const answer = await fetch(url, { redirect: 'manual' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toContain(parameter);
  });

  test('tokens are sealed at rest', async () => {
    const platform = await freshPlatform();
    const { email } = freshPerson();
    await world.connectCalendar(platform, email);
    const [row] = await world.neon.query(
      'select a.refresh_token, a.access_token from calendar_accounts a join users u on u.id = a.user_id where u.email = $1',
      [email],
    );
    expect(row?.refresh_token).toMatch(/^k1\.[^.]+\.[^.]+$/);
    expect(row?.access_token).toMatch(/^k1\.[^.]+\.[^.]+$/);
  });
});

describe('what a person is asked before the provider asks them', () => {
  test('names the platform, the address and that other platforms are separate, and is framed by nobody', async () => {
    const platform = await freshPlatform();
    const { email } = freshPerson();
    const page = await fetch(authorizeUrl(platform, email), { redirect: 'manual' });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const html = await page.text();
    for (const words of ['Test platform', email, 'Other platforms have to ask you separately'])
      expect(html).toContain(words);
    expect(world.traffic.list().some(({ path }) => path.includes(encodeURIComponent(email)))).toBe(false);
  });

  test.each([
    ['without its page’s cookie', { cookie: '' }, {}],
    ['with another browser’s cookie', { cookie: 'tandem_consent=theirs' }, {}],
    ['for another address than was shown', {}, { user_email: 'other@people.test' }],
  ])('goes on only from that page: not %s', async (_, headers, changed) => {
    const platform = await freshPlatform();
    const start = authorizeUrl(platform, freshPerson().email);
    const asked = await fetch(start);
    const [form] = formsOf({ url: start, status: 200, html: await asked.text() });
    for (const [name, value] of Object.entries(changed)) form?.fields.set(name, value);
    const answer = await fetch(form?.action ?? '', {
      method: 'POST',
      body: form?.fields ?? null,
      headers: { cookie: cookieOf(asked, 'tandem_consent'), ...headers },
      redirect: 'manual',
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  test.each([
    ['a platform’s link', linked, 302],
    ['a sign-in', signingIn, 302],
    ['a check of a calendar', checking, 200],
  ])('the address that ends %s is of no use in another browser, before and after', async (_, begin, status) => {
    const { callback, cookie } = await begin();
    const name = cookie.split('=')[0];
    const theirs = (await begin()).cookie.split('=')[1];
    const forged = ['', 'tandem_flow=theirs', `${name}=waiting`, `${name}=${theirs}`];
    const elsewhere = async () => {
      for (const other of forged) {
        const headersSent = { cookie: other, 'cf-connecting-ip': '203.0.113.66' };
        const { status, headers } = await fetch(callback, { redirect: 'manual', headers: headersSent });
        expect([other, status, headers.getSetCookie()]).toEqual([other, 400, []]);
      }
    };
    await elsewhere();
    expect((await land(callback, cookie)).status).toBe(status);
    await elsewhere();
  });
});

test('health needs no key', async () => {
  expect((await createClient(world.baseUrl).health()).body).toEqual({ status: 'ok', version: '1.0.0' });
});

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

test.each([
  ['calendar.freebusy', ['calendar.events'], 'it cannot find your free times'],
  ['calendar.events', ['calendar.freebusy'], 'it cannot put a meeting on your calendar, move it or cancel it'],
])('a person who unticks %s reads what cannot be done without it', async (_unticked, ticked, why) => {
  const { email } = freshPerson();
  world.google.settings.grantedScopes.set(email, ticked.map(scope));
  const { page } = await world.signIn(email);
  expect(page.status).toBe(400);
  expect(page.html).toContain(why);
  expect(page.html).toContain('Sign in again and tick every box on Google’s page.');
  expect(page.html.match(/You did not allow/g)).toHaveLength(1);
});

/** Connects Ada, and gives her address to an account that Google does not vouch for. */
async function held() {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada' });
  const holder = await ownClient(platform, email);
  world.google.passOn(email, { isUnhosted: true });
  return { platform, email, holder };
}

describe('another account under an address that somebody holds', () => {
  test('is refused where Google does not vouch for the address, and told what to do', async () => {
    const { platform, email, holder } = await held();
    const { callback, cookie } = await consent(authorizeUrl(platform, email), { action: 'allow', email });
    const answer = await land(callback, cookie);
    expect(answer.status).toBe(400);
    const html = (await answer.text()).replaceAll(/\s+/g, ' ');
    expect(html).toContain('This address belongs to another account');
    expect(html).toContain('to disconnect that address');
    expect((await holder.send('GET', '/v1/user/info')).status).toBe(200);
    expect((await listed(platform)).connections.map((one) => one.user_email)).toEqual([email]);
  });

  test('gets the address once its holder has no access left', async () => {
    const { platform, email, holder } = await held();
    expect((await platform.api.disconnect(email)).status).toBe(200);
    await world.connectCalendar(platform, email);
    expect((await listed(platform)).connections.map((one) => one.user_email)).toEqual([email]);
    expect((await holder.send('GET', '/v1/user/info')).status).toBe(401);
  });
});

test.each([
  [4_096, 200],
  [4_097, 400],
])('a link with a state of %i characters is %i', async (length, status) => {
  const platform = await freshPlatform();
  const state = 'x'.repeat(length);
  const page = await fetch(authorizeUrl(platform, 'ada@people.test', { state }));
  expect(page.status).toBe(status);
  if (status === 400) expect(await page.text()).toContain('`state` must have at most 4,096 characters.');
  const link = await platform.api.send('GET', `/v1/platform/oauth-url?user_email=ada@people.test&state=${state}`);
  expect(link.status).toBe(status);
  if (status === 400) expect(link.body).toMatchObject({ field: 'state' });
});

/** Adds a Google account, and connects it to a new platform under another spelling of its address. */
async function connect(asked: string, account: string, platform = freshPlatform({ redirectUris: [CALLBACK] })) {
  const { api, ...keys } = await platform;
  const link = authorizeUrl({ api, ...keys }, asked, { redirect_uri: CALLBACK });
  const { callback, cookie } = await consentAs(link, account);
  const location = new URL((await land(callback, cookie)).headers.get('location') ?? '');
  const { calendar_connected } = (await api.status(asked)).body as { calendar_connected: boolean };
  return { result: Object.fromEntries(location.searchParams), calendar_connected };
}

const account = () => {
  const name = randomUUID().replaceAll('-', '').slice(0, 12);
  const email = `ada.${name}@gmail.com`;
  world.google.addUser({ email, timezone: 'Europe/Berlin' });
  return { email, other: `ada${name}+work@googlemail.com` };
};

test('at Gmail, another spelling of the address is the same account', async () => {
  const { email, other } = account();
  expect(await connect(other, email)).toEqual({ result: { success: 'true' }, calendar_connected: true });
});

test('an account that is connected under one spelling keeps it', async () => {
  const { email, other } = account();
  const first = freshPlatform({ redirectUris: [CALLBACK] });
  await connect(email, email, first);
  expect(await connect(other, email)).toEqual({ result: { error: 'email_mismatch' }, calendar_connected: false });
  const { api } = await first;
  expect((await api.status(email)).body).toMatchObject({ calendar_connected: true });

  const login = await fetch(`${world.baseUrl}/oauth/login?user_id=${encodeURIComponent(other)}`, {
    redirect: 'manual',
  });
  const google = new URL(login.headers.get('location') ?? '');
  google.searchParams.set('login_hint', email);
  const browser = createBrowser([google.host]);
  const { url } = await browser.submit(await browser.open(google.href), '/consent', { email, action: 'allow' });
  const back = await land(url, cookieOf(login, 'tandem_flow'));
  expect([back.status, back.headers.get('location')]).toEqual([302, '/me']);
  expect((await api.status(email)).body).toMatchObject({ calendar_connected: true });
});

test('without a redirect URI, the page names the known spelling', async () => {
  const { email, other } = account();
  await connect(email, email);
  const { callback, cookie } = await consentAs(authorizeUrl(await freshPlatform(), other), email);
  const page = await land(callback, cookie);
  const html = await page.text();
  expect([page.status, html.includes('You are connected under another spelling'), html.includes(email)]).toEqual([
    400,
    true,
    true,
  ]);
});

test('a Redis that takes over half a second delays a consent and fails none', async () => {
  const { email } = account();
  world.faults.add({ target: 'redis', mode: 'delay', delay_ms: 700 });
  expect(await connect(email, email)).toEqual({ result: { success: 'true' }, calendar_connected: true });
});
