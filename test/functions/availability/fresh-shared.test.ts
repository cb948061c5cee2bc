import { expect, test } from 'vitest';
import { sha256 } from '../../../lib/kit/keys.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { FREE_BUSY } from '../../support/people/meetings.ts';
import { suspend } from '../../support/people/operating.ts';
import { eventually } from '../../support/worlds/eventually.ts';
import { hold, met, passWaiting } from '../../support/worlds/held.ts';
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

test('a request that is refused gives its refusal to no other platform', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const suspended = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  await world.connectCalendar(suspended, ada.email);
  const ask = ({ api }: TestPlatform) => api.send('GET', `/v1/users/${ada.email}/availability?fresh=true`);
  expect([(await ask(suspended)).status, (await ask(platform)).status]).toEqual([200, 200]);
  await suspend(suspended);
  await world.advance(2_000);
  const check = hold({ target: 'neon', body_match: `from \\\\"api_keys.*${await sha256(suspended.secret_key)}` });
  const refused = ask(suspended);
  await met(check);
  const answered = ask(platform);
  await Promise.race([answered, passWaiting()]);
  check.release();
  expect([(await answered).status, (await refused).status]).toEqual([200, 403]);
});

test('a request whose read of the calendar hangs keeps no other request waiting', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const ask = () => platform.api.send('GET', `/v1/users/${ada.email}/availability?fresh=true`);
  const read = hold({ ...FREE_BUSY, times: 1 });
  const first = ask();
  await met(read);
  let second: number | undefined;
  const answered = ask().then(({ status }) => {
    second = status;
  });
  await eventually(async () => {
    await world.advance(100);
    expect(second).toBe(200);
  });
  read.release();
  await answered;
  expect((await first).status).toBe(200);
});
