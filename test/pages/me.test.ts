import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../support/checks/forms.ts';
import { noteLostGrant } from '../support/people/calendars.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { booked, inHours } from '../support/people/meetings.ts';
import { adaWithTwo, agentUrl, exchange, pkce, publishAgent } from '../support/people/signing-in.ts';
import { allowAtGoogle, inspect, openTab, pagesSuite, settled, strangeParts, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

type Whole = { preferences: { timezone: string } };

/** Opens a page of Ada, whose calendar two platforms have. */
async function atHome(path: string) {
  const ada = await adaWithTwo();
  return { ...ada, tab: await openTab(path, { as: ada.email }) };
}

describe('a person’s own pages are for everybody, and wait for Postgres once, for the session and the page together', () => {
  test('who has access', async () => {
    const { tab } = await atHome('/me');
    await inspect(tab, 'me');
    await tab.page.reload();
    expect(await tab.roundTrips()).toMatchObject({ neon: 2, google: 1 });
  });

  test('the week, also when it is refused', async () => {
    const { tab } = await atHome('/me/preferences');
    expect(await tab.roundTrips()).toMatchObject({ neon: 2, google: 0 });
    await tab.page.selectOption('#focus-0-day', 'tuesday');
    await tab.page.fill('#focus-0-start', '09:00');
    await tab.page.fill('#focus-0-end', '10:30');
    await tab.page.fill('#focus-0-reason', 'Writing, with the door closed');
    await settled(tab, () => tab.page.click('text=Save your week'));
    await inspect(tab, 'me-preferences');
    await tab.page.fill('#monday-end', '07:00');
    await tab.page.fill('#availability_window_days', 'a fortnight');
    await settled(tab, () => tab.page.click('text=Save your week'));
    await inspect(tab, 'me-preferences-refused');
  });

  test('what was learned, and what it is like before anything was', async () => {
    const { teach, tab } = await atHome('/me/learning');
    await inspect(tab, 'me-learning-empty');
    await teach();
    await tab.page.reload();
    expect(await tab.roundTrips()).toMatchObject({ neon: 2, google: 0 });
    await settled(tab, () =>
      tab.page
        .getByRole('button', { name: /^Undo / })
        .first()
        .click(),
    );
    await inspect(tab, 'me-learning');
  });

  test('the question before somebody is deleted', async () => {
    const { tab } = await atHome('/me/delete');
    expect(await tab.roundTrips()).toMatchObject({ neon: 2, google: 0 });
    await inspect(tab, 'me-delete');
    await settled(tab, () => tab.page.click('text=Delete my account'));
    await inspect(tab, 'me-deleted');
  });

  test('a new key, the way out, and who comes as a stranger', async () => {
    const { tab } = await atHome('/me');
    await settled(tab, () => tab.page.click('text=Create a new key'));
    await inspect(tab, 'me-key');
    await settled(tab, () => tab.page.click('text=Sign out'));
    await inspect(tab, 'me-signed-out');
    await settled(tab, () => tab.page.click('text=Sign in again'));
    expect(tab.answer().status()).toBe(401);
    await inspect(tab, 'me-sign-in');
  });

  test('one whose calendar Google does not let Tandem read', async () => {
    const { email, tab } = await atHome('/me');
    await noteLostGrant(email);
    await tab.page.reload();
    expect(await tab.page.locator('.notice').textContent()).toContain('Tandem has lost access to your calendar');
    await inspect(tab, 'me-reconnect');
  });
});

test('a person’s page has their rules, each to be removed there, and their next public holidays', async () => {
  const { email, own, teach } = await adaWithTwo();
  await own.send('PUT', '/v1/user/preferences', { holidays: 'US' });
  const tab = await openTab('/me', { as: email });
  const rules = tab.page.locator('#rules');
  expect(await rules.textContent()).toContain('No rules yet');
  await teach();
  await tab.page.reload();
  expect(await rules.textContent()).toContain('You wrote “No meetings on Mondays”');
  expect(await rules.textContent()).toContain('on the public holidays of the United States.');
  expect(await rules.locator('h3 ~ ul li').count()).toBe(3);
  await inspect(tab, 'me-rules');
  const remove = rules.getByRole('button', { name: /^Remove / });
  const count = await remove.count();
  await settled(tab, () => remove.first().click());
  expect(new URL(tab.page.url()).pathname).toBe('/me');
  expect(await remove.count()).toBe(count - 1);
});

describe('Google, on the page of access', () => {
  const LIST = { target: 'google', match: 'GET /calendar/v3/users/me/calendarList' } as const;

  test('is waited for a second and a half at most', async () => {
    const { tab } = await atHome('/me');
    world.faults.add({ ...LIST, mode: 'hang', times: 1 });
    const before = world.clock.workerOffset();
    await tab.page.reload();
    expect(world.clock.workerOffset() - before).toBeGreaterThan(0);
    expect(world.clock.workerOffset() - before).toBeLessThanOrEqual(1_500);
    expect(await tab.page.locator('#calendars').textContent()).toContain(
      'Tandem could not get your calendars from Google',
    );
    await inspect(tab, 'me-google-hangs');
  });

  test('is not waited for while it hangs on a token that has run out, and the page opens all the same', async () => {
    const { email, tab } = await atHome('/me');
    await world.neon.query(
      "update calendar_accounts set access_expires_at = '2020-01-01' where user_id = (select id from users where email = $1)",
      [email],
    );
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'hang', times: 1 });
    await tab.page.reload();
    expect(tab.answer().status()).toBe(200);
    expect(await tab.page.locator('#calendars').textContent()).toContain(
      'Tandem could not get your calendars from Google',
    );
  });

  test('says that the grant has ended: the page says so at once', async () => {
    const { email, tab } = await atHome('/me');
    world.google.revoke(email);
    await tab.page.reload();
    expect(tab.answer().status()).toBe(200);
    expect(await tab.page.locator('#calendars').count()).toBe(0);
    expect(await tab.page.locator('main').textContent()).toMatch(/No platform has access|Tandem has lost access/);
  });
});

