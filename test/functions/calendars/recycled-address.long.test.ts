import { describe, expect, test } from 'vitest';
import {
  connectedTwice,
  eventsOf,
  listed,
  providerIdOf,
  times,
  writtenEvents,
} from '../../support/people/calendars.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';
const withAddress = async (sql: string, email: string) => (await world.neon.query(sql, [email]))[0];
const emailsOf = async (platform: TestPlatform) => (await listed(platform)).connections.map((one) => one.user_email);

/** Gives Ada a key, preferences and a learned weight, and then gives her address to another person. */
async function recycled() {
  const platform = await freshPlatform();
  const other = await freshPlatform();
  const { email } = await connectedPerson(platform, { name: 'ada' });
  const { api_key } = await world.connect(other, email);
  const former = createClient(world.baseUrl, api_key);
  const given = { buffer_minutes: 30, scheduling_context: 'no meetings on Fridays' };
  expect((await former.send('PUT', '/v1/user/preferences', given)).status).toBe(200);
  const formerId = providerIdOf(email);
  world.google.passOn(email);
  return { platform, other, email, former, formerId };
}

describe('an address that goes to another person', () => {
  test('ends the former one’s connections, as revoked, and their key', async () => {
    const { platform, other, email, former, formerId } = await recycled();
    await world.connectCalendar(platform, email);
    for (const one of [platform, other]) {
      const [event] = await eventsOf(one, DISCONNECTED);
      expect(event?.body.data).toMatchObject({ user_email: email, provider_id: formerId, reason: 'revoked' });
    }
    expect((await former.send('GET', '/v1/user/info')).status).toBe(401);
    expect(await emailsOf(platform)).toEqual([email]);
    expect(await emailsOf(other)).toEqual([]);
    expect((await other.api.status(email)).body).toMatchObject({ calendar_connected: false, last_sync: null });
  });

  test('passes nothing on: no key, no preferences, no weights, no ledger', async () => {
    const { platform, email } = await recycled();
    await world.connectCalendar(platform, email);
    const { api_key } = await world.connect(platform, email);
    const fresh = createClient(world.baseUrl, api_key);
    expect((await fresh.send('GET', '/v1/user/preferences')).body).toMatchObject({
      email,
      preferences: { buffer_minutes: 0, scheduling_context: '' },
    });
    expect((await fresh.send('GET', '/v1/user/learning')).body).toMatchObject({
      entries: [],
      learned_weights: { day_of_week_preference: { friday: 1 } },
    });
    const [info] = await Promise.all([fresh.send('GET', '/v1/user/info')]);
    expect(info.body).toMatchObject({ onboarding_completed: false });
  });

  test('does so at a sign-in too, which connects the new one with nobody', async () => {
    const { platform, other, email, former } = await recycled();
    await world.signIn(email);
    expect((await former.send('GET', '/v1/user/info')).status).toBe(401);
    for (const one of [platform, other]) {
      expect(await emailsOf(one)).toEqual([]);
      await eventsOf(one, DISCONNECTED);
    }
    // Both events are about the former person. The first platform also heard of their second consent.
    expect(await writtenEvents(platform, 'user.calendar.connected')).toBe(2);
    expect(await writtenEvents(other, 'user.calendar.connected')).toBe(1);
  });

  test('ends them once, however many consents race', async () => {
    const { platform, other, email } = await recycled();
    const late = await freshPlatform();
    await times(6, (index) => world.connectCalendar([platform, late][index % 2] ?? platform, email));
    expect(await withAddress('select count(*)::int as people from users where email = $1', email)).toEqual({
      people: 1,
    });
    expect(await emailsOf(late)).toEqual([email]);
    expect(await emailsOf(other)).toEqual([]);
    for (const one of [platform, other]) await eventsOf(one, DISCONNECTED);
  });

  test('leaves the former one’s meetings alone, and books the new one’s own', async () => {
    const platform = await freshPlatform();
    const [ada, bob] = [
      await connectedPerson(platform, { name: 'ada' }),
      await connectedPerson(platform, { name: 'bob' }),
    ];
    const start = new Date(world.clock.now() + 86_400_000).toISOString();
    const meeting = { attendees: [ada.email, bob.email], start_time: start, duration_minutes: 30, title: 'Theirs' };
    const { meeting_id } = (await platform.api.schedule(meeting)).body as { meeting_id: string };
    world.google.passOn(ada.email);
    await world.connectCalendar(platform, ada.email);
    const mine = await platform.api.send('GET', `/v1/users/${encodeURIComponent(ada.email)}/meetings`);
    expect(mine.body).toMatchObject({ meetings: [], total: 0 });
    const read = await platform.api.send('GET', `/v1/meetings/${meeting_id}`);
    expect(read.body).toMatchObject({ status: 'scheduled', attendees: [ada.email, bob.email] });
    const again = await platform.api.schedule({ ...meeting, title: 'Mine' });
    expect(again.status).toBe(200);
    expect(world.google.events(ada.email).map(({ summary }) => summary)).toEqual(['Mine']);
  });
});

describe('a person whose address changes', () => {
  test('is the same person: connections, key and preferences stay', async () => {
    const { platform, other, ada } = await connectedTwice();
    const { api_key } = await world.connect(platform, ada.email);
    const client = createClient(world.baseUrl, api_key);
    await client.send('PUT', '/v1/user/preferences', { buffer_minutes: 15 });
    const renamed = ada.email.replace('ada', 'lovelace');
    world.google.rename(ada.email, renamed);
    await world.connectCalendar(platform, renamed);
    expect((await client.send('GET', '/v1/user/preferences')).body).toMatchObject({
      email: renamed,
      preferences: { buffer_minutes: 15 },
    });
    for (const one of [platform, other]) {
      expect(await emailsOf(one)).toEqual([renamed]);
      expect(await writtenEvents(one, DISCONNECTED)).toBe(0);
    }
  });

  test('takes an address over from the one who had it', async () => {
    const platform = await freshPlatform();
    const ada = await connectedPerson(platform, { name: 'ada' });
    const bob = await connectedPerson(platform, { name: 'bob' });
    world.google.passOn(bob.email);
    world.google.rename(ada.email, bob.email);
    await world.connectCalendar(platform, bob.email);
    expect(await emailsOf(platform)).toEqual([bob.email]);
    const [event] = await eventsOf(platform, DISCONNECTED);
    expect(event?.body.data).toMatchObject({ user_email: bob.email, reason: 'revoked' });
  });
});
