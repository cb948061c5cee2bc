import { expect, test } from 'vitest';
import { linkFor } from '../support/people/dashboard.ts';
import { type TestPlatform, webhooksOf } from '../support/people/factories.ts';
import { booked, freshPair } from '../support/people/meetings.ts';
import { hookOf } from '../support/people/webhooks.ts';
import { openTab, pagesSuite, settled, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

async function openAt(platform: TestPlatform, path: string, javaScript = true) {
  const tab = await openTab(await linkFor(platform), { javaScript });
  await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());
  await tab.page.goto(world.baseUrl + path);
  return tab;
}

test('by keyboard alone an id is copied, and screen readers hear it', async () => {
  const pair = await freshPair('pro');
  const { id } = await booked({ pair });
  const tab = await openAt(pair.platform, `/dashboard/meetings/${id}`);
  await tabTo(tab, 'Copy the meeting ID');
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => tab.page.locator('main [aria-live=polite]').textContent()).toBe('Copied');
  expect(await tab.page.locator('.copy').textContent()).toBe('Copied the meeting ID');
  expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(id);
  await expect.poll(() => tab.page.locator('main [aria-live=polite]').textContent()).toBe('');
});

test('if the browser forbids copying, the button says so', async () => {
  const pair = await freshPair('pro');
  const { id } = await booked({ pair });
  const tab = await openAt(pair.platform, `/dashboard/meetings/${id}`);
  await tab.page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))`);
  await tab.page.locator('.copy').click();
  await expect.poll(() => tab.page.locator('main [aria-live=polite]').textContent()).toBe('Not copied');
});

test('a delivery, its event and a person can be copied, and a link to connect is copied whole', async () => {
  const pair = await freshPair('pro');
  await booked({ pair });
  await webhooksOf(pair.platform);
  const { deliveries } = (await hookOf(pair.platform).logs()).body as { deliveries: { id: string }[] };
  const tab = await openAt(pair.platform, `/dashboard/webhooks/${deliveries[0]?.id}`);
  const buttons = () => tab.page.locator('.copy').allTextContents();
  expect(await buttons()).toEqual(['Copy the meeting ID', 'Copy the URL', 'Copy the delivery ID', 'Copy the event ID']);
  await tab.page.goto(`${world.baseUrl}/dashboard/people/${encodeURIComponent(pair.ada.email)}`);
  expect(await buttons()).toEqual(['Copy the email address', 'Copy the link']);
  await tab.page.locator('summary', { hasText: 'Link to connect again' }).click();
  await tab.page.locator('.copy').last().click();
  await expect.poll(() => tab.page.evaluate('navigator.clipboard.readText()')).toContain('user_email=');
  expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(await tab.page.locator('#link').inputValue());
});

test('without JavaScript no button does nothing', async () => {
  const pair = await freshPair('pro');
  const { id } = await booked({ pair });
  const tab = await openAt(pair.platform, `/dashboard/meetings/${id}`, false);
  expect(await tab.page.locator('[data-copy]').textContent()).toBe(id);
  expect(await tab.page.locator('.copy').count()).toBe(0);
});
