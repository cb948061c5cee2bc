import { describe, expect, test } from 'vitest';
import { saySuggestion } from '../../../functions/pages/me/fields.tsx';
import { DAY, WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import { createBrowser } from '../../local/browser.ts';
import { refusal } from '../../support/checks/errors.ts';
import { accepted, ended } from '../../support/people/batches.ts';
import { readByTick } from '../../support/people/calendars.ts';
import {
  connectedPerson,
  freshPerson,
  freshPlatform,
  ownClient,
  type TestPlatform,
  webhooksOf,
} from '../../support/people/factories.ts';
import { authorizeUrl, consent, land } from '../../support/people/signing-in.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const SETTINGS = 'calendar.settings.readonly';

/** Lets a person consent to all but what they leave unticked. `setZone` sets a zone in their preferences. */
async function consented(platform: TestPlatform, timezone: string, unticked: string[] = []) {
  const { email } = freshPerson({ timezone });
  world.google.addUser({ email, timezone, unticked });
  const own = await ownClient(platform, email);
  return { email, setZone: (zone: string) => own.send('PUT', '/v1/user/preferences', { timezone: zone }) };
}

const zoneOf = async ({ api }: TestPlatform, email: string) => {
  const { body } = await api.send('GET', '/v1/calendars');
  const { connections } = body as { connections: { user_email: string; timezone: string }[] };
  return connections.find(({ user_email }) => user_email === email)?.timezone;
};

/** A connected person who has moved from Berlin to New York since their calendar was read. */
async function movedAfterRead() {
  const platform = await freshPlatform();
  const ada = await connectedPerson(platform, { timezone: 'Europe/Berlin' });
  await readByTick(ada.email);
  world.google.addUser({ email: ada.email, timezone: 'America/New_York' });
  return { platform, ada };
}

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
    const { platform, ada } = await movedAfterRead();
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
    const { platform, ada } = await movedAfterRead();
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
    const { platform, ada } = await movedAfterRead();
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

const SHORT = { enabled: true, start: '09:00', end: '15:30' };
const SUGGESTED = {
  work_hours: { thursday: SHORT, friday: SHORT, saturday: { enabled: true, start: '10:00', end: '12:00' } },
  buffer_minutes: 15,
  max_meetings_per_day: 4,
};

async function suggesting(name = 'Acme') {
  const platform = await freshPlatform({ name });
  const { status } = await platform.api.send('PUT', '/v1/platform/settings', { default_preferences: SUGGESTED });
  expect(status).toBe(200);
  return platform;
}

const connect = (platform: TestPlatform, email: string) => world.connectCalendar(platform, email);

const preferencesOf = async (platform: TestPlatform, email: string) => {
  const { body } = await platform.api.send('GET', '/v1/platform/users');
  const { users } = body as { users: { email: string; preferences: Record<string, unknown> }[] };
  return users.find((one) => one.email === email)?.preferences;
};

async function ownWeek(email: string) {
  const { browser } = await world.signIn(email);
  const page = await browser.open(`${world.baseUrl}/me/preferences`);
  return { browser, page, marks: [...page.html.matchAll(/from <bdi>(.*?)<\/bdi>/g)].map(([, name]) => name) };
}

describe('what a platform suggests', () => {
  test('stands on the consent page, and applies to a person who has set nothing', async () => {
    const platform = await suggesting();
    const { email } = freshPerson();
    const asked = await createBrowser([new URL(world.baseUrl).host]).open(authorizeUrl(platform, email));
    expect(asked.html).toContain(
      'Thursday and Friday 09:00 to 15:30; Saturday 10:00 to 12:00; 15 minutes between meetings; at most 4 meetings a day.',
    );
    expect(asked.html).toContain('It sees when you are busy, and your work hours.');
    const days = Object.fromEntries(WEEKDAYS.slice(0, 5).map((day) => [day, SHORT]));
    expect(saySuggestion({ work_hours: days })).toEqual(['Monday to Friday 09:00 to 15:30']);
    await connect(platform, email);
    expect(await preferencesOf(platform, email)).toMatchObject({
      buffer_minutes: 15,
      max_meetings_per_day: 4,
      availability_window_days: 14,
      work_hours: {
        monday: { enabled: true, start: '08:00', end: '18:00' },
        friday: SHORT,
        sunday: { enabled: false },
      },
    });
    const [connected] = await webhooksOf(platform);
    expect(connected?.body.data.preferences).toMatchObject({ working_hours_start: 8, working_hours_end: 18 });
    expect((await ownWeek(email)).marks).toEqual(['Acme', 'Acme', 'Acme']);
  });

  test('is marked on the person’s page until they change it, each part on its own', async () => {
    const platform = await suggesting();
    const { email } = freshPerson();
    await connect(platform, email);
    const { browser, page } = await ownWeek(email);
    await browser.submit(page, '/me/preferences', { context: 'I like mornings' });
    expect((await ownWeek(email)).marks).toHaveLength(3);
    const again = await ownWeek(email);
    await again.browser.submit(again.page, '/me/preferences', { 'friday-end': '14:00', max_meetings_per_day: '5' });
    expect((await ownWeek(email)).marks).toEqual(['Acme']);
    expect(await preferencesOf(platform, email)).toMatchObject({ buffer_minutes: 15, max_meetings_per_day: 5 });
  });

  test('never goes over what a person set, or to one who was there before', async () => {
    const [first, second] = [await freshPlatform(), await suggesting()];
    const { email } = freshPerson();
    await connect(first, email);
    const { browser, page } = await ownWeek(email);
    await browser.submit(page, '/me/preferences', { buffer: '0' });
    await connect(second, email);
    expect(await preferencesOf(second, email)).toMatchObject({ buffer_minutes: 0, max_meetings_per_day: 10 });

    const { email: known } = freshPerson();
    const late = await freshPlatform();
    await connect(late, known);
    await late.api.send('PUT', '/v1/platform/settings', { default_preferences: SUGGESTED });
    await connect(late, known);
    expect(await preferencesOf(late, known)).toMatchObject({ buffer_minutes: 0, max_meetings_per_day: 10 });
    expect((await ownWeek(known)).marks).toEqual([]);
  });

  test('is what the page showed: a change before the person agrees shows the page again, a later one counts for others', async () => {
    const platform = await suggesting();
    const { email } = freshPerson();
    const browser = createBrowser([new URL(world.baseUrl).host]);
    const asked = await browser.open(authorizeUrl(platform, email));
    const { callback, cookie } = await consent(authorizeUrl(platform, email), { action: 'allow', email });
    await platform.api.send('PUT', '/v1/platform/settings', { default_preferences: { buffer_minutes: 30 } });
    expect((await browser.submit(asked, '/oauth/authorize')).status).toBe(400);
    await land(callback, cookie);
    expect(await preferencesOf(platform, email)).toMatchObject({ buffer_minutes: 15 });
  });

  test('is none without parts, and ends with an empty object', async () => {
    const platform = await suggesting();
    for (const given of [{ work_hours: {} }, {}]) {
      const { body } = await platform.api.send('PUT', '/v1/platform/settings', { default_preferences: given });
      expect(body).toMatchObject({ default_preferences: null });
    }
  });

  test.each([
    [
      { default_preferences: { work_hours: { friday: { enabled: true, start: '15:00', end: '09:00' } } } },
      'default_preferences.work_hours.friday.end',
    ],
    [
      { default_preferences: { work_hours: Object.fromEntries(WEEKDAYS.map((day) => [day, { enabled: false }])) } },
      'default_preferences.work_hours',
    ],
    [{ default_preferences: { timezone: 'Europe/Berlin' } }, 'default_preferences.timezone'],
    [{ default_preferences: 'short' }, 'default_preferences'],
  ])('is refused by name: %j', async (body, field) => {
    const platform = await freshPlatform();
    const { status, body: answer } = await platform.api.send('PUT', '/v1/platform/settings', body);
    expect([status, answer]).toMatchObject([400, { field }]);
    expect((await platform.api.send('GET', '/v1/platform/settings')).body).toMatchObject({ default_preferences: null });
  });
});

test('a link to a page of a person’s survives the sign-in, and leads nowhere else', async () => {
  const platform = await freshPlatform();
  const { email } = freshPerson();
  await connect(platform, email);
  const browser = createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);
  const asked = await browser.open(`${world.baseUrl}/me/preferences`);
  expect(asked.html).toContain('name="to" value="/me/preferences"');
  const google = await browser.submit(asked, '/oauth/login', { user_id: email });
  const back = await browser.submit(google, '/consent', { email, action: 'allow' });
  expect(new URL(back.url).pathname).toBe('/me/preferences');
  for (const to of ['//evil.test', 'https://evil.test', '/me/..', '/dashboard']) {
    const start = `${world.baseUrl}/oauth/login?${new URLSearchParams({ user_id: email, to })}`;
    const other = createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);
    const there = await other.submit(await other.open(start), '/consent', { email, action: 'allow' });
    expect(new URL(there.url).pathname).toBe('/me');
  }
});
