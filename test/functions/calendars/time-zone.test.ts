import { describe, expect, test } from 'vitest';
import { refusal } from '../../support/checks/errors.ts';
import { accepted, ended } from '../../support/people/batches.ts';
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

/** Two connected people, of whom the first has moved from Berlin to New York. */
async function moved() {
  const platform = await freshPlatform();
  const ada = await connectedPerson(platform, { timezone: 'Europe/Berlin' });
  const { email: other } = await connectedPerson(platform, { timezone: 'Europe/London' });
  world.google.addUser({ email: ada.email, timezone: 'America/New_York' });
  return { platform, email: ada.email, other };
}

const hourOf = (time: string) => Number(time.slice(11, 13));

const freeOn =
  (email: string) =>
  async ({ api }: TestPlatform) => {
    const { body } = await api.send('GET', `/v1/users/${email}/availability`);
    const { timezone, intervals } = body as { timezone: string; intervals: { start_time: string }[] };
    return { zone: timezone, hours: intervals.map(({ start_time }) => hourOf(start_time)) };
  };

/** Returns a search that tells the mover's zone and hours. */
const searched =
  (attendees: [string, string]) =>
  async ({ api }: TestPlatform) => {
    const { body } = await api.send('POST', '/v1/availability', { attendees });
    const { slots } = body as { slots: { attendees: { email: string; start_time: string; timezone: string }[] }[] };
    const own = slots.flatMap(({ attendees: people }) => people.filter(({ timezone }) => timezone !== 'Europe/London'));
    return { zone: own[0]?.timezone, hours: own.map(({ start_time }) => hourOf(start_time)) };
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
    expect(await search()).toMatchObject(
      refusal(409, 'unknown_time_zone', { message: expect.stringContaining(`The time zone of ${email} is unknown`) }),
    );
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

  test.each([
    ['their own free times', (email: string, _other: string) => freeOn(email)],
    ['a search that they request', (email: string, other: string) => searched([email, other])],
    ['a search to which they are invited', (email: string, other: string) => searched([other, email])],
  ] as const)('is there for the first who asks after three days, in %s', async (_what, ask) => {
    const { platform, email, other } = await moved();
    await world.advance(3 * DAY);
    world.traffic.clear();
    const { zone, hours } = await ask(email, other)(platform);
    expect({ zone, hours: new Set(hours.map((hour) => hour >= 8 && hour < 18)) }).toEqual({
      zone: 'America/New_York',
      hours: new Set([true]),
    });
    const asked = () => world.traffic.list().filter(({ path }) => path.endsWith('/settings/timezone')).length;
    const first = asked();
    await ask(email, other)(platform);
    expect([first > 0, asked()]).toEqual([true, first]);
  });

  test('is booked automatically on their new clock after three days', async () => {
    const { platform, email, other } = await moved();
    await world.advance(3 * DAY);
    const { result } = await ended(platform, await accepted(platform, { attendees: [email, other] }));
    expect(result.chosen_slot).toMatchObject({ start_time: expect.stringMatching(/-0[45]:00$/) });
  });

  test('is searched on their last clock after three days while the settings do not answer', async () => {
    const { platform, email } = await moved();
    world.faults.add({ target: 'google', match: 'GET /calendar/v3/users/me/settings', mode: 'status', status: 503 });
    await world.advance(3 * DAY);
    expect((await freeOn(email)(platform)).zone).toBe('Europe/Berlin');
    world.faults.clear();
    expect((await freeOn(email)(platform)).zone).toBe('America/New_York');
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
