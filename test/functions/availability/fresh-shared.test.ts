import { expect, test } from 'vitest';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const readsOf = () => world.traffic.list().filter(({ path }) => path.includes('/freeBusy')).length;

test('fresh reads of one person at once are one call of Google, and a later one is another', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const ask = async () => (await platform.api.send('GET', `/v1/users/${ada.email}/availability?fresh=true`)).status;
  const before = readsOf();
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(200));
  const first = readsOf() - before;
  // The requests may take longer than a second on a busy machine, so a few reads may be needed, but never one for each.
  expect(first).toBeLessThan(10);
  await world.advance(2_000);
  expect(await ask()).toBe(200);
  expect(readsOf() - before).toBe(first + 1);
});
