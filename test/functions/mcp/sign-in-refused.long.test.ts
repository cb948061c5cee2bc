import { beforeAll, describe, expect, test } from 'vitest';
import { type Browser, formsOf } from '../../local/browser.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { agentUrl, decide, exchange, letIn, pkce, publishAgent, worksNow } from '../../support/people/signing-in.ts';
import { createClient, freshAddress } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
const signedIn = async () => (await world.signIn(email)).browser;
let browser: Browser;
const signInFirst = () =>
  beforeAll(async () => {
    browser = await signedIn();
  });
type Counted =
  | 'api_keys where agent_host'
  | 'agent_codes where redirect_uri'
  | 'agent_codes where expires_at > created_at and redirect_uri';
const count = async (table: Counted, about: string) =>
  (await world.neon.query(`select count(*)::int as n from ${table} = $1`, [about]))[0];

describe('the token endpoint gives no token', () => {
  signInFirst();
  const UNLIKE = 'x'.repeat(43);
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  test.each([
    ['for another verifier', { verifier: UNLIKE }, 'invalid_grant', 'The code_verifier does not match'],
    ['for a verifier that is too short', { verifier: 'x' }, 'invalid_grant', 'The code_verifier does not match'],
    ['for another redirect_uri', { redirect_uri: 'https://x.test/' }, 'invalid_grant', 'for another redirect_uri'],
    ['to another client', { client_id: 'https://x.test/client.json' }, 'invalid_grant', 'for another client_id'],
    ['for another resource', { resource: 'https://x.test/mcp' }, 'invalid_target', 'The resource must be'],
    ['for another grant', { grant_type: 'refresh_token' }, 'unsupported_grant_type', 'must be authorization_code'],
    ['without a code', { code: '' }, 'invalid_request', 'must have code, code_verifier and client_id'],
    ['for a code that nobody made', { code: 'agent_x' }, 'invalid_grant', 'The code is unknown.'],
  ])('%s, and the code stays good', async (_what, changed, error, description) => {
    const agent = publishAgent();
    const given = await letIn(browser, agent);
    const refused = await exchange(agent, { ...given, ...changed });
    expect(refused).toEqual({ status: 400, body: { error, error_description: expect.stringContaining(description) } });
    expect(await count('api_keys where agent_host', agent.host)).toEqual({ n: 0 });
    expect((await exchange(agent, given)).status).toBe(200);
  });

  test.each([
    ['to a GET', 405, { method: 'GET' }],
    ['to a body that is too large', 413, { method: 'POST', body: new URLSearchParams({ code: 'x'.repeat(70_000) }) }],
    ['to a body that is not UTF-8', 400, { method: 'POST', body: Buffer.from([0x80]), headers: FORM }],
  ])('%s, and says so in OAuth’s form', async (_what, status, { headers, ...request }: RequestInit) => {
    const sent = { ...request, headers: { ...headers, 'cf-connecting-ip': freshAddress() } };
    const answer = await fetch(new URL('/oauth/token', world.baseUrl), sent);
    const body = { error: 'invalid_request', error_description: expect.any(String) };
    expect([answer.status, await answer.json()]).toEqual([status, body]);
  });

  test('for a code that has expired', async () => {
    const agent = publishAgent();
    const given = await letIn(browser, agent);
    await world.advance(60_000);
    expect(await exchange(agent, given)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The code has expired.' },
    });
  });

  test('for a used code, and the first token is revoked', async () => {
    const agent = publishAgent();
    const given = await letIn(browser, agent);
    const first = await exchange(agent, given);
    expect(await worksNow(first.body.access_token)).toBe(true);
    expect(await exchange(agent, given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await worksNow(first.body.access_token)).toBe(false);
    expect(await count('api_keys where agent_host', agent.host)).toEqual({ n: 1 });
  });

  test('for a person who deleted their account meanwhile', async () => {
    const leaving = await connectedPerson(await freshPlatform(), { name: 'eve' });
    const { browser: hers } = await world.signIn(leaving.email);
    const agent = publishAgent();
    const given = await letIn(hers, agent);
    await hers.submit(await hers.open(`${world.baseUrl}/me/delete`), '/me/delete');
    expect(await exchange(agent, given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await count('agent_codes where redirect_uri', agent.redirectUri)).toEqual({ n: 0 });
  });
});

test('a token ends after 90 days, and the answer says where to get another', async () => {
  const agent = publishAgent();
  const { body } = await exchange(agent, await letIn(await signedIn(), agent));
  await world.advance(90 * 86_400_000 - 60_000);
  expect(await worksNow(body.access_token)).toBe(true);
  await world.advance(60_000);
  const ended = await createClient(world.baseUrl, body.access_token).send('POST', '/mcp', {});
  expect(ended.status).toBe(401);
  expect(ended.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${world.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
  );
});

describe('a request that is not correct is shown to the person, who can only go back', () => {
  signInFirst();
  test.each([
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['another response', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://x.test/mcp' }, 'invalid_target'],
  ])('%s', async (_what, changed, error) => {
    const agent = publishAgent();
    const page = await browser.open(agentUrl(agent, pkce().challenge, changed));
    expect(page.status).toBe(400);
    expect(formsOf(page)).toEqual([]);
    const back = /href="(https:[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(Object.fromEntries(new URL(back).searchParams)).toEqual({
      error,
      state: 'a state & more',
      iss: world.baseUrl,
    });
  });

  test.each([
    ['unlisted', 'https://elsewhere.test/callback'],
    ['with another path', undefined],
    ['with a policy of its own', 'https://a;script-src/callback'],
    ['of a script', 'javascript:alert(1)'],
  ])('a redirect URI %s: without a way back', async (_what, uri) => {
    const redirect_uri = uri ?? 'placeholder';
    const agent = publishAgent({ document: uri?.includes('elsewhere') === false ? { redirect_uris: [uri] } : {} });
    const asked = uri === undefined ? `${agent.redirectUri}/more` : redirect_uri;
    const page = await browser.open(agentUrl(agent, pkce().challenge, { redirect_uri: asked }));
    expect([page.status, formsOf(page)]).toEqual([400, []]);
    expect(page.html).toContain('does not list this redirect_uri');
    expect(page.html).not.toContain('Go back');
  });
});

describe('a document of an agent is refused', () => {
  signInFirst();
  test.each([
    ['that is too large', { document: { more: 'x'.repeat(5_200) } }, 'larger than 5 KB'],
    ['that is not JSON', { answer: { body: '<html>' } }, 'must be JSON'],
    ['that lacks a name', { document: { client_name: '' } }, 'must be JSON with'],
    ['that lists another client_id', { document: { client_id: 'https://x.test/c.json' } }, 'lists another client_id'],
    ['that redirects', { answer: { status: 302, headers: { location: 'https://x.test/' } } }, 'without a redirect'],
    ['that is missing', { answer: { status: 404 } }, 'must answer 200'],
    ['of an agent with a secret', { document: { token_endpoint_auth_method: 'private_key_jwt' } }, 'method none'],
    ['at a private address', { addresses: ['10.0.0.1'] }, 'IP addresses are all public'],
  ])('%s', async (_what, published, said) => {
    const agent = publishAgent(published);
    const page = await browser.open(agentUrl(agent, pkce().challenge));
    expect([page.status, formsOf(page)]).toEqual([400, []]);
    expect(page.html).toContain(said);
  });

  test('that never arrives', async () => {
    const agent = publishAgent();
    world.faults.add({ target: 'inbox', mode: 'hang' });
    const page = await browser.open(agentUrl(agent, pkce().challenge));
    expect([page.status, formsOf(page)]).toEqual([400, []]);
    expect(page.html).toContain('its server did not answer');
  });

  test.each(['https://10.0.0.1/c.json', 'http://agent.test/c.json', 'https://agent.test', 'nonsense', ''])(
    'whose client_id is %j, without a call',
    async (client_id) => {
      const page = await browser.open(agentUrl(publishAgent(), pkce().challenge, { client_id }));
      expect([page.status, formsOf(page)]).toEqual([400, []]);
      expect(page.html).toContain('The client_id must');
    },
  );

  test('is not fetched for somebody who is not signed in', async () => {
    const agent = publishAgent();
    const browser = await signedIn();
    await browser.submit(await browser.open(`${world.baseUrl}/me`), '/me/sign-out');
    expect((await browser.open(agentUrl(agent, pkce().challenge))).status).toBe(401);
    expect(world.inbox.deliveries().filter(({ url }) => url === agent.clientId)).toEqual([]);
  });
});

test('an agent on the person’s own machine may listen on any port, and the page warns', async () => {
  const agent = publishAgent({ document: { redirect_uris: ['http://127.0.0.1/callback'] } });
  const browser = await signedIn();
  const asked = (uri: string) => browser.open(agentUrl(agent, pkce().challenge, { redirect_uri: uri }));
  const page = await asked('http://127.0.0.1:49152/callback');
  expect(page.html).toContain('A program on this computer gets the access');
  const { url } = await decide(browser, page, 'allow');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:49152\/callback\?code=/);
  for (const uri of ['http://127.0.0.1:49152/other', 'http://localhost:49152/callback'])
    expect((await asked(uri)).status).toBe(400);
});

