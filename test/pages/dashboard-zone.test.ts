import { expect, test } from 'vitest';
import { linkFor } from '../support/people/dashboard.ts';
import { freshPlatform } from '../support/people/factories.ts';
import { openTab, pagesSuite, settled } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

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
