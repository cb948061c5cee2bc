import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import {
  codeOf,
  connectedTwice,
  eventsOf,
  grantOf,
  instant,
  loseGrant,
  NO_GRANT,
  providerIdOf,
  searchable,
  tick,
  times,
  writtenEvents,
} from '../../support/people/calendars.ts';
import type { TestPlatform } from '../../support/people/factories.ts';
import { readByTick, snapshotOf, useByTick } from '../../support/people/snapshots.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const FAILED = 'user.calendar.refresh_failed';

async function expectDisconnected(platform: TestPlatform, email: string, reason: string) {
  const [event] = await eventsOf(platform, DISCONNECTED);
  expect(event?.body.data).toEqual({
    user_email: email,
    provider_id: providerIdOf(email),
    disconnected_at: instant,
    reason,
  });
}

describe('a refusal that comes late', () => {
  /** Starts a read of Ada's calendar. Its token refresh is held and will be refused once it is released. */
  async function lateRefusal() {
    const all = await searchable();
    await loseGrant(all);
    const held = hold({ target: 'google', match: 'POST /token', times: 1 });
    const read = () => all.platform.api.send('GET', `/v1/users/${all.ada.email}/availability`);
    const late = read();
    await met(held);
    return { ...all, read, late, release: held.release };
  }

  test('does not end the grant that was given since', async () => {
    const { platform, ada, late, release, search } = await lateRefusal();
    await world.connectCalendar(platform, ada.email);
    release();
    await late;
    expect(await writtenEvents(platform, FAILED)).toBe(0);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true });
    expect((await search()).status).toBe(200);
  });

  test('sends no second event when another request has refreshed meanwhile', async () => {
    const { both, read, late, release } = await lateRefusal();
    await world.advance(16_000);
    expect((await read()).status).toBe(404);
    release();
    expect((await late).status).toBe(404);
    for (const one of both) await eventsOf(one, FAILED);
  });
});

describe('a grant that needs a new consent for seven days', () => {
  test('ends the connections, once', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(7 * DAY - 60_000);
    await tick();
    expect(await grantOf(all.ada.email)).toMatchObject({ status: 'needs_reauthorization' });
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
    await world.advance(120_000);
    await Promise.all([tick(), tick(), tick()]);
    for (const one of all.both) {
      await expectDisconnected(one, all.ada.email, 'token_expired');
      expect((await one.api.status(all.ada.email)).body).toMatchObject({ calendar_connected: false });
    }
    await tick();
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
    expect(codeOf(await all.search())).toBe('user_not_found');
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(1);
  });

  test('counts from the last consent', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(6 * DAY);
    await world.connectCalendar(all.platform, all.ada.email);
    await world.advance(2 * DAY);
    await tick();
    expect((await all.search()).status).toBe(200);
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
  });

  test('is not ended by a sweep that a new consent overtakes', async () => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(7 * DAY + 60_000);
    const held = hold({ target: 'neon', body_match: 'insert into revocations', times: 1 });
    const sweep = tick();
    await met(held);
    await world.connectCalendar(all.platform, all.ada.email);
    held.release();
    await sweep;
    expect(await writtenEvents(all.platform, DISCONNECTED)).toBe(0);
    expect((await all.search()).status).toBe(200);
  });

  test.each(['kill', 'kill_after'] as const)('ends once when the Worker meets %s', async (mode) => {
    const all = await searchable();
    await loseGrant(all);
    await all.search();
    await world.advance(7 * DAY + 60_000);
    world.faults.add({ target: 'neon', match: 'POST /sql', body_match: 'insert into revocations', mode, times: 1 });
    await tick().catch(() => undefined);
    await world.worker.ready();
    await world.advance(61_000);
    await tick();
    await tick();
    for (const one of all.both) await eventsOf(one, DISCONNECTED);
    expect(await grantOf(all.ada.email)).toEqual(NO_GRANT);
  });
});

describe('access that is revoked before the token expires', () => {
  test('ends the connections with all platforms, however many requests race', async () => {
    const all = await searchable();
    world.google.revoke(all.ada.email);
    const answers = await times(20, (i) => all.search(i % 2 ? all.platform : all.other));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(404));
    for (const one of all.both) {
      await expectDisconnected(one, all.ada.email, 'revoked');
      expect(await writtenEvents(one, FAILED)).toBe(0);
      expect((await one.api.calendars()).body).toMatchObject({ count: 1 });
    }
    const later = await all.search();
    expect(later.body).toMatchObject({ error: { code: 'user_not_found', email: all.ada.email } });
  });

  test('a refused token is refreshed when the grant still stands', async () => {
    const all = await searchable();
    world.google.expireAccessTokens(all.ada.email);
    expect((await all.search()).status).toBe(200);
    expect(await grantOf(all.ada.email)).toMatchObject({ status: 'connected' });
  });
});

// These tests send no requests about the connection. The background reads of the calendar must notice its end.

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
