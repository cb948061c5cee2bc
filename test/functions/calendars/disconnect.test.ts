import { describe, expect, test } from 'vitest';
import { flatRefusal, refusal } from '../../support/checks/errors.ts';
import {
  connectedTwice,
  eventsOf,
  expectRevokedBySweep,
  expectToldOrConnected,
  grantOf,
  listed,
  NO_GRANT,
  providerIdOf,
  revokeCalls,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { seen } from '../../support/people/meetings.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('DELETE /v1/calendars/{email}', () => {
  test('ends the connections with all platforms and tells each, once', async () => {
    const { platform, other, ada } = await connectedTwice();
    const stranger = await freshPlatform();
    const bob = await connectedPerson(stranger, { name: 'bob' });
    world.traffic.clear();
    const answer = await platform.api.disconnect(ada.email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: `The calendar of ${ada.email} is now disconnected from all platforms. To connect the calendar again, send the person the link from GET /v1/platform/oauth-url.`,
      email: ada.email,
      platform_id: platform.id,
    });
    const ids = new Set<string>();
    for (const one of [platform, other]) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data).toEqual({
        user_email: ada.email,
        provider_id: providerIdOf(ada.email),
        disconnected_at: event?.body.timestamp,
        reason: 'user_requested',
      });
      const delivery = new Headers(event?.headers).get('x-service-delivery');
      expect(delivery).toMatch(new RegExp(`^wh_del_${one.id.slice(5, 13)}[A-Za-z0-9]{20}$`));
      ids.add(event?.body.id).add(delivery ?? '');
      expect((await listed(one)).count).toBe(0);
      expect((await one.api.status(ada.email)).body).toMatchObject({ email: ada.email, calendar_connected: false });
    }
    expect(ids.size).toBe(4);
    expect(await writtenEvents(stranger, DISCONNECTED)).toBe(0);
    expect(revokeCalls()).toHaveLength(1);
    expect(await grantOf(ada.email)).toEqual(NO_GRANT);
    expect((await stranger.api.status(bob.email)).body).toMatchObject({ calendar_connected: true });
  });

  test('the tokens are dead at the provider, even if they were kept', async () => {
    const { platform, ada } = await connectedTwice();
    const bob = await connectedPerson(platform, { name: 'bob' });
    const ofAda = 'user_id = (select id from users where email = $1)';
    const [kept] = await world.neon.query(
      `select refresh_token, access_token, access_expires_at::text from calendar_accounts where ${ofAda}`,
      [ada.email],
    );
    await platform.api.disconnect(ada.email);
    const refused = await platform.api.availability({ attendees: [bob.email, ada.email] });
    expect(refused).toMatchObject(refusal(404, 'user_not_found', { email: ada.email }));

    await world.neon.query(
      `update calendar_accounts set status = 'connected', refresh_token = $2, access_token = $3,
        access_expires_at = $4::timestamptz where ${ofAda}`,
      [ada.email, String(kept?.refresh_token), String(kept?.access_token), String(kept?.access_expires_at)],
    );
    await world.neon.query(`update connections set disconnected_at = null where ${ofAda}`, [ada.email]);
    const dead = await platform.api.availability({ attendees: [bob.email, ada.email] });
    expect(dead.body).toMatchObject({ error: { code: 'calendar_reconnect_required' } });
  });

  test('a person can connect again, and only with whom they do', async () => {
    const { platform, other, ada } = await connectedTwice();
    await platform.api.disconnect(ada.email);
    await world.connectCalendar(platform, ada.email);
    expect((await platform.api.status(ada.email)).body).toMatchObject({ calendar_connected: true });
    expect((await listed(other)).count).toBe(0);
    expect(await writtenEvents(other, 'user.calendar.connected')).toBe(1);
  });

  test.each([
    ["another platform's person", false],
    ['one another platform disconnected', true],
  ])('%s is 404, flat, and nothing changes', async (_name, isDisconnected) => {
    const { platform: known, other, ada } = await connectedTwice();
    const { email } = ada;
    if (isDisconnected) await other.api.disconnect(email);
    const platform = isDisconnected ? known : await freshPlatform();
    const before = await grantOf(email);
    const answer = await platform.api.disconnect(email);
    expect(seen(answer)).toEqual(
      flatRefusal(404, 'Connection not found', {
        message: `${email} has no calendar connected to this platform, so there is nothing to disconnect. GET /v1/calendars lists your connections.`,
      }),
    );
    expect(await grantOf(email)).toEqual(before);
  });

  test.each(['nobody', 'a%00@people.test', `${'a'.repeat(250)}@people.test`, '%E0%A4%A'])(
    'the address %s is 400 and named',
    async (text) => {
      const platform = await freshPlatform();
      const answer = await platform.api.send('DELETE', `/v1/calendars/${text}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'Invalid request', field: 'email' });
    },
  );

  test('the address is read encoded and in any case', async () => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform, { name: 'ada+work' });
    const answer = await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(email.toUpperCase())}`);
    expect(answer.body).toMatchObject({ success: true, email });
  });
});

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
