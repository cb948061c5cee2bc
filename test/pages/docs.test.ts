import { expect, test } from 'vitest';
import { inspect, openTab, pagesSuite, settled, tabTo } from '../support/worlds/tabs.ts';

pagesSuite();

const PAGES = [
  '/docs',
  '/docs/concepts',
  '/docs/time',
  '/docs/idempotency',
  '/docs/webhooks',
  '/docs/agents',
  '/docs/errors',
  '/docs/reference',
  '/docs/reference/scheduling',
  '/privacy',
  '/terms',
];

test.each(PAGES)('%s is for everybody', async (path) => {
  const tab = await openTab(path);
  await inspect(tab, path.slice(1).replaceAll('/', '-'));
  expect(await tab.roundTrips()).toMatchObject({ neon: 0, google: 0 });
});

test('the way around goes by keyboard: past the links to the content, or along them', async () => {
  const tab = await openTab('/docs');
  await tabTo(tab, 'Skip to the content');
  await tab.page.keyboard.press('Enter');
  expect(await tab.page.evaluate('document.activeElement.id')).toBe('main');
  await tab.page.reload();
  await tabTo(tab, 'Concepts');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await tab.page.locator('h1').textContent()).toBe('Concepts');
  expect(await tab.page.locator('[aria-current]').textContent()).toBe('Concepts');
});
