import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { connectAgent, GENERATIONS, type Generation, REVISION } from '../../support/people/agents.ts';
import { tick } from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import {
  agentUrl,
  decide,
  exchange,
  letIn,
  type PublishedAgent,
  pkce,
  publishAgent,
  worksNow,
} from '../../support/people/signing-in.ts';
import { createClient, freshAddress } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Official client's own store of what it learns while it signs in. It opens no browser, and keeps the URL instead. */
function createProvider({ clientId, redirectUri }: PublishedAgent) {
  const kept: { url?: URL; tokens?: object; verifier?: string; information?: object } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadataUrl: clientId,
    clientMetadata: { client_name: 'Helpful Agent', redirect_uris: [redirectUri] },
    state: () => 'state-of-the-agent',
    clientInformation: () => kept.information as never,
    saveClientInformation(information) {
      kept.information = information;
    },
    tokens: () => kept.tokens as never,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(url) {
      kept.url = url;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
  };
  return { kept, provider };
}

/** Connects the official client. Returns the transport, with which a refused client finishes its sign-in. */
function connecting(provider: OAuthClientProvider, generation: Generation) {
  const mode = generation === REVISION ? { pin: REVISION } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const address = freshAddress();
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', world.baseUrl), {
    authProvider: provider,
    fetch(url, init) {
      const headers = new Headers(init?.headers);
      headers.set('cf-connecting-ip', address);
      return fetch(url, { ...init, headers });
    },
  });
  return { client, transport, connected: client.connect(transport) };
}

test.each(GENERATIONS)('the official client of %s signs in, works, and is refused once revoked', async (generation) => {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada' });
  const agent = publishAgent();
  const { kept, provider } = createProvider(agent);

  const first = connecting(provider, generation);
  await expect(first.connected).rejects.toThrow(UnauthorizedError);
  const { url } = kept;
  expect(url?.pathname).toBe('/oauth/agent');
  expect(url?.searchParams.get('client_id')).toBe(agent.clientId);
  expect(url?.searchParams.get('resource')).toBe(`${world.baseUrl}/mcp`);

  const { browser } = await world.signIn(email);
  const page = await browser.open(url?.href ?? '');
  expect(page.html).toContain(`Let ${agent.host} act for you?`);
  const { params } = await decide(browser, page, 'allow');
  expect(params.get('state')).toBe('state-of-the-agent');
  await first.transport.finishAuth(params);
  expect(kept.tokens).toEqual({
    access_token: expect.stringMatching(/^sk_user_/),
    token_type: 'Bearer',
    expires_in: 90 * 86_400,
    issuer: world.baseUrl,
  });

  const second = connecting(provider, generation);
  await second.connected;
  const { tools } = await second.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['check_availability', 'list_meetings', 'update_preferences']);
  const called = await second.client.callTool({ name: 'list_meetings', arguments: {} });
  expect(called.isError).toBeFalsy();

  const { access_token } = kept.tokens as { access_token: string };
  const own = await createClient(world.baseUrl, access_token).send('GET', '/v1/user/preferences');
  expect([own.status, own.body]).toMatchObject([403, { message: expect.stringContaining('works only on /mcp') }]);

  const me = await browser.open(`${world.baseUrl}/me`);
  expect(me.html).toMatch(
    new RegExp(`<strong>${agent.host}</strong> <bdi>/client.json</bdi> <bdi>Helpful Agent</bdi>`),
  );
  expect((await browser.submit(me, '/me/agents/revoke')).html).not.toContain(agent.host);
  delete kept.url;
  const late = second.client.callTool({ name: 'list_meetings', arguments: {} });
  await expect(late).rejects.toThrow(UnauthorizedError);
  expect(kept.url).toBeDefined();
});

const signedIn = async () => (await world.signIn((await connectedPerson(await freshPlatform())).email)).browser;

test('a person has at most 20 agents, and one more ends the access of the oldest', async () => {
  const browser = await signedIn();
  const keys: string[] = [];
  for (let at = 0; at < 21; at += 1) {
    const agent = publishAgent();
    keys.push((await exchange(agent, await letIn(browser, agent))).body.access_token);
    if (at === 19) expect(await worksNow(keys[0] ?? '')).toBe(true);
    await world.advance(10_000);
  }
  expect(await Promise.all(keys.map(worksNow))).toEqual([false, ...Array(20).fill(true)]);
  const me = await browser.open(`${world.baseUrl}/me`);
  expect(me.html.match(/action="\/me\/agents\/revoke"/g)).toHaveLength(20);
});

