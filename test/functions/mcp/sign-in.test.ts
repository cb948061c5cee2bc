import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { GENERATIONS, type Generation, REVISION } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { decide, type PublishedAgent, publishAgent } from '../../support/people/signing-in.ts';
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
  expect(me.html).toMatch(new RegExp(`<strong>${agent.host}</strong> <bdi>Helpful Agent</bdi>`));
  expect((await browser.submit(me, '/me/agents/revoke')).html).not.toContain(agent.host);
  delete kept.url;
  const late = second.client.callTool({ name: 'list_meetings', arguments: {} });
  await expect(late).rejects.toThrow(UnauthorizedError);
  expect(kept.url).toBeDefined();
});

test('a person who is not signed in signs in first, and comes back to the request', async () => {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  const agent = publishAgent();
  const { kept, provider } = createProvider(agent);
  await expect(connecting(provider, REVISION).connected).rejects.toThrow(UnauthorizedError);
  const { browser } = await world.signIn(email);
  await browser.submit(await browser.open(`${world.baseUrl}/me`), '/me/sign-out');

  const asked = await browser.open(kept.url?.href ?? '');
  expect(asked.status).toBe(401);
  expect(asked.html).toContain('An agent asks to act for you.');
  const google = await browser.submit(asked, '/oauth/login', { user_id: email });
  const page = await browser.submit(google, '/consent', { email, action: 'allow' });
  expect(page.html).toContain(`Let ${agent.host} act for you?`);
});
