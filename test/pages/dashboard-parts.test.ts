import { expect, test } from 'vitest';
import { linkFor } from '../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform, webhooksOf } from '../support/people/factories.ts';
import { booked, freshPair } from '../support/people/meetings.ts';
import { answerWith, copyFailed, emitMany, hookOf, type LogPage } from '../support/people/webhooks.ts';
import { inspect, openTab, pagesSuite, settled, tabTo } from '../support/worlds/tabs.ts';
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

test('the page of the time zone proposes the browser’s zone until one is chosen', async () => {
  const tab = await openTab(await linkFor(await freshPlatform()), { timeZone: 'Europe/Lisbon' });
  await settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());
  await tab.page.goto(`${world.baseUrl}/dashboard/zone`);
  const [list, said] = [tab.page.locator('#zone'), tab.page.getByText('This is your browser’s time zone')];
  expect([await list.inputValue(), await said.isVisible()]).toEqual(['Europe/Lisbon', true]);
  await list.selectOption('Asia/Tokyo');
  await settled(tab, () => tab.page.getByRole('button', { name: 'Show times in this zone' }).click());
  await tab.page.goto(`${world.baseUrl}/dashboard/zone`);
  expect([await list.inputValue(), await said.count()]).toEqual(['Asia/Tokyo', 0]);
});

/** Opens the dashboard of a platform whose receiver refused an event with a long answer of strange text. */
async function withRefused() {
  const platform = await freshPlatform();
  await hookOf(platform).put({ redeliver_hours: 0 });
  answerWith(platform, { status: 503, body: `<script>alert(1)</script>\u202E${'no-space-in-this-answer'.repeat(60)}` });
  await emitMany(platform, 1);
  await copyFailed(platform, 30);
  answerWith(platform, { status: 200, body: '{"received":true}' });
  await hookOf(platform).put({ url: `${platform.webhookUrl}/${'a-long-path-'.repeat(12)}` });
  await emitMany(platform, 1);
  const tab = await openTab(await linkFor(platform));
  await settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());
  return { platform, tab };
}

test('the log and a delivery can be read by everybody, with a full page, filters and a long answer', async () => {
  const { platform, tab } = await withRefused();
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks`);
  expect(await tab.roundTrips()).toMatchObject({ neon: 2 });
  await inspect(tab, 'deliveries');
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks?event=meeting.updated&status=failed&from=2026-01-01`);
  await inspect(tab, 'deliveries-none');
  const { deliveries } = (await hookOf(platform).logs('?status=failed&limit=200')).body as LogPage;
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks/${deliveries.at(-1)?.id}`);
  await inspect(tab, 'delivery-refused');
  await tab.page.locator('summary', { hasText: 'Request headers' }).first().click();
  await inspect(tab, 'delivery-headers');
});

test('two deliveries are selected and sent again by keyboard alone', async () => {
  const { tab } = await withRefused();
  const { keyboard } = tab.page;
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks?status=failed`);
  for (let selected = 0; selected < 2; selected += 1) {
    await tabTo(tab, /^user\.calendar\.connected, /);
    await keyboard.press('Space');
  }
  await tabTo(tab, 'Resend selected');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toBe('2 events are being sent again.');
  await inspect(tab, 'deliveries-resent');
});
