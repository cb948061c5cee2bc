import { expect, test } from 'vitest';
import { addressOf, PAGE_NAMES } from '../../functions/pages/docs/tree.ts';
import { inspect, openTab, pagesSuite, settled, tabTo } from '../support/worlds/tabs.ts';

pagesSuite();

const PAGES = [
  ...['/', ...PAGE_NAMES.map(addressOf)],
  ...['/docs/reference/scheduling', '/docs/reference/updatePreferences', '/docs/events/meeting.updated'],
  ...['/privacy', '/terms'],
];

const OVERHANGING = `[...document.querySelectorAll('table')]
  .filter((one) => one.scrollWidth > one.parentElement.clientWidth)
  .map((one) => one.textContent.slice(0, 60))`;

test.each(PAGES)('%s is for everybody', async (path) => {
  const tab = await openTab(path);
  await inspect(tab, path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'));
  expect(await tab.page.evaluate(OVERHANGING), 'tables that run under what is beside them').toEqual([]);
  expect(await tab.roundTrips()).toMatchObject({ neon: 0, google: 0 });
});

test('the way around goes by keyboard: past the links to the content, or along them', async () => {
  const tab = await openTab('/docs');
  await tabTo(tab, 'Skip to the content');
  await tab.page.keyboard.press('Enter');
  expect(await tab.page.evaluate('document.activeElement.id')).toBe('main');
  await tab.page.goto(new URL('/docs', tab.page.url()).href);
  await tabTo(tab, 'How Tandem works');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  expect(await tab.page.locator('h1').textContent()).toBe('How Tandem works');
  expect(await tab.page.locator('[aria-current]').textContent()).toBe('How Tandem works');
});

test('a language chosen in one block is shown in all blocks, and on the next page', async () => {
  const tab = await openTab('/docs/search');
  const shown = () =>
    tab.page.locator('.tabs pre:visible').evaluateAll((all) => all.map((one) => one.dataset.language));
  expect(new Set(await shown())).toEqual(new Set(['sh']));
  await tab.page.locator('.tabs').nth(1).getByLabel('Python').check();
  expect(new Set(await shown())).toEqual(new Set(['python']));
  await tab.page.goto(new URL('/docs/rounds', tab.page.url()).href);
  await expect.poll(async () => [...new Set(await shown())]).toEqual(['python']);
});

test('without scripts, the tabs of each block work, and no button does nothing', async () => {
  const tab = await openTab('/docs/search', { javaScript: false });
  await tab.page.locator('.tabs').first().getByLabel('Python').check();
  expect(await tab.page.locator('.tabs').first().locator('pre:visible').textContent()).toContain('urllib.request');
  expect(await tab.page.locator('.copy').count()).toBe(0);
});

test('the button beside code copies what is shown', async () => {
  const tab = await openTab('/docs/search');
  await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab.page.locator('.tabs').first().getByLabel('curl').check();
  await tab.page.locator('.tabs .copy').first().click();
  await expect.poll(() => tab.page.locator('.tabs .copy').first().textContent()).toBe('Copied');
  const copied = await tab.page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(await tab.page.locator('.tabs pre:visible').first().textContent());
});

test('on a phone, a button opens the list of pages', async () => {
  const tab = await openTab('/docs');
  await tab.page.setViewportSize({ width: 360, height: 780 });
  const link = tab.page.locator('.contents a', { hasText: /^Webhooks$/ });
  expect(await link.isVisible()).toBe(false);
  await tab.page.getByRole('button', { name: 'All pages' }).click();
  await settled(tab, () => link.click());
  expect(await tab.page.locator('h1').textContent()).toBe('Webhooks');
});

test('the old address of an operation leads to its page, and the outline to a section', async () => {
  const tab = await openTab('/docs/reference/scheduling#findAvailability');
  await expect.poll(() => new URL(tab.page.url()).pathname).toBe('/docs/reference/findAvailability');
  await tab.page.goto(new URL('/docs/webhooks', tab.page.url()).href);
  await tab.page.locator('.outline a', { hasText: 'What if my server was down?' }).click();
  expect(new URL(tab.page.url()).hash).toBe('#what-if-my-server-was-down');
});
