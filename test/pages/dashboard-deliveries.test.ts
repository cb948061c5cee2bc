import { expect, test } from 'vitest';
import { linkFor } from '../support/people/dashboard.ts';
import { freshPlatform } from '../support/people/factories.ts';
import { answerWith, copyFailed, emitMany, hookOf, type LogPage } from '../support/people/webhooks.ts';
import { inspect, openTab, pagesSuite, settled, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

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
