import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGoogle } from './index.ts';
import { CLIENT_ID, CLIENT_SECRET, type GoogleWorld, openGoogleWorld } from './world.ts';

let world: GoogleWorld;

beforeAll(async () => {
  world = await openGoogleWorld();
});
afterAll(() => world.close());

const calendarId = 'primary';
const MINUTE = 60_000;

async function meeting() {
  const [host, guest] = [await world.join(), await world.join()];
  const { data } = await host.api.events.insert({
    calendarId,
    requestBody: {
      start: { dateTime: '2026-03-10T10:00:00Z' },
      end: { dateTime: '2026-03-10T10:30:00Z' },
      attendees: [{ email: host.email, responseStatus: 'accepted' }, { email: guest.email }],
    },
  });
  const read = async () => (await host.api.events.get({ calendarId, eventId: data.id ?? '' })).data;
  return { host, guest, read };
}

test('somebody who declines does so once, a minute after the invitation', async () => {
  const { host, guest, read } = await meeting();
  world.google.settings.habits.set(guest.email, 'declines').set(host.email, 'declines');
  const answers = async () => (await read()).attendees?.map(({ responseStatus }) => responseStatus);
  world.clock.advance(MINUTE - 1);
  expect(world.google.act()).toBe(0);
  world.clock.advance(1);
  expect(world.google.act()).toBe(1);
  expect(await answers()).toEqual(['accepted', 'declined']);
  expect(world.google.act()).toBe(0);
});

test('somebody who moves events moves what they organize once, by an hour', async () => {
  const { host, guest, read } = await meeting();
  world.google.settings.habits.set(host.email, 'moves').set(guest.email, 'moves');
  world.clock.advance(MINUTE);
  expect(world.google.act()).toBe(1);
  const { start, end } = await read();
  expect([start?.dateTime, end?.dateTime]).toEqual(['2026-03-10T11:00:00Z', '2026-03-10T11:30:00Z']);
  expect(world.google.act()).toBe(0);
});

test('a calendar that is down answers 503, and can be connected before', async () => {
  const { host } = await meeting();
  world.google.settings.habits.set(host.email, 'down');
  await expect(host.api.settings.get({ setting: 'timezone' })).rejects.toMatchObject({ status: 503 });
  world.google.settings.habits.delete(host.email);
  expect((await host.api.settings.get({ setting: 'timezone' })).status).toBe(200);
});

test('every address of the newcomers’ domain has an account, and no other has', async () => {
  const newcomers = { domain: 'demo.test', timezone: 'Asia/Tokyo' };
  const options = { clock: world.clock, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, newcomers };
  const google = createGoogle(options);
  const page = async (hint: string) => {
    const query = { client_id: CLIENT_ID, redirect_uri: 'https://a.test/', response_type: 'code', scope: 'openid' };
    const asked = new URLSearchParams({ ...query, login_hint: hint });
    return (await google.fetch(new Request(`https://accounts.google.com/o/oauth2/v2/auth?${asked}`))).text();
  };
  expect(await page('New.Person@demo.test')).toContain('value="new.person@demo.test"');
  expect(google.users()).toMatchObject([{ email: 'new.person@demo.test', timezone: 'Asia/Tokyo' }]);
  await page('somebody@other.test');
  await page('somebody@xdemo.test');
  await page('@demo.test');
  expect(google.users()).toHaveLength(1);
});
