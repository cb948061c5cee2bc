import { describe, expect, test } from 'vitest';
import { flatRefusal } from '../../support/checks/errors.ts';
import {
  connectedTwice,
  eventsOf,
  grantOf,
  NO_GRANT,
  revokeCalls,
  searchable,
  tick,
} from '../../support/people/calendars.ts';
import { seen } from '../../support/people/meetings.ts';
import { count, hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('the revocation', () => {
  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['answers 400 without saying why', { mode: 'status', status: 400, body: 'Bad Request' }],
    ['drops the answer', { mode: 'after' }],
    ['hangs', { mode: 'hang' }],
  ] as const)('is carried through when the provider %s', async (_name, fault) => {
    const { platform, other, ada } = await connectedTwice();
    await tick();
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    await world.advance(61_000);
    await tick();
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    world.faults.clear();
    world.traffic.clear();
    await tick();
    expect(revokeCalls()).toEqual([]);
    await world.advance(121_000);
    await tick();
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });

  test('is done when the provider knows the token no more', async () => {
    const { platform, ada } = await connectedTwice();
    world.google.revoke(ada.email);
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test.each([
    ['takes its time', { mode: 'hold' }],
    ['is done and its answer lost', { mode: 'after' }],
    ['hangs', { mode: 'hang' }],
    ['is done and the Worker dies', { mode: 'kill_after' }],
  ] as const)('that %s does not end a consent that is given meanwhile', async (_name, fault) => {
    const { platform, ada, search } = await searchable();
    const revocation = world.faults.add({ target: 'google', match: 'POST /revoke', ...fault, times: 1 });
    const leaving = platform.api.disconnect(ada.email).catch(() => undefined);
    await met(revocation);
    await world.worker.ready();
    const looks = count({ target: 'neon', body_match: 'created_at\\\\" from \\\\"revocations' });
    const consenting = world.connectCalendar(platform, ada.email);
    if (fault.mode === 'hold') await met(looks, 2);
    revocation.release();
    await consenting;
    await leaving;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.advance(60_000);
      await tick();
    }
    expect((await search()).status).toBe(200);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
  });

  test('is not begun while a consent is being read', async () => {
    const { platform, ada, search } = await searchable();
    const refused = world.faults.add({
      target: 'google',
      match: 'POST /revoke',
      mode: 'status',
      status: 503,
      times: 2,
    });
    const held = hold({ target: 'google', match: 'POST /token', times: 1 });
    await platform.api.disconnect(ada.email);
    const consenting = world.connectCalendar(platform, ada.email);
    await met(held);
    expect(refused.hits()).toBe(2);
    await world.advance(20_000);
    await tick();
    held.release();
    await consenting;
    expect((await search()).status).toBe(200);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
  });

  test('is held off by a consent that died no longer than the next one needs', async () => {
    const { platform, ada, search } = await searchable();
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503, times: 2 });
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'kill', times: 1 });
    await platform.api.disconnect(ada.email);
    await expect(world.connectCalendar(platform, ada.email)).rejects.toThrow();
    await world.worker.ready();
    await world.connectCalendar(platform, ada.email);
    expect((await search()).status).toBe(200);
  });
});

describe('a failing database and a Worker that dies', () => {
  const batch = { target: 'neon', match: 'POST /sql', body_match: 'insert into revocations', times: 1 } as const;

  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
  ] as const)('nothing has changed when the database %s', async (_name, fault) => {
    const { platform, ada } = await connectedTwice();
    world.faults.add({ ...batch, ...fault });
    const answer = await platform.api.disconnect(ada.email);
    expect(seen(answer)).toEqual(
      flatRefusal(500, 'Internal error', {
        message: expect.stringMatching(/The request ID is \S+\. If it happens again/),
      }),
    );
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    await eventsOf(platform, DISCONNECTED);
  });

  test.each([
    ['after the batch', { ...batch, mode: 'kill_after' }],
    ['before the revocation', { target: 'google', match: 'POST /revoke', mode: 'kill', times: 1 }],
    ['after the revocation', { target: 'google', match: 'POST /revoke', mode: 'kill_after', times: 1 }],
  ] as const)('killed %s, the sweep does the rest', async (_name, fault) => {
    const { platform, other, ada } = await connectedTwice();
    await tick();
    world.faults.add(fault);
    await expect(platform.api.disconnect(ada.email)).rejects.toThrow();
    await world.worker.ready();
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(404);
    await world.advance(61_000);
    world.traffic.clear();
    await tick();
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });
});
