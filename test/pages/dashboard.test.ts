import { expect, test } from 'vitest';
import { linkFor } from '../support/people/dashboard.ts';
import { type TestPlatform, webhooksOf } from '../support/people/factories.ts';
import { booked, freshPair, inHours, iso } from '../support/people/meetings.ts';
import { hookOf } from '../support/people/webhooks.ts';
import { inspect, openTab, pagesSuite, settled, strangeParts, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Opens the platform's dashboard through the page of a link. */
async function enter(platform: TestPlatform): Promise<Tab> {
  const tab = await openTab(await linkFor(platform));
  await settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());
  return tab;
}

test('each page can be read by everybody, also where strangers wrote in it', async () => {
  const pair = await freshPair('pro');
  const { platform, ada, bob } = pair;
  const { id } = await booked({ pair });
  const title = '<img src=x onerror=alert(1)> "quoted" & a title that goes on for longer than a phone is wide';
  const body = { attendees: [ada.email, bob.email], start_time: iso(inHours(72)), duration_minutes: 30, title };
  await platform.api.schedule({ ...body, description: '<script>alert(1)</script>', metadata: { '<b>': '"><i>' } });
  await webhooksOf(platform);
  const { deliveries } = (await hookOf(platform).logs()).body as { deliveries: { id: string }[] };
  const tab = await openTab(await linkFor(platform));
  await inspect(tab, 'dashboard-enter');
  await settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());
  const pages = {
    overview: '/dashboard',
    people: '/dashboard/people',
    meetings: '/dashboard/meetings',
    meeting: `/dashboard/meetings/${id}`,
    'no-meeting': '/dashboard/meetings/%3Cscript%3E',
    webhooks: '/dashboard/webhooks',
    delivery: `/dashboard/webhooks/${deliveries[0]?.id}`,
    endpoint: '/dashboard/webhooks/endpoint',
    rotate: '/dashboard/webhooks/endpoint/rotate',
    keys: '/dashboard/keys',
    regenerate: '/dashboard/keys/regenerate',
    settings: '/dashboard/settings',
  };
  for (const [name, path] of Object.entries(pages)) {
    await tab.page.goto(world.baseUrl + path);
    expect([name, await strangeParts(tab)]).toEqual([name, []]);
    await inspect(tab, `dashboard-${name}`);
  }
});

test('by keyboard alone a link is made, the settings are saved and the dashboard is left', async () => {
  const { platform } = await freshPair('pro');
  const tab = await enter(platform);
  const { keyboard } = tab.page;
  await tabTo(tab, 'People');
  await settled(tab, () => keyboard.press('Enter'));
  await tabTo(tab, 'Their email address');
  await keyboard.type('new@people.test');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByLabel('Link for new@people.test').inputValue()).toContain('user_email=new%40people.test');
  await tabTo(tab, 'Settings');
  await settled(tab, () => keyboard.press('Enter'));
  await tabTo(tab, 'Redirect URIs, one per line');
  await keyboard.type('https://app.test/in');
  await tabTo(tab, 'Save');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toBe('Your settings are saved.');
  await tabTo(tab, 'Sign out');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('heading', { level: 1 }).textContent()).toBe('You are signed out');
});

test('what a form comes to can be read by everybody', async () => {
  const { platform } = await freshPair('pro');
  const tab = await enter(platform);
  const press = (name: string) => settled(tab, () => tab.page.getByRole('button', { name, exact: true }).click());
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks/endpoint`);
  await tab.page.fill('#url', 'https://10.0.0.1/in');
  await press('Save');
  expect(await tab.page.locator('.error').textContent()).toContain('The webhook URL');
  expect(await tab.page.evaluate('document.activeElement.getAttribute("href")')).toBe('#url');
  await inspect(tab, 'dashboard-endpoint-refused');
  await press('Send a test');
  await inspect(tab, 'dashboard-tested');
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks/endpoint/rotate`);
  await press('Replace the secret');
  await inspect(tab, 'dashboard-new-secret');
  await tab.page.goto(`${world.baseUrl}/dashboard/keys/regenerate`);
  await press('Replace the key now');
  await inspect(tab, 'dashboard-new-key');
  await press('Sign out');
  await inspect(tab, 'dashboard-signed-out');
  await tab.page.goto(`${world.baseUrl}/dashboard`);
  await inspect(tab, 'dashboard-closed');
  await tab.page.goto(`${world.baseUrl}/dashboard/nowhere`);
  await inspect(tab, 'dashboard-nowhere');
  expect(await tab.page.getByRole('link', { name: 'Back to the dashboard' }).count()).toBe(1);
});
