import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { agentUrl, exchange, pkce, publishAgent } from '../support/people/signing-in.ts';
import { allowAtGoogle, inspect, openTab, pagesSuite, settled, strangeParts } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Starts an agent on this machine, to which the browser goes back. `close()` ends it. */
async function startAgent() {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Agent</title><link rel="icon" href="data:,"><h1>Back at the agent</h1>');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const agent = publishAgent({
    document: { client_name: '<img src=x onerror=alert(1)>', redirect_uris: ['http://127.0.0.1/callback'] },
  });
  return { agent: { ...agent, redirectUri }, close: () => server.close() };
}

test('a person signs in, lets an agent in, finds it on their page and ends its access', async () => {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  const { agent, close } = await startAgent();
  const { verifier, challenge } = pkce();
  const tab = await openTab(agentUrl(agent, challenge));
  await inspect(tab, 'agent-sign-in');
  await tab.page.fill('#user_id', email);
  await settled(tab, () => tab.page.click('text=Continue to Google'));
  await allowAtGoogle(tab, email);
  expect(await strangeParts(tab)).toEqual([]);
  await inspect(tab, 'agent-consent');

  await settled(tab, () => tab.page.click('button[value=allow]'));
  expect(await tab.page.locator('h1').textContent()).toBe('Back at the agent');
  const code = new URL(tab.page.url()).searchParams.get('code') ?? '';
  expect((await exchange(agent, { code, verifier })).status).toBe(200);

  await tab.page.goto(`${world.baseUrl}/me`);
  await inspect(tab, 'me-agents');
  await settled(tab, () => tab.page.getByRole('button', { name: `Revoke ${agent.host}` }).click());
  expect(await tab.page.locator('#agents').count()).toBe(0);
  close();
});

test('a request that is not correct leads back to the agent only by the person’s own click', async () => {
  const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
  const { agent, close } = await startAgent();
  const tab = await openTab(agentUrl(agent, pkce().challenge, { code_challenge_method: 'plain' }), { as: email });
  await inspect(tab, 'agent-refused');
  await settled(tab, () => tab.page.click('text=Go back to'));
  expect(new URL(tab.page.url()).searchParams.get('error')).toBe('invalid_request');
  close();
});
