import { expect, test } from 'vitest';
import { connectAgent } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { agentUrl, decide, exchange, letIn, pkce, publishAgent } from '../../support/people/signing-in.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

async function signedIn() {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  return (await world.signIn(email)).browser;
}

test.each(['text/plain; charset=utf-8', 'text/html', 'application/octet-stream', 'application/jsonp', ''])(
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

test('a consent page that was refused cannot allow the access later, and a refusal ends what it allowed', async () => {
  const browser = await signedIn();
  const agent = publishAgent();
  const { verifier, challenge } = pkce();
  const page = await browser.open(agentUrl(agent, challenge));
  expect((await decide(browser, page, 'refuse')).params.get('error')).toBe('access_denied');
  const again = await browser.submit(page, '/oauth/agent', { decision: 'allow' });
  expect([again.status, again.html.includes('This page has expired')]).toEqual([400, true]);
  const second = await browser.open(agentUrl(agent, challenge));
  const { params } = await decide(browser, second, 'allow');
  await decide(browser, second, 'refuse');
  const { status } = await exchange(agent, { code: params.get('code') ?? '', verifier });
  expect(status).toBe(400);
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

test('a code ends when the person signs out everywhere', async () => {
  const browser = await signedIn();
  const agent = publishAgent();
  const given = await letIn(browser, agent);
  await browser.submit(await browser.open(`${world.baseUrl}/me`), '/me/sign-out-everywhere');
  expect((await exchange(agent, given)).status).toBe(400);
});