describe('by keyboard alone, without any script', () => {
  test('a person disconnects a platform, and reads of the other', async () => {
    const { tab } = await atHome('/me');
    const platforms = tab.page.locator('section', { hasText: 'Who has access to your calendar' }).locator('.rows > li');
    expect(await platforms.count()).toBe(2);
    await tabTo(tab, 'Disconnect Acme & Sons');
    await settled(tab, () => tab.page.keyboard.press('Enter'));
    expect(await tab.roundTrips()).toMatchObject({ neon: 2, google: 0 });
    await inspect(tab, 'me-disconnect');
    await tabTo(tab, 'Disconnect');
    await settled(tab, () => tab.page.keyboard.press('Enter'));
    expect(await platforms.allInnerTexts()).toEqual([expect.stringContaining('Test platform')]);
  });

  test('a person sets their week, and sees it drawn', async () => {
    const { own, tab } = await atHome('/me/preferences');
    await tabTo(tab, 'Friday');
    await tab.page.keyboard.press('Space');
    await tabTo(tab, 'Weekday');
    await tab.page.keyboard.type('Wed');
    await tab.page.keyboard.press('Tab');
    await tab.page.keyboard.type('0130PM');
    await tabTo(tab, 'Until');
    await tab.page.keyboard.type('0300PM');
    await tabTo(tab, 'Reason');
    await tab.page.keyboard.type('Swimming');
    // Enter saves, because it submits the form from any field.
    await settled(tab, () => tab.page.keyboard.press('Enter'));
    expect(await tab.page.locator('.notice').textContent()).toContain('Saved');
    const { preferences } = (await own.send('GET', '/v1/user/preferences')).body as Record<string, never>;
    expect(preferences).toMatchObject({
      work_hours: { friday: { enabled: false }, monday: { enabled: true, start: '08:00', end: '18:00' } },
      focus_blocks: [{ day: 'wednesday', start: '13:30', end: '15:00', reason: 'Swimming' }],
    });
    await tab.page.click('summary');
    expect(await tab.page.locator('table').textContent()).toMatch(
      /Wednesday\s*Work hours 8:00–18:00\. Focus time 13:30–15:00\./,
    );
    expect(await tab.page.locator('table').textContent()).toMatch(/Friday\s*No work hours/);
  });

  test('a person undoes what was learned, one by one and all', async () => {
    const { email, teach } = await adaWithTwo();
    await teach();
    const tab = await openTab('/me/learning', { as: email });
    const undo = tab.page.getByRole('button', { name: /^Undo / });
    const count = await undo.count();
    expect(count).toBeGreaterThan(1);
    await tabTo(tab, /^Undo /);
    await settled(tab, () => tab.page.keyboard.press('Enter'));
    expect(await undo.count()).toBe(count - 1);
    await tabTo(tab, 'Forget everything learned');
    await settled(tab, () => tab.page.keyboard.press('Enter'));
    expect(await undo.count()).toBe(0);
    expect(await tab.page.locator('main').textContent()).toContain('Nothing learned yet');
    expect(await strangeParts(tab)).toEqual([]);
  });

  test('the pages have no script to need', async () => {
    const { email, own } = await adaWithTwo();
    const zoneNow = async () => ((await own.send('GET', '/v1/user/preferences')).body as Whole).preferences.timezone;
    const tab = await openTab('/me/preferences', { as: email, javaScript: false });
    await tab.page.fill('#max_meetings_per_day', '3');
    await tab.page.selectOption('#timezone', 'Asia/Tokyo');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect([await tab.page.inputValue('#max_meetings_per_day'), await zoneNow()]).toEqual(['3', 'Asia/Tokyo']);
    await tab.page.selectOption('#timezone', { label: 'As in your calendar: Berlin' });
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect([await tab.page.inputValue('#timezone'), await zoneNow()]).toEqual(['', 'Europe/Berlin']);
  });
});

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