test('a code is deleted a day after it expired, used or not, and the token of a used one still works', async () => {
  const browser = await signedIn();
  const [agent, unused] = [publishAgent(), publishAgent()];
  const { body } = await exchange(agent, await letIn(browser, agent));
  await letIn(browser, unused);
  const left = async () =>
    (
      await world.neon.query('select redirect_uri from agent_codes where redirect_uri in ($1, $2)', [
        agent.redirectUri,
        unused.redirectUri,
      ])
    ).length;
  await world.advance(86_400_000);
  await tick();
  expect(await left()).toBe(2);
  await world.advance(70_000);
  await tick();
  expect(await left()).toBe(0);
  expect(await worksNow(body.access_token)).toBe(true);
});

test.each(['text/plain; charset=utf-8', 'application/jsonp'])(
  'a document of the type “%s”, as hosts give to uploaded files, is refused',
  async (type) => {
    const browser = await signedIn();
    const agent = publishAgent({ answer: { headers: { 'Content-Type': type } } });
    const page = await browser.open(agentUrl(agent, pkce().challenge));
    expect([page.status, page.html.includes('must be served as application/json')]).toEqual([400, true]);
  },
);

test('a document of a type that ends in +json is read', async () => {
  const browser = await signedIn();
  const agent = publishAgent({ answer: { headers: { 'Content-Type': 'application/cimd+json; charset=utf-8' } } });
  expect((await browser.open(agentUrl(agent, pkce().challenge))).status).toBe(200);
});

test('the page shows the document’s path, and warns of a redirect to another host', async () => {
  const browser = await signedIn();
  const [agent, elsewhere] = [publishAgent(), 'https://elsewhere.example/callback'];
  const plain = await browser.open(agentUrl(agent, pkce().challenge));
  expect(plain.html).toContain(`<strong>${agent.host}</strong> <bdi>/client.json</bdi>`);
  expect(plain.html).not.toContain('The access goes to');
  const other = publishAgent({ document: { redirect_uris: [elsewhere] } });
  const page = await browser.open(agentUrl({ ...other, redirectUri: elsewhere }, pkce().challenge));
  expect(page.html).toContain('The access goes to elsewhere.example');
});

test.each([
  'https://other.example/cb\0',
  '\0https://other.example/cb',
  'https://other.example/c\tb',
  'https:\\\\other.example/cb',
])('a redirect that browsers read otherwise than it is written is refused: %j', async (redirectUri) => {
  const browser = await signedIn();
  const agent = publishAgent({ document: { redirect_uris: [redirectUri] } });
  expect((await browser.open(agentUrl({ ...agent, redirectUri }, pkce().challenge))).status).toBe(400);
});

test('a consent page that was refused cannot allow the access later', async () => {
  const browser = await signedIn();
  const agent = publishAgent();
  const page = await browser.open(agentUrl(agent, pkce().challenge));
  const { params: refused } = await decide(browser, page, 'refuse');
  expect(Object.fromEntries(refused)).toEqual({ error: 'access_denied', state: 'a state & more', iss: world.baseUrl });
  const again = await browser.submit(page, '/oauth/agent', { decision: 'allow' });
  expect([again.status, again.html.includes('This page has expired')]).toEqual([400, true]);
});

test('a refusal ends the access that the same page allowed and the agent already has', async () => {
  const browser = await signedIn();
  const agent = publishAgent();
  const { verifier, challenge } = pkce();
  const page = await browser.open(agentUrl(agent, challenge));
  const { params } = await decide(browser, page, 'allow');
  const { status, body } = await exchange(agent, { code: params.get('code') ?? '', verifier });
  const { access_token } = body as { access_token: string };
  expect(status).toBe(200);
  expect(await (await connectAgent(access_token)).names()).toContain('check_availability');
  await decide(browser, page, 'refuse');
  await expect(connectAgent(access_token)).rejects.toThrow();
});

test('what an agent changed is in the audit log, and stands beside the agent', async () => {
  const browser = await signedIn();
  const agent = publishAgent();
  const { body } = await exchange(agent, await letIn(browser, agent));
  const changed = /Changed your preferences \w{3} \d+ \w{3}/;
  expect((await browser.open(`${world.baseUrl}/me`)).html).not.toMatch(changed);
  await (await connectAgent(body.access_token)).call('update_preferences', { buffer_minutes: 15 });
  expect((await browser.open(`${world.baseUrl}/me`)).html).toMatch(changed);
  const last =
    "select actor_kind, actor, details from audit_log where action = 'preferences.changed' order by at desc limit 1";
  const actor = `sk_user_…${body.access_token.slice(-4)}`;
  expect(await world.neon.query(last)).toEqual([{ actor_kind: 'key', actor, details: { fields: 'buffer_minutes' } }]);
});
