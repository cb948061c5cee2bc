import { expect, test } from 'vitest';
import { iso } from '../support/people/meetings.ts';
import { answerTo, counter, named, offered } from '../support/people/proposal-pages.ts';
import { readProposal } from '../support/people/proposing.ts';
import { inspect, openTab, pagesSuite, settled, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

const opened = (url: string): Promise<Tab> => openTab(`${new URL(url).pathname}?zone=Europe/London`);

const textOf = ({ page }: Tab) => page.locator('main').textContent();

/** Writes a text into "None of these" and asks for other times. */
async function ask(tab: Tab, text: string): Promise<void> {
  if (!(await tab.page.locator('#reason').isVisible())) await tab.page.click('text=None of these');
  await tab.page.fill('#reason', text);
  await settled(tab, () => tab.page.click('button:visible:has-text("Find other times")'));
}

test('a person asks for other times by keyboard, gets them, and chooses one', async () => {
  const { platform, url, id, days } = await offered();
  const tab = await opened(url);
  await tabTo(tab, 'None of these');
  await tab.page.keyboard.press('Enter');
  await tabTo(tab, /./);
  await tab.page.fill('#reason', `${named(days[1])} before noon`);
  await inspect(tab, 'counter-form');
  await tabTo(tab, 'Find other times');
  await settled(tab, () => tab.page.keyboard.press('Enter'));
  const next = await answerTo(platform, id);
  expect(new URL(tab.page.url()).pathname).toBe(new URL(next.url).pathname);
  expect(await textOf(tab)).toContain('at one of these three times instead');
  await inspect(tab, 'counter-answered');
  await tab.page.click('summary >> nth=0');
  await tab.page.fill('input[name=name]:visible', 'Grace Hopper');
  await settled(tab, () => tab.page.click('button:visible:has-text("Confirm")'));
  expect(await readProposal(platform, next.proposal_id)).toMatchObject({ status: 'accepted' });
});

test('a text that is not understood stays in the form, and can be the reason of a decline', async () => {
  const { platform, url, id } = await offered();
  const tab = await opened(url);
  await ask(tab, 'Sorry, none of these works for me.');
  expect(await textOf(tab)).toContain('We did not understand when you can meet');
  expect(await tab.page.locator('.notice + details #reason').inputValue()).toBe('Sorry, none of these works for me.');
  await inspect(tab, 'counter-not-understood');
  await settled(tab, () => tab.page.click('button:visible:has-text("Decline")'));
  expect(await readProposal(platform, id)).toMatchObject({
    status: 'declined',
    decline_reason: 'Sorry, none of these works for me.',
  });
});

test('an empty text is refused at the field', async () => {
  const { url } = await offered();
  const tab = await opened(url);
  await ask(tab, ' ');
  expect(tab.answer().status()).toBe(400);
  await inspect(tab, 'counter-empty');
});

test('what is not free brings up the nearest times, which one tap holds', async () => {
  const { platform, ada, url, id, days } = await offered();
  const at = (hour: number) => iso(new Date(days[1] ?? 0).setUTCHours(hour, 0, 0, 0));
  world.google.addBusy({ email: ada.email, start: at(8), end: at(12) });
  const tab = await opened(url);
  await ask(tab, `${named(days[1])} between 9:00 and 12:00`);
  expect(await textOf(tab)).toContain('Nothing is free then');
  await inspect(tab, 'counter-not-free');
  await settled(tab, () => tab.page.click('button:visible:has-text("Offer me these times instead")'));
  expect(new URL(tab.page.url()).pathname).toBe(new URL((await answerTo(platform, id)).url).pathname);
});

test('a time that is offered already is named', async () => {
  const { url, days } = await offered();
  const tab = await opened(url);
  await ask(tab, `${named(days[2])} at 15:00`);
  expect(await textOf(tab)).toContain('That is one of the times offered here');
  await inspect(tab, 'counter-offered');
});

test('after three answers only choosing and declining are left', async () => {
  const scene = await offered();
  let { url, id } = scene;
  for (const [n, hours] of ['before noon', 'between 12:00 and 14:00', 'before 11:00'].entries()) {
    await counter(url, `${named(scene.days[n % 2])} ${hours}`);
    ({ url, proposal_id: id } = await answerTo(scene.platform, id));
  }
  const tab = await opened(url);
  await tab.page.click('text=None of these');
  expect(await textOf(tab)).toContain('You have asked for other times as often as you can here.');
  await inspect(tab, 'counter-last');
});
