import { expect, test } from 'vitest';
import { meetingsOf } from '../support/checks/rows.ts';
import { booking, newKey, type Scene, scene } from '../support/people/operations.ts';
import { hold, met } from '../support/worlds/held.ts';
import { eventually } from '../support/worlds/quiet.ts';
import { expectPeace, insist, tally, together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;
const LOOK = { target: 'google', match: 'GET /calendar/v3/calendars/primary/events/' } as const;
const DECISION = { target: 'neon', body_match: 'update \\\\"meetings\\\\" set \\\\"status\\\\".*"failed"' } as const;
const WIDTH = 12;
/** Number of meetings of one platform the sweep works on at a time. The writers keep the others until their turn. */
const IN_HAND = 2;

/** Starts bookings and lets their leases expire. The calendar holds their requests unanswered until `comeBack`. */
async function overdue(at: Scene) {
  const wishes = Array.from({ length: WIDTH }, (_, n) => booking(at, { key: newKey(), requireFree: n % 3 === 0 }));
  const inserts = hold(INSERT);
  const writing = together(wishes);
  await met(inserts, WIDTH);
  await world.advance(61_000);
  return {
    wishes,
    comeBack() {
      inserts.release();
      return writing;
    },
  };
}

const sweep = () => world.worker.runScheduled(world.clock.now());

const statusesOf = async (at: Scene) => (await meetingsOf([at.platform])).map(({ status }) => status).sort();

test('a writer that comes back while the sweep looks leaves the meeting to the sweep', async () => {
  const at = await scene();
  const { wishes, comeBack } = await overdue(at);
  const looks = hold(LOOK);
  const sweeping = sweep();
  await met(looks, IN_HAND);
  const answers = await comeBack();
  looks.release();
  await sweeping;
  expect(tally(answers)).toEqual({ 200: WIDTH - IN_HAND, 500: IN_HAND });
  await expectPeace({ platforms: [at.platform], wishes });
  for (const wish of wishes) expect((await insist(wish)).status).toBe(200);
  expect(await statusesOf(at)).toEqual(Array(WIDTH).fill('scheduled'));
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a writer that comes back after the sweep gave up leaves no event and no meeting', async () => {
  const at = await scene();
  const { wishes, comeBack } = await overdue(at);
  await sweep();
  expect(tally(await comeBack())).toEqual({ 500: WIDTH });
  await expectPeace({ platforms: [at.platform], wishes });
  expect(await statusesOf(at)).toEqual(Array(WIDTH).fill('failed'));
  for (const wish of wishes) await insist(wish);
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a writer that comes back between the sweep’s look and its decision changes nothing', async () => {
  const at = await scene();
  const { wishes, comeBack } = await overdue(at);
  const decisions = hold(DECISION);
  const sweeping = sweep();
  await met(decisions, IN_HAND);
  const answers = await comeBack();
  decisions.release();
  await sweeping;
  expect(tally(answers)).toEqual({ 200: WIDTH - IN_HAND, 500: IN_HAND });
  await expectPeace({ platforms: [at.platform], wishes });
  expect(await statusesOf(at)).toEqual([...Array(IN_HAND).fill('failed'), ...Array(WIDTH - IN_HAND).fill('scheduled')]);
  for (const wish of wishes) await insist(wish);
  await expectPeace({ platforms: [at.platform], wishes });
});

test('a call whose sender died reaches the calendar after the sweep gave up, and its event goes again', async () => {
  const at = await scene();
  const [ada] = at.people;
  const held = world.faults.add({ ...INSERT, mode: 'hold', times: 1 });
  const wish = booking(at, { key: newKey() });
  const writing = wish.send();
  await eventually(() => expect(held.hits()).toBe(1));
  await world.worker.kill();
  expect(await writing).toBeUndefined();
  await world.advance(61_000);
  await world.worker.runScheduled(world.clock.now());
  const [given] = await meetingsOf([at.platform]);
  expect(given?.status).toBe('failed');
  held.release();
  const late = () => world.google.events(ada?.email ?? '').find(({ id }) => id === given?.provider_event_id)?.status;
  await eventually(() => expect(late()).toBe('confirmed'));
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
  expect(late()).toBe('cancelled');
});

test('two sweeps and the clients themselves reconcile each booking once', async () => {
  const at = await scene();
  const wishes = Array.from({ length: WIDTH }, () => booking(at, { key: newKey() }));
  world.faults.add({ ...INSERT, mode: 'kill_after', times: 1 });
  await together(wishes);
  await world.worker.ready();
  await world.advance(61_000);
  world.latency.set({ google: 50 });
  const sweeps = Array.from({ length: 4 }, () => world.worker.runScheduled(world.clock.now()));
  await Promise.all([...sweeps, ...wishes.map(insist), ...wishes.map(insist)]);
  await expectPeace({ platforms: [at.platform], wishes });
});
