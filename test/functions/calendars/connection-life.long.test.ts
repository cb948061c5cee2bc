import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { connectedTwice, eventsOf, grantOf, tick, writtenEvents } from '../../support/people/calendars.ts';
import { readByTick, snapshotOf, useByTick } from '../../support/people/snapshots.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

// These tests send no requests about the connection. The background reads of the calendar must notice its end.
healAfterEach();

const FAILED = 'user.calendar.refresh_failed';
const DISCONNECTED = 'user.calendar.disconnected';
type Twice = Awaited<ReturnType<typeof connectedTwice>>;

const lastSync = async ({ platform, ada }: Twice) =>
  ((await platform.api.status(ada.email)).body as { last_sync: string | null }).last_sync;

/** Counts the events of either type that told each platform that the grant had ended. */
const told = ({ platform, other }: Twice) =>
  Promise.all([platform, other].flatMap((one) => [writtenEvents(one, FAILED), writtenEvents(one, DISCONNECTED)]));

/** Runs a tick every five minutes. Before each, somebody asks for Ada's calendar, so it is read. */
async function ticks({ ada }: Twice, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    await world.advance(5 * MINUTE);
    await useByTick(ada.email);
    await world.google.settled();
  }
}

test('a grant that ran out is found by the sweep: every platform is told once, and the calendar is not asked again', async () => {
  const ada = await connectedTwice();
  await readByTick(ada.ada.email);
  world.google.revoke(ada.ada.email);
  await world.advance(2 * HOUR);
  await useByTick(ada.ada.email);
  await eventually(async () => expect(await grantOf(ada.ada.email)).toMatchObject({ status: 'needs_reauthorization' }));
  world.traffic.clear();
  await ticks(ada, 4);
  expect(await told(ada)).toEqual([1, 0, 1, 0]);
  expect(world.traffic.list().filter(({ target }) => target === 'google')).toEqual([]);
});

test('the sweep finds revoked access, and every platform gets one event about it', async () => {
  const ada = await connectedTwice();
  await readByTick(ada.ada.email);
  world.google.revoke(ada.ada.email);
  await world.advance(MINUTE);
  await useByTick(ada.ada.email);
  await eventually(async () => expect(await grantOf(ada.ada.email)).toMatchObject({ status: 'disconnected' }));
  await ticks(ada, 4);
  expect(await told(ada)).toEqual([0, 1, 0, 1]);
  const [event] = await eventsOf(ada.platform, DISCONNECTED);
  expect(event?.body.data).toMatchObject({ reason: 'revoked' });
  expect(await snapshotOf(ada.ada.email)).toBeUndefined();
  expect(await lastSync(ada)).toBeNull();
});

test.each([
  ['answers 503', { mode: 'status', status: 503 }],
  ['answers 429', { mode: 'status', status: 429 }],
  ['breaks every connection', { mode: 'reset' }],
] as const)('a provider that %s for an hour changes nothing, and tells nobody anything', async (_how, fault) => {
  const ada = await connectedTwice();
  await readByTick(ada.ada.email);
  const before = await lastSync(ada);
  // The access token expires in the meantime.
  await world.advance(50 * MINUTE);
  const down = world.faults.add({ target: 'google', ...fault });
  await ticks(ada, 12);
  expect(down.hits()).toBeGreaterThan(3);
  expect(await told(ada)).toEqual([0, 0, 0, 0]);
  expect(await grantOf(ada.ada.email)).toMatchObject({ status: 'connected', refresh: true });
  expect(await lastSync(ada)).toBe(before);
  world.faults.clear();
  await world.advance(16 * MINUTE);
  await readByTick(ada.ada.email);
  expect(await told(ada)).toEqual([0, 0, 0, 0]);
  expect(Date.parse((await lastSync(ada)) ?? '')).toBeGreaterThan(world.clock.now() - MINUTE);
  await tick();
});
