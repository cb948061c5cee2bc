import { describe, expect, test } from 'vitest';
import {
  connectedTwice,
  eventsOf,
  grantOf,
  listed,
  NO_GRANT,
  revokeCalls,
  tick,
  writtenEvents,
} from '../support/calendars.ts';
import { wholeError } from '../support/errors.ts';
import { eventually } from '../support/eventually.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../support/factories.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('races', () => {
  test('twenty requests of two platforms: one succeeds, each platform is told once', async () => {
    const { platform, other, ada } = await connectedTwice();
    world.traffic.clear();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? platform : other).api.disconnect(ada.email)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test.each([0, 10, 20, 30, 40, 50, 60])(
    'a platform that connects meanwhile, by %i ms, is told or connected',
    async (delay_ms) => {
      const { platform, ada } = await connectedTwice();
      const late = await freshPlatform({ plan: 'enterprise' });
      world.faults.add({ target: 'neon', body_match: 'insert into revocations', mode: 'delay', delay_ms });
      const [, answer] = await Promise.all([
        world.connectCalendar(late, ada.email).catch(() => undefined),
        platform.api.disconnect(ada.email),
      ]);
      expect(answer.status).toBe(200);
      const connected = await writtenEvents(late, 'user.calendar.connected');
      const told = await writtenEvents(late, DISCONNECTED);
      expect((await listed(late)).count).toBe(connected - told);
      const grant = await grantOf(ada.email);
      if (connected === told) expect(grant).toEqual(NO_GRANT);
      else expect(grant).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
      expect((await listed(platform)).count).toBe(0);
      expect(await writtenEvents(platform, DISCONNECTED)).toBe(1);
    },
  );

  test('platforms that connect at the same time all hear of the last one', async () => {
    const person = freshPerson();
    const platforms = await Promise.all(Array.from({ length: 4 }, () => freshPlatform()));
    await Promise.all(platforms.map((platform) => world.connectCalendar(platform, person.email)));
    const heard = await Promise.all(platforms.map((platform) => writtenEvents(platform, 'user.calendar.connected')));
    // However they are ordered, the first hears of four consents and the last of one.
    expect(heard.sort()).toEqual([1, 2, 3, 4]);
  });

  test('a refresh under way does not bring a disconnected grant back', async () => {
    const { platform, other, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(2 * 3_600_000);
    // The grant still stands when the refresh is answered, after the connections have ended.
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'delay', delay_ms: 700 });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
    world.traffic.clear();
    const search = platform.api.availability({ attendees: [ada.email, bob.email] });
    const refreshes = () => world.traffic.list().filter(({ path }) => path.startsWith('/token'));
    await eventually(() => expect(refreshes()).toHaveLength(2));
    expect((await other.api.disconnect(ada.email)).status).toBe(200);
    expect(refreshes().map(({ end }) => end)).toEqual([null, null]);
    await search;
    expect(await grantOf(ada.email)).toEqual({ ...NO_GRANT, revocations: 1 });
    world.faults.clear();
    await world.advance(61_000);
    await tick();
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
  });

  test('a request that comes late does not end what was connected since with another platform', async () => {
    const { platform, other, ada } = await connectedTwice();
    const batch = { target: 'neon', body_match: 'insert into revocations' } as const;
    world.faults.add({ ...batch, mode: 'delay', delay_ms: 700, times: 1 });
    const late = platform.api.disconnect(ada.email);
    await eventually(() => expect(world.faults.list()[0]?.hits).toBe(1));
    expect((await other.api.disconnect(ada.email)).status).toBe(200);
    await world.connectCalendar(other, ada.email);
    expect((await late).status).toBe(404);
    expect((await listed(other)).count).toBe(1);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });
});

describe('the revocation', () => {
  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['answers 400 without saying why', { mode: 'status', status: 400, body: 'Bad Request' }],
    ['answers 429', { mode: 'status', status: 429 }],
    ['drops the connection', { mode: 'reset' }],
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
    ['takes its time', { mode: 'delay', delay_ms: 2_500 }],
    ['is done and its answer lost', { mode: 'after' }],
    ['hangs', { mode: 'hang' }],
    ['is done and the Worker dies', { mode: 'kill_after' }],
  ] as const)('that %s does not end a consent that is given meanwhile', async (_name, fault) => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    world.faults.add({ target: 'google', match: 'POST /revoke', ...fault, times: 1 });
    const leaving = platform.api.disconnect(ada.email).catch(() => undefined);
    await eventually(() => expect(world.faults.list()[0]?.hits).toBe(1));
    await world.worker.ready();
    await world.connectCalendar(platform, ada.email);
    await leaving;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.advance(60_000);
      await tick();
    }
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
  });

  test('is not begun while a consent is being read', async () => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503, times: 2 });
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'delay', delay_ms: 800, times: 1 });
    await platform.api.disconnect(ada.email);
    const consenting = world.connectCalendar(platform, ada.email);
    await eventually(() => expect(world.faults.list().map(({ hits }) => hits)).toEqual([2, 1]));
    await world.advance(20_000);
    await tick();
    await consenting;
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
  });

  test('is held off by a consent that died no longer than the next one needs', async () => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503, times: 2 });
    world.faults.add({ target: 'google', match: 'POST /token', mode: 'kill', times: 1 });
    await platform.api.disconnect(ada.email);
    await expect(world.connectCalendar(platform, ada.email)).rejects.toThrow();
    await world.worker.ready();
    await world.connectCalendar(platform, ada.email);
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
  });

  test('does not end a grant that was given since', async () => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
    await platform.api.disconnect(ada.email);
    world.faults.clear();
    await world.connectCalendar(platform, ada.email);
    await world.advance(3_600_000);
    await tick();
    expect((await platform.api.availability({ attendees: [ada.email, bob.email] })).status).toBe(200);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
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
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(
      wholeError({ error: 'Internal error', message: expect.stringMatching(/Request \S+\.$/) }),
    );
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    await eventsOf(platform, DISCONNECTED);
  });

  test('killed before the batch, a second request does it all', async () => {
    const { platform, other, ada } = await connectedTwice();
    world.faults.add({ ...batch, mode: 'kill' });
    await expect(platform.api.disconnect(ada.email)).rejects.toThrow();
    await world.worker.ready();
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
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
