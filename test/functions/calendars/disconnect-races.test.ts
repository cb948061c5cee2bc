import { describe, expect, test } from 'vitest';
import {
  connectedTwice,
  eventsOf,
  expectRevokedBySweep,
  expectToldOrConnected,
  grantOf,
  listed,
  NO_GRANT,
  revokeCalls,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { atDashboard, suspend, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { openInvitation } from '../../support/people/guests.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

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

  test.each([
    ['disconnection is written', { target: 'neon', body_match: 'insert into revocations' }],
    ['consent is read', { target: 'google', match: 'POST /token' }],
    ['consent is written', { target: 'neon', body_match: 'insert into \\\\"connections' }],
  ] as const)('a platform that connects meanwhile, whose %s last, is told or connected', async (what, calls) => {
    const { platform, ada } = await connectedTwice();
    const late = await freshPlatform({ plan: 'enterprise' });
    const held = hold({ ...calls, times: 1 });
    const connect = () => world.connectCalendar(late, ada.email).catch(() => undefined);
    const disconnect = () => platform.api.disconnect(ada.email);
    const [first, last] = what.startsWith('disconnection') ? [disconnect, connect] : [connect, disconnect];
    const waiting = first();
    await met(held);
    const done = await last();
    held.release();
    const answers = [await waiting, done];
    expect(answers.map((answer) => answer?.status)).toContain(200);
    await expectToldOrConnected(platform, late, ada.email);
  });

  test('platforms that connect at the same time all hear of the last one', async () => {
    const person = freshPerson();
    const platforms = await Promise.all(Array.from({ length: 4 }, () => freshPlatform()));
    await Promise.all(platforms.map((platform) => world.connectCalendar(platform, person.email)));
    const heard = await Promise.all(platforms.map((platform) => writtenEvents(platform, 'user.calendar.connected')));
    // In whatever order they connect, the first platform gets an event for all four consents and the last for one.
    expect(heard.sort()).toEqual([1, 2, 3, 4]);
  });

  test('a refresh under way does not bring a disconnected grant back', async () => {
    const { platform, other, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    await world.advance(2 * 3_600_000);
    // The refresh is answered after the connections have ended, while the grant still exists.
    const held = hold({ target: 'google', match: 'POST /token' });
    world.faults.add({ target: 'google', match: 'POST /revoke', mode: 'status', status: 503 });
    world.traffic.clear();
    const search = platform.api.availability({ attendees: [ada.email, bob.email] });
    await met(held, 2);
    expect((await other.api.disconnect(ada.email)).status).toBe(200);
    held.release();
    await search;
    await expectRevokedBySweep(ada.email);
  });

  test('a request that comes late does not end what was connected since with another platform', async () => {
    const { platform, other, ada } = await connectedTwice();
    const held = hold({ target: 'neon', body_match: 'insert into revocations', times: 1 });
    const late = platform.api.disconnect(ada.email);
    await met(held);
    expect((await other.api.disconnect(ada.email)).status).toBe(200);
    await world.connectCalendar(other, ada.email);
    held.release();
    expect((await late).status).toBe(404);
    expect((await listed(other)).count).toBe(1);
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });
});

describe('a caller whose access ends meanwhile', () => {
  type At = Awaited<ReturnType<typeof connectedTwice>>;
  const replace =
    (body?: object) =>
    ({ platform }: Pick<At, 'platform'>) =>
      platform.api.send('POST', '/v1/platform/regenerate-key', body);
  const KEY_ENDS = [
    ['its key is replaced', replace()],
    ['its key is replaced and kept', replace({ keep_old_for_hours: 72 })],
    ['it is suspended', ({ platform }: Pick<At, 'platform'>) => suspend(platform)],
  ] as const;
  const ENDING = 'insert into revocations';

  async function meanwhile<T>(match: string, act: () => Promise<T>, end: () => Promise<unknown>): Promise<T> {
    const held = hold({ target: 'neon', body_match: match, times: 1 });
    const acting = act();
    await met(held);
    await end();
    held.release();
    return acting;
  }

  const expectConnected = async ({ ada, platform }: At) => {
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
  };

  test.each(KEY_ENDS)('a platform disconnects nobody if %s', async (_how, end) => {
    const at = await connectedTwice();
    const answer = await meanwhile(
      ENDING,
      () => at.platform.api.disconnect(at.ada.email),
      () => end(at),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    await expectConnected(at);
  });

  test.each(KEY_ENDS)('a platform erases no guest if %s', async (_how, end) => {
    const at = await openInvitation();
    const path = `/v1/users/${encodeURIComponent(at.guest)}`;
    const answer = await meanwhile(
      'person.erased',
      () => at.platform.api.send('DELETE', path),
      () => end(at),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const guests = await world.neon.query('select 1 from users where guest_email = $1', [at.guest]);
    expect(guests).toHaveLength(1);
  });

  test.each(KEY_ENDS)('a dashboard disconnects nobody if %s', async (_how, end) => {
    const at = await connectedTwice();
    const { browser } = await atDashboard(at.platform);
    const page = await visit(browser, `/dashboard/people/disconnect?user_email=${encodeURIComponent(at.ada.email)}`);
    const { status } = await meanwhile(
      ENDING,
      () => browser.submit(page, '/people/disconnect'),
      () => end(at),
    );
    expect(status).toBe(401);
    await expectConnected(at);
  });

  test.each([
    ['disconnects no platform', '/me/disconnect'],
    ['deletes nothing', '/me/delete'],
  ])('a person who signs out everywhere %s', async (_what, path) => {
    const at = await connectedTwice();
    const { browser } = await world.signIn(at.ada.email);
    const page = await visit(browser, `${path}?platform_id=${at.platform.id}`);
    const mine = await visit(browser, '/me');
    const { status } = await meanwhile(
      ENDING,
      () => browser.submit(page, path),
      () => browser.submit(mine, '/me/sign-out-everywhere'),
    );
    expect(status).toBe(401);
    await expectConnected(at);
    expect((await listed(at.platform)).count).toBe(1);
  });
});