describe('the consent page', () => {
  test('names a hostile agent by its host, and its name does nothing', async () => {
    const agent = publishAgent({
      document: { client_name: `<script>alert(1)</script>\u202E\nYou are\u0000 safe ${'x'.repeat(100)}` },
    });
    const page = await (await signedIn()).open(agentUrl(agent, pkce().challenge));
    expect(page.html).toContain(`<strong>${agent.host}</strong>`);
    expect(page.html).toMatch(/<bdi>“&lt;script&gt;alert\(1\)&lt;\/script&gt; You are safe x+”<\/bdi>/);
    expect(page.html).not.toContain('x'.repeat(60));
  });

  test.each([
    ['blanks', '  '],
    ['tags', '\u{e0041}\u{e0042}'],
    ['a lone surrogate', '\ud800'],
    ['selectors', '\ufe0f\u{e0100}'],
    ['a filler', '\u3164\u2800'],
  ])('says that an agent has no name where its name is %s', async (_what, client_name) => {
    const agent = publishAgent({ document: { client_name } });
    const browser = await signedIn();
    const { verifier, challenge } = pkce();
    const page = await browser.open(agentUrl(agent, challenge));
    expect(page.html).toContain(
      `<strong>${agent.host}</strong> <bdi>/client.json</bdi>, which gives itself no name, asks for`,
    );
    expect(page.html).not.toMatch(/calls itself|that name/);
    const { params } = await decide(browser, page, 'allow');
    await exchange(agent, { code: params.get('code') ?? '', verifier });
    const own = await browser.open(`${world.baseUrl}/me`);
    expect(own.html).toContain(`<strong>${agent.host}</strong> <bdi>/client.json</bdi> (unnamed)`);
  });

  test('makes one code, however often its form is sent, and none once that is used', async () => {
    const agent = publishAgent();
    const browser = await signedIn();
    const { verifier, challenge } = pkce();
    const page = await browser.open(agentUrl(agent, challenge));
    const [first, second] = [await decide(browser, page, 'allow'), await decide(browser, page, 'allow')];
    expect(first.url).toBe(second.url);
    expect(Object.fromEntries(first.params)).toEqual({
      code: expect.stringMatching(/^agent_[\w-]{43}$/),
      state: 'a state & more',
      iss: world.baseUrl,
    });
    expect(await count('agent_codes where redirect_uri', agent.redirectUri)).toEqual({ n: 1 });
    const { body } = await exchange(agent, { code: first.params.get('code') ?? '', verifier });
    const again = await browser.submit(page, '/oauth/agent', { decision: 'allow' });
    expect([again.status, again.html]).toEqual([400, expect.stringContaining('This page has expired')]);
    expect(await worksNow(body.access_token)).toBe(true);
  });

  test('is answered only by the session that saw it, in time, and from this site', async () => {
    const agent = publishAgent();
    const browser = await signedIn();
    const page = await browser.open(agentUrl(agent, pkce().challenge));
    const [form] = formsOf(page).filter(({ action }) => action.endsWith('/oauth/agent'));
    const other = await connectedPerson(await freshPlatform(), { name: 'mallory' });
    const { browser: foreign } = await world.signIn(other.email);
    expect((await foreign.submit(page, '/oauth/agent', { decision: 'allow' })).status).toBe(403);
    const theirs = await foreign.open(agentUrl(agent, pkce().challenge));
    const request = form?.fields.get('request') ?? '';
    expect((await foreign.submit(theirs, '/oauth/agent', { decision: 'allow', request })).status).toBe(400);

    const body = new URLSearchParams([...(form?.fields ?? []), ['decision', 'allow']]);
    const cookie = browser.cookiesFor(world.baseUrl);
    const crossSite = await fetch(form?.action ?? '', {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
      body,
      redirect: 'manual',
    });
    expect(crossSite.status).toBe(403);

    await world.advance(601_000);
    expect((await browser.submit(page, '/oauth/agent', { decision: 'allow' })).status).toBe(400);
    expect(await count('agent_codes where redirect_uri', agent.redirectUri)).toEqual({ n: 0 });
  });
});

