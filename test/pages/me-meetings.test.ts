import { expect, test } from 'vitest';
import { booked, inHours } from '../support/people/meetings.ts';
import { inspect, openTab, pagesSuite, settled, strangeParts, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

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
