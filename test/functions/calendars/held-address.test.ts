import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBrowser } from '../../local/browser.ts';
import { listed } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { authorizeUrl, consent, consentAs, cookieOf, land } from '../../support/people/signing-in.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Connects Ada, and gives her address to an account that Google does not vouch for. */
async function held() {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada' });
  const { api_key } = await world.connect(platform, email);
  world.google.passOn(email, { isUnhosted: true });
  return { platform, email, holder: createClient(world.baseUrl, api_key) };
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

const CALLBACK = 'https://app.platform.test/connected';

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
