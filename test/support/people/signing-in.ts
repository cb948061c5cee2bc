import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Browser, createBrowser, decode, formsOf, type Page } from '../../local/browser.ts';
import { createClient, freshAddress } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from './factories.ts';

export interface PublishedAgent {
  host: string;
  clientId: string;
  redirectUri: string;
}

const PUBLIC = ['93.184.215.14'];

/**
 * Publishes an agent's document at a host of its own. `document` changes its fields, and `answer` the whole answer of
 * the agent's server.
 */
export function publishAgent({
  document = {},
  answer = {},
  addresses = PUBLIC,
}: {
  document?: Record<string, unknown>;
  answer?: Omit<Parameters<typeof world.inbox.answer>[0], 'host' | 'path'>;
  addresses?: string[];
} = {}): PublishedAgent {
  const host = `${randomUUID()}.agent.test`;
  const clientId = `https://${host}/client.json`;
  const redirectUri = `https://${host}/callback`;
  world.inbox.addHost(host);
  world.dns.set(host, { a: addresses });
  const body = JSON.stringify({
    client_id: clientId,
    client_name: 'Helpful Agent',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    ...document,
  });
  const headers = { 'Content-Type': 'application/json' };
  world.inbox.answer({ host, path: '/client.json', body, headers, ...answer });
  return { host, clientId, redirectUri };
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Builds the URL with which an agent sends a person to Tandem. A parameter that is undefined is left out. */
export function agentUrl(
  { clientId, redirectUri }: PublishedAgent,
  challenge: string,
  params: Record<string, string | undefined> = {},
): string {
  const url = new URL('/oauth/agent', world.baseUrl);
  const sent = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state & more',
    resource: `${world.baseUrl}/mcp`,
    ...params,
  };
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Decides on the consent page. Returns the parameters with which the person comes back to the agent. */
export async function decide(browser: Browser, page: Page, decision: 'allow' | 'refuse') {
  const { url } = await browser.submit(page, '/oauth/agent', { decision });
  return { url, params: new URL(url).searchParams };
}

export async function exchange(
  agent: PublishedAgent,
  { code, verifier, ...changed }: { code: string; verifier: string } & Record<string, string | undefined>,
) {
  const body = new URLSearchParams();
  const sent = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: agent.clientId,
    redirect_uri: agent.redirectUri,
    resource: `${world.baseUrl}/mcp`,
    ...changed,
  };
  for (const [name, value] of Object.entries(sent)) if (value !== undefined) body.set(name, value);
  const headers = { 'cf-connecting-ip': freshAddress() };
  const response = await fetch(new URL('/oauth/token', world.baseUrl), { method: 'POST', headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: whole answers are compared, and parts of them read, by tests only.
  return { status: response.status, body: (await response.json()) as any };
}

/** Lets an agent in: opens its request as the person who is signed in, and allows it. Returns the code and verifier. */
export async function letIn(browser: Browser, agent: PublishedAgent) {
  const { verifier, challenge } = pkce();
  const { params } = await decide(browser, await browser.open(agentUrl(agent, challenge)), 'allow');
  return { code: params.get('code') ?? '', verifier };
}

export const worksNow = async (key: string) =>
  (await createClient(world.baseUrl, key).send('POST', '/mcp', {})).status !== 401;

/**
 * Connects Ada with two platforms and gives her three calendars and a key. `teach` has the service learn from a text of
 * hers and from a meeting she moves.
 */
export async function adaWithTwo() {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/Berlin' });
  const bob = await connectedPerson(platform, { name: 'bob', timezone: 'Europe/Berlin' });
  const other = await freshPlatform({ name: 'Acme & Sons' });
  const { api_key } = await world.connect(other, email);
  world.google.addCalendar({ owner: email, summary: 'Family' });
  world.google.addCalendar({ owner: email, summary: 'Football of the year, with everybody whose name I cannot spell' });
  const own = createClient(world.baseUrl, api_key);
  return {
    platform,
    email,
    own,
    async teach() {
      await own.send('PUT', '/v1/user/preferences', { scheduling_context: 'No meetings on Mondays. I like mornings.' });
      const { body } = await platform.api.send('POST', '/v1/availability', { attendees: [email, bob.email] });
      const [slot] = (body as { slots: { start_time: string }[] }).slots;
      const booked = await platform.api.schedule({
        attendees: [email, bob.email],
        start_time: slot?.start_time,
        duration_minutes: 30,
        title: 'Coffee',
      });
      const { meeting_id } = booked.body as { meeting_id: string };
      const asked = { meeting_id, requested_by: email, reason: 'That is too early, and back-to-back.' };
      await platform.api.send('POST', `/v1/meetings/${meeting_id}/reschedule`, asked);
    },
  };
}

export function authorizeUrl(platform: TestPlatform, email: string, extra: Record<string, string> = {}): string {
  const url = new URL('/v1/auth/calendar/authorize', world.baseUrl);
  url.search = new URLSearchParams({ platform_key: platform.publishable_key, user_email: email, ...extra }).toString();
  return url.href;
}

/** Returns the cookie that an answer sets, as a browser sends it back; empty if it sets none. */
export const cookieOf = (answer: Response, name: string) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(name))
    ?.split(';')[0] ?? '';

/** Opens the link and submits our page. Does not follow the redirect, so that the test can read its location. */
async function leave(start: string): Promise<{ location: string; cookie: string }> {
  const asked = await fetch(start);
  const [form] = formsOf({ url: start, status: asked.status, html: await asked.text() });
  const left = await fetch(form?.action ?? '', {
    method: 'POST',
    body: form?.fields ?? null,
    headers: { cookie: cookieOf(asked, 'tandem_consent') },
    redirect: 'manual',
  });
  return { location: left.headers.get('location') ?? '', cookie: cookieOf(left, 'tandem_flow') };
}

export async function consent(
  start: string,
  answer: Record<string, string>,
): Promise<{ callback: string; cookie: string }> {
  const { location, cookie } = await leave(start);
  const page = await (await fetch(location)).text();
  const fields = new URLSearchParams(answer);
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
    fields.set(name ?? '', decode(value ?? ''));
  for (const [, value] of page.matchAll(/name="granted" value="([^"]+)"/g)) fields.append('granted', value ?? '');
  const done = await fetch(`${world.worldUrl}/o/oauth2/v2/auth/consent`, {
    method: 'POST',
    body: fields,
    redirect: 'manual',
  });
  return { callback: done.headers.get('location') ?? '', cookie };
}

export const land = (callback: string, cookie: string) => fetch(callback, { redirect: 'manual', headers: { cookie } });

/** Consents with another account than the suggested one, as a person who switched accounts would. */
export async function consentAs(start: string, email: string) {
  const left = await leave(start);
  const location = new URL(left.location);
  location.searchParams.delete('login_hint');
  const browser = createBrowser([location.host]);
  const page = await browser.open(location.href);
  const done = await browser.submit(page, '/consent', { email, action: 'allow' });
  return { callback: done.url, cookie: left.cookie };
}