test('a new key of the person leaves their agents alone, and only an agent’s own button ends its access', async () => {
  const browser = await signedIn();
  const [one, two] = [publishAgent(), publishAgent()];
  const keys = [];
  for (const agent of [one, two])
    keys.push((await exchange(agent, await letIn(browser, agent))).body.access_token as string);
  const me = () => browser.open(`${world.baseUrl}/me`);
  await browser.submit(await me(), '/me/api-key');
  await browser.submit(await me(), '/me/api-key/revoke');
  expect(await Promise.all(keys.map(worksNow))).toEqual([true, true]);
  const page = await me();
  expect(page.html).toContain(one.host);
  expect(page.html).toContain(two.host);
  // The newest agent is first on the page.
  await browser.submit(page, '/me/agents/revoke');
  expect(await Promise.all(keys.map(worksNow))).toEqual([true, false]);
});

test('the discovery documents say where to sign in, and how', async () => {
  const client = createClient(world.baseUrl);
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    expect((await client.send('GET', path)).body).toEqual({
      resource: `${world.baseUrl}/mcp`,
      authorization_servers: [world.baseUrl],
      bearer_methods_supported: ['header'],
      resource_name: 'Tandem',
      resource_documentation: `${world.baseUrl}/docs/agents`,
    });
  expect((await client.send('GET', '/.well-known/oauth-authorization-server')).body).toEqual({
    issuer: world.baseUrl,
    authorization_endpoint: `${world.baseUrl}/oauth/agent`,
    token_endpoint: `${world.baseUrl}/oauth/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
});
