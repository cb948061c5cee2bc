import { expect, test } from 'vitest';
import { offeredToGoogleUser } from '../support/people/proposal-pages.ts';
import { inspect, openTab, pagesSuite, settled, type Tab } from '../support/worlds/tabs.ts';

pagesSuite();

const textOf = ({ page }: Tab) => page.locator('main').textContent();

/** Opens the page, goes to Google, and answers there with a button. */
async function check(url: string, action: 'allow' | 'deny'): Promise<Tab> {
  const tab = await openTab(`${new URL(url).pathname}?zone=Europe/London`);
  await settled(tab, () => tab.page.click('button:has-text("Check my Google calendar")'));
  await settled(tab, () => tab.page.click(`button[value=${action}]`));
  return tab;
}

test('a person sees which of the times are free in their calendar, and chooses one', async () => {
  const { url } = await offeredToGoogleUser([[1, 14, 17]]);
  const tab = await check(url, 'allow');
  expect(await tab.page.locator('summary:has-text("Free in your calendar")').count()).toBe(2);
  expect(await tab.page.locator('summary:has-text("Busy in your calendar")').count()).toBe(1);
  await inspect(tab, 'check-free');
  await tab.page.click('summary >> nth=0');
  await tab.page.fill('input[name=name]:visible', 'Grace Hopper');
  await settled(tab, () => tab.page.click('button:visible:has-text("Confirm")'));
  expect(await tab.page.locator('h1').textContent()).toBe('Your meeting is booked');
});

test('a person who is busy at all times gets others, and has them held', async () => {
  const { url } = await offeredToGoogleUser([
    [0, 14, 17],
    [1, 14, 17],
    [2, 14, 17],
  ]);
  const tab = await check(url, 'allow');
  expect(await textOf(tab)).toContain('You are busy at all offered times');
  await inspect(tab, 'check-busy');
  await settled(tab, () => tab.page.click('button:visible:has-text("Offer me these times instead")'));
  expect(await textOf(tab)).toContain('at one of these three times instead');
});

test('a person who refuses at Google can still choose', async () => {
  const { url } = await offeredToGoogleUser();
  const tab = await check(url, 'deny');
  expect(await textOf(tab)).toContain('Your calendar was not checked');
  await inspect(tab, 'check-refused');
});
