import { describe, expect, test } from 'vitest';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { readByTick } from '../../support/people/snapshots.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DAY = 86_400_000;
const SETTINGS = 'calendar.settings.readonly';

/** Lets a person consent to all but what they leave unticked. `setZone` sets a zone in their preferences. */
async function consented(platform: TestPlatform, timezone: string, unticked: string[] = []) {
  const { email } = freshPerson({ timezone });
  world.google.addUser({ email, timezone, unticked });
  const { api_key } = await world.connect(platform, email);
  const own = createClient(world.baseUrl, api_key);
  return { email, setZone: (zone: string) => own.send('PUT', '/v1/user/preferences', { timezone: zone }) };
}

const zoneOf = async ({ api }: TestPlatform, email: string) => {
  const { body } = await api.send('GET', '/v1/calendars');
  const { connections } = body as { connections: { user_email: string; timezone: string }[] };
  return connections.find(({ user_email }) => user_email === email)?.timezone;
};

describe('a person who gives no access to their settings', () => {
  test('is in the zone of their main calendar', async () => {
    const platform = await freshPlatform();
    const { email } = await consented(platform, 'Australia/Sydney', [SETTINGS]);
    expect(await zoneOf(platform, email)).toBe('Australia/Sydney');
  });

  test('is in no zone if the calendar names none either, until they set one', async () => {
    const platform = await freshPlatform();
    const ada = await connectedPerson(platform, { timezone: 'Europe/Berlin' });
    world.faults.add({
      target: 'google',
      match: 'GET /calendar/v3/calendars/primary/events',
      mode: 'status',
      status: 404,
    });
    const { email, setZone } = await consented(platform, 'Australia/Sydney', [SETTINGS]);
    world.faults.clear();
    expect(await zoneOf(platform, email)).toBe('');
    const search = () => platform.api.send('POST', '/v1/availability', { attendees: [ada.email, email] });
    expect(await search()).toMatchObject({
      status: 409,
      body: {
        error: { code: 'unknown_time_zone', message: expect.stringContaining(`The time zone of ${email} is unknown`) },
      },
    });
    await setZone('australia/sydney');
    expect((await search()).status).toBe(200);
    expect(await zoneOf(platform, email)).toBe('Australia/Sydney');
  });
});

describe('a person who moves from Berlin to New York', () => {
  test('is there a day later', async () => {
    const platform = await freshPlatform();
    const ada = await connectedPerson(platform, { timezone: 'Europe/Berlin' });
    await readByTick(ada.email);
    world.google.addUser({ email: ada.email, timezone: 'America/New_York' });
    await readByTick(ada.email);
    expect(await zoneOf(platform, ada.email)).toBe('Europe/Berlin');
    await world.advance(DAY);
    await readByTick(ada.email);
    expect(await zoneOf(platform, ada.email)).toBe('America/New_York');
  });

  test('is there at once if their calendar changes too', async () => {
    const platform = await freshPlatform();
    const ada = await connectedPerson(platform, { timezone: 'Europe/Berlin' });
    await readByTick(ada.email);
    world.google.addUser({ email: ada.email, timezone: 'America/New_York' });
    world.google.addBusy({ email: ada.email, start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' });
    await readByTick(ada.email);
    expect(await zoneOf(platform, ada.email)).toBe('America/New_York');
  });

  test('stays where they said they are', async () => {
    const platform = await freshPlatform();
    const ada = await consented(platform, 'Europe/Berlin');
    await ada.setZone('Asia/Tokyo');
    await readByTick(ada.email);
    world.google.addUser({ email: ada.email, timezone: 'America/New_York' });
    await world.advance(DAY);
    await readByTick(ada.email);
    expect(await zoneOf(platform, ada.email)).toBe('Asia/Tokyo');
  });

  test('keeps their zone and is read all the same while the settings do not answer', async () => {
    const platform = await freshPlatform();
    const ada = await connectedPerson(platform, { timezone: 'Europe/Berlin' });
    await readByTick(ada.email);
    world.google.addUser({ email: ada.email, timezone: 'America/New_York' });
    world.faults.add({ target: 'google', match: 'GET /calendar/v3/users/me/settings', mode: 'status', status: 503 });
    await world.advance(DAY);
    await readByTick(ada.email);
    expect(await zoneOf(platform, ada.email)).toBe('Europe/Berlin');
    world.faults.clear();
    await world.advance(DAY);
    await readByTick(ada.email);
    expect(await zoneOf(platform, ada.email)).toBe('America/New_York');
  });
});

test.each([
  ['America/Vancouver', '-07:00'],
  ['America/Edmonton', '-06:00'],
  ['America/Winnipeg', '-05:00'],
])(
  'the newest rules of the tz database hold, which the runtime may lack: January in %s is at %s',
  async (timezone, offset) => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform, { timezone });
    const january = new Date(world.clock.now()).getUTCFullYear() + 1;
    const path = `/v1/users/${email}/availability?start_date=${january}-01-08&end_date=${january}-01-31`;
    const { body } = await platform.api.send('GET', path);
    const { intervals } = body as { intervals: { start_time: string }[] };
    expect(new Set(intervals.map(({ start_time }) => start_time.slice(19)))).toEqual(new Set([offset]));
  },
);
