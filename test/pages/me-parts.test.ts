import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../support/checks/forms.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { booked, inHours } from '../support/people/meetings.ts';
import { adaWithTwo, agentUrl, exchange, pkce, publishAgent } from '../support/people/signing-in.ts';
import { allowAtGoogle, inspect, openTab, pagesSuite, settled, strangeParts, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

test('a person’s meetings are for everybody, and wait for Postgres once, for the session and the page together', async () => {
  const first = await booked();
  await booked({ pair: first, start: inHours(72) });
  await world.neon.query(
    "update meetings set title = 'The quarterly review with everybody who has ever had a part in it', location = $2 where id = $1",
    [first.id, '<img src=x onerror=alert(1)>'],
  );
  const tab = await openTab('/me/meetings', { as: first.bob.email });
  expect(await tab.roundTrips()).toMatchObject({ neon: 2, google: 0 });
  expect(await strangeParts(tab)).toEqual([]);
  await inspect(tab, 'me-meetings');
  const [summary] = await tab.page.getByText('Propose another time').all();
  await summary?.click();
  await inspect(tab, 'me-meetings-asking');
});

test('by keyboard and with pages that have no script, a person asks for another time, reads what is wrong, and cancels', async () => {
  const { ada, platform } = await booked();
  const tab = await openTab('/me/meetings', { as: ada.email });
  await tabTo(tab, 'Propose another time for Intro');
  await tab.page.keyboard.press('Enter');
  await tabTo(tab, 'When would suit you?');
  await tabTo(tab, 'Offer other times');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(tab.answer().status()).toBe(400);
  expect(await tab.page.locator('.error').textContent()).toContain('Write a day or an hour that suits you');
  await inspect(tab, 'me-meetings-refused');
  await tab.page.fill('textarea', 'Another day, in the afternoon');
  await settled(tab, () => tab.page.click('text=Offer other times'));
  expect(await tab.page.locator('.notice').first().textContent()).toContain('Other times are offered');
  expect(await strangeParts(tab)).toEqual([]);
  await inspect(tab, 'me-meetings-offered');
  await tabTo(tab, 'Cancel Intro');
  await tab.page.keyboard.press('Enter');
  await tabTo(tab, 'Cancel the meeting');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await tab.page.locator('main').textContent()).toContain('No meetings ahead');
  expect(await strangeParts(tab)).toEqual([]);
  await inspect(tab, 'me-meetings-empty');
  expect((await platform.api.send('GET', `/v1/users/${ada.email}/meetings`)).body).toMatchObject({
    meetings: [{ status: 'cancelled' }],
  });
});

const atTheirWeek = async () => openTab('/me/preferences', { as: (await adaWithTwo()).email });

describe('what is typed into the week', () => {
  test('is kept as it was written, however hostile', async () => {
    const tab = await atTheirWeek();
    const [script = '', image = ''] = HOSTILE;
    await tab.page.selectOption('#focus-0-day', 'monday');
    await tab.page.fill('#focus-0-start', '09:00');
    await tab.page.fill('#focus-0-end', '10:00');
    await tab.page.fill('#focus-0-reason', image);
    await tab.page.fill('#context', script);
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(await tab.page.inputValue('#context')).toBe(script);
    expect(await tab.page.inputValue('#focus-0-reason')).toBe(image);
    expect(await strangeParts(tab)).toEqual([]);
  });

  test('is not lost where one field is wrong', async () => {
    const tab = await atTheirWeek();
    const text = 'Two lines,\nthe second “quoted” & <b>bold</b>';
    await tab.page.fill('#context', text);
    await tab.page.fill('#most-per-day', 'eleven');
    await tab.page.uncheck('[name=tuesday-on]');
    await tab.page.check('[name=buffer][value="30"]');
    await tab.page.selectOption('#timezone', 'Asia/Tokyo');
    await tab.page.selectOption('#focus-1-day', 'friday');
    await tab.page.fill('#focus-1-start', '14:00');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(tab.answer().status()).toBe(400);
    expect(await tab.page.locator('.error').allInnerTexts()).toEqual([
      'Enter a time, such as 09:00.',
      'Must be a whole number from 1 to 10.',
    ]);
    expect(await tab.page.inputValue('#context')).toBe(text);
    expect(await tab.page.inputValue('#most-per-day')).toBe('eleven');
    expect(await tab.page.isChecked('[name=tuesday-on]')).toBe(false);
    expect(await tab.page.isChecked('[name=buffer][value="30"]')).toBe(true);
    expect(await tab.page.inputValue('#timezone')).toBe('Asia/Tokyo');
    expect(await tab.page.inputValue('#focus-0-day')).toBe('friday');
    expect(await tab.page.inputValue('#focus-0-start')).toBe('14:00');
    await tab.page.fill('#focus-0-end', '00:00');
    await tab.page.fill('#most-per-day', '4');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(await tab.page.locator('.notice').textContent()).toContain('Saved');
    expect(await tab.page.inputValue('#focus-0-end')).toBe('00:00');
    expect(await tab.page.inputValue('#context')).toBe(text);
  });
});

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
