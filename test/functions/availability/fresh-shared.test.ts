import { expect, test } from 'vitest';
import { suspend } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { freshPair, inHours, iso } from '../../support/people/meetings.ts';
import { eventually, hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const readsOf = () => world.traffic.list().filter(({ path }) => path.includes('/freeBusy')).length;

/** Most reads of one person's calendar in the time that passes on the world's clock, because each serves for a second. */
async function mostReadsDuring(act: () => Promise<unknown>): Promise<number> {
  const began = world.clock.now();
  await act();
  return 1 + Math.floor((world.clock.now() - began) / 1_000);
}

test('fresh reads of one person at once are one call of Google, and a later one is another', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const ask = async () => (await platform.api.send('GET', `/v1/users/${ada.email}/availability?fresh=true`)).status;
  const before = readsOf();
  const most = await mostReadsDuring(async () =>
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(200)),
  );
  const first = readsOf() - before;
  expect(first).toBeLessThanOrEqual(most);
  await world.advance(2_000);
  expect(await ask()).toBe(200);
  expect(readsOf() - before).toBe(first + 1);
});

test.each([
  ['for an event', async (email: string, start: string, end: string) => world.google.addBusy({ email, start, end })],
  [
    'through another platform',
    async (email: string, start_time: string) => {
      const other = await freshPlatform({ plan: 'enterprise' });
      const carol = await connectedPerson(other, { name: 'carol' });
      await world.connectCalendar(other, email);
      const attendees = [carol.email, email];
      expect((await other.api.schedule({ attendees, start_time, duration_minutes: 30, title: 'Taken' })).status).toBe(
        200,
      );
    },
  ],
])(
  'bookings that are refused at once, of a time that is taken %s, share their looks and their searches',
  async (_how, take) => {
    const { platform, ada, bob } = await freshPair();
    const [start = '', end = ''] = [48, 48.5].map((hours) => iso(inHours(hours)));
    await take(bob.email, start, end);
    await world.advance(2_000);
    const body = { attendees: [ada.email, bob.email], start_time: start, duration_minutes: 30, title: 'Late' };
    const book = async () => (await platform.api.schedule({ ...body, require_free: true })).status;
    const before = readsOf();
    const most = await mostReadsDuring(async () =>
      expect(await Promise.all(Array.from({ length: 20 }, book))).toEqual(Array(20).fill(409)),
    );
    expect(readsOf() - before).toBeLessThanOrEqual(2 * 2 * most);
  },
);

test('a look of a moment ago never lets a booking pass: an event made since refuses it', async () => {
  const { platform, ada, bob } = await freshPair();
  const [start = '', end = '', later = ''] = [48, 48.5, 50].map((hours) => iso(inHours(hours)));
  const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: 'Late', require_free: true };
  world.google.addBusy({ email: bob.email, start, end });
  expect((await platform.api.schedule({ ...body, start_time: start })).status).toBe(409);
  world.google.addBusy({ email: bob.email, start: later, end: iso(inHours(50.5)) });
  expect((await platform.api.schedule({ ...body, start_time: later })).status).toBe(409);
  expect((await platform.api.schedule({ ...body, start_time: iso(inHours(52)) })).status).toBe(200);
});

test('a fresh read of one platform waits for no other platform’s key, and is not refused with it', async () => {
  const [suspended, other] = [await freshPlatform({ plan: 'enterprise' }), await freshPlatform({ plan: 'enterprise' })];
  const ada = await connectedPerson(suspended, { name: 'ada' });
  await world.connectCalendar(other, ada.email);
  const path = `/v1/users/${ada.email}/availability?fresh=true`;
  for (const { api } of [suspended, other]) expect((await api.send('GET', path)).status).toBe(200);
  await suspend(suspended);
  await world.advance(2_000);
  const began = world.traffic.list().length;
  const check = hold({ target: 'neon', body_match: 'from \\\\"api_keys', times: 1 });
  const refused = suspended.api.send('GET', path);
  await met(check);
  const ended = () =>
    world.traffic.list().filter(({ target, end }, at) => at >= began && target === 'neon' && end !== null);
  await eventually(() => expect(ended()).toHaveLength(1));
  expect((await other.api.send('GET', path)).status).toBe(200);
  check.release();
  expect((await refused).status).toBe(403);
});

test('a fresh read goes on when the request that began it was answered, and serves the one that waits for it', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const [ada, failing] = [await connectedPerson(platform, { name: 'ada' }), await connectedPerson(platform)];
  await world.advance(2_000);
  const { habits } = world.google.settings;
  habits.set(ada.email, 'slow').set(failing.email, 'down');
  const attendees = [ada.email, failing.email];
  expect((await platform.api.send('POST', '/v1/availability?fresh=true', { attendees })).status).toBe(500);
  const served = await platform.api.send('GET', `/v1/users/${ada.email}/availability?fresh=true`);
  habits.delete(ada.email);
  habits.delete(failing.email);
  expect(served.status).toBe(200);
});