describe('what is typed into the week', () => {
  test('is kept as it was written, however hostile', async () => {
    const { tab } = await atHome('/me/preferences');
    const [script = '', image = ''] = HOSTILE;
    await tab.page.selectOption('#focus-0-day', 'monday');
    await tab.page.fill('#focus-0-start', '09:00');
    await tab.page.fill('#focus-0-end', '10:00');
    await tab.page.fill('#focus-0-reason', image);
    await tab.page.fill('#scheduling_context', script);
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(await tab.page.inputValue('#scheduling_context')).toBe(script);
    expect(await tab.page.inputValue('#focus-0-reason')).toBe(image);
    expect(await strangeParts(tab)).toEqual([]);
  });

  test('is not lost where one field is wrong', async () => {
    const { tab } = await atHome('/me/preferences');
    const text = 'Two lines,\nthe second “quoted” & <b>bold</b>';
    await tab.page.fill('#scheduling_context', text);
    await tab.page.fill('#max_meetings_per_day', 'eleven');
    await tab.page.uncheck('[name=tuesday-on]');
    await tab.page.check('[name=buffer_minutes][value="30"]');
    await tab.page.selectOption('#timezone', 'Asia/Tokyo');
    await tab.page.selectOption('#focus-1-day', 'friday');
    await tab.page.fill('#focus-1-start', '14:00');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(tab.answer().status()).toBe(400);
    expect(await tab.page.locator('.error').allInnerTexts()).toEqual([
      'Enter a time, such as 09:00.',
      'Must be a whole number from 1 to 10.',
    ]);
    expect(await tab.page.inputValue('#scheduling_context')).toBe(text);
    expect(await tab.page.inputValue('#max_meetings_per_day')).toBe('eleven');
    expect(await tab.page.isChecked('[name=tuesday-on]')).toBe(false);
    expect(await tab.page.isChecked('[name=buffer_minutes][value="30"]')).toBe(true);
    expect(await tab.page.inputValue('#timezone')).toBe('Asia/Tokyo');
    expect(await tab.page.inputValue('#focus-0-day')).toBe('friday');
    expect(await tab.page.inputValue('#focus-0-start')).toBe('14:00');
    await tab.page.fill('#focus-0-end', '00:00');
    await tab.page.fill('#max_meetings_per_day', '4');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(await tab.page.locator('.notice').textContent()).toContain('Saved');
    expect(await tab.page.inputValue('#focus-0-end')).toBe('00:00');
    expect(await tab.page.inputValue('#scheduling_context')).toBe(text);
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
