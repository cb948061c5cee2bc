import { afterAll, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { KEPT_MS } from '../../../lib/kit/kept-for.ts';
import { PERMISSIONS } from '../../../lib/kit/permissions.ts';
import { AGENT_DAYS } from '../../../lib/people/agents.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { newBrowser, wordsOf } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const get = (path: string) => createClient(world.baseUrl).send('GET', path);

/** Returns a text without its punctuation, which differs between a sentence, a list and a table. */
const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();

const VARIABLES = ['COMPANY_NAME', 'CONTACT_EMAIL', 'SUPPORT_EMAIL', 'SECURITY_EXPIRES'];
const unnamed = await world.startSecond({ without: VARIABLES });
afterAll(() => unnamed.close());
const getUnnamed = (path: string) => createClient(unnamed.baseUrl).send('GET', path);

test.each(['/privacy', '/terms'])('%s names who operates this Tandem and where to write to', async (path) => {
  const { status, headers, text } = await get(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(wordsOf({ html: text })).toContain('Contact Tandem on this machine, operator@tandem.test');
});

test('the first page leads to both, where there are any', async () => {
  for (const path of ['/privacy', '/terms']) {
    expect((await get('/')).text).toContain(`href="${path}"`);
    expect((await getUnnamed('/')).text).not.toContain(`href="${path}"`);
  }
});

test('/privacy gives the retention periods by which rows are really deleted', async () => {
  const words = wordsOf({ html: (await get('/privacy')).text });
  for (const [what, ms] of [
    ['Times held for meetings', KEPT_MS.holds],
    ['Meetings that could not be booked', KEPT_MS.failedMeetings],
    ['with their result', KEPT_MS.jobs],
    ['What platforms were told about your meetings, and the beginning of what they answered', KEPT_MS.deliveries],
    ['What was learned about times that suit you until you delete your account; what you undo,', KEPT_MS.undoneChanges],
    ['until Google has confirmed it', KEPT_MS.revocations],
    ['whose address went to another person', KEPT_MS.endedUsers],
  ] as const)
    expect(words).toContain(`${what} ${ms / DAY} days`);
  expect(words).toContain(`its key as a hash ${AGENT_DAYS} days, or until you end the access; then`);
  expect(words).toContain(`access; then ${KEPT_MS.revokedKeys / DAY} days more`);
  expect(words).toContain(`can be used; then ${KEPT_MS.agentCodes / HOUR} hours more`);
  expect(words).toContain('Answers that a platform may ask for again 24 hours');
  expect(words).not.toMatch(/NaN|undefined|\d\.\d/);
});

test('what a deletion leaves is said in the same words by its answer, /me/delete, /privacy and /docs/data', async () => {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  const { browser } = await world.signIn(email);
  const { api_key } = await world.connect(await freshPlatform(), email);
  const pages = [
    (await browser.open(`${world.baseUrl}/me/delete`)).html,
    (await get('/privacy')).text,
    (await get('/docs/data')).text,
  ].map((html) => lettersOf(wordsOf({ html })));
  const { body } = await createClient(world.baseUrl, api_key).send('DELETE', '/v1/user');
  const { stays, message } = body as { stays: { what: string; kept: string }[]; message: string };
  expect(stays.length).toBeGreaterThan(5);
  for (const { what, kept } of stays) {
    expect(message).toContain(`${what} (${kept})`);
    for (const words of pages) expect(words).toContain(lettersOf(`${what} ${kept}`));
  }
});

test('what each permission is for is said in the same words by the consent page, /privacy and /docs/data, as Google is asked', async () => {
  const { oauth_url } = (
    await (await freshPlatform()).api.send('GET', '/v1/platform/oauth-url?user_email=a@people.test')
  ).body as { oauth_url: string };
  const browser = newBrowser();
  const consent = await browser.open(oauth_url);
  const google = await browser.submit(consent, '/authorize');
  const asked = PERMISSIONS.map(({ scope }) => scope).join(' ');
  expect(new URL(google.url).searchParams.get('scope')).toBe(asked);
  const pages = [consent.html, (await get('/privacy')).text, (await get('/docs/data')).text];
  for (const words of pages.map((html) => lettersOf(wordsOf({ html }))))
    for (const { does } of PERMISSIONS) expect(words).toContain(lettersOf(does));
});

test('/privacy says who processes it, Workers AI included, and what Google asks to be said', async () => {
  const words = wordsOf({ html: (await get('/privacy')).text });
  for (const who of ['Cloudflare', 'Cloudflare Workers AI', 'Neon', 'Upstash', 'Google']) expect(words).toContain(who);
  expect(words).toContain('Google API Services User Data Policy , including the Limited Use requirements');
});

test('/privacy says what the check of a calendar at a link asks, and that nothing is kept of it', async () => {
  const words = wordsOf({ html: (await get('/privacy')).text });
  expect(words).toContain('asks Google for two things: who you are ( openid , an ID without name or address)');
  expect(words).toContain('when you are busy ( calendar.freebusy ).');
  expect(words).toContain('keeps nothing of it. Then Tandem revokes the access.');
  expect(words).toContain('if your account is connected to Tandem through any platform, Tandem revokes nothing');
});

test('security.txt has its contact, an expiry and its own address', async () => {
  const { status, headers, text } = await get('/.well-known/security.txt');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8$/i);
  expect(text).toBe(`Contact: mailto:operator@tandem.test
Expires: 2099-12-31T00:00:00.000Z
Preferred-Languages: en
Canonical: ${world.baseUrl}/.well-known/security.txt
`);
});

test('without an address for support, no page of the docs names one', async () => {
  for (const end of ['', '.md']) {
    expect((await getUnnamed(`/docs/errors${end}`)).text).toContain('contact us');
    for (const path of ['/docs', '/docs/errors'])
      expect((await getUnnamed(path + end)).text).not.toMatch(/mailto:|\{\{/);
  }
});

test('without a named operator, the legal pages and security.txt are 404', async () => {
  for (const path of ['/privacy', '/terms']) {
    const { status, text } = await getUnnamed(path);
    expect([status, wordsOf({ html: text })]).toEqual([404, expect.stringContaining('Page not found')]);
  }
  const { status, body } = await getUnnamed('/.well-known/security.txt');
  expect(status).toBe(404);
  expect(body).toEqual(
    wholeError({
      error: 'Not found',
      message: 'There is nothing at /.well-known/security.txt. The documentation is at /docs.',
    }),
  );
});
