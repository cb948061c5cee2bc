import { expect } from 'vitest';
import type { Answers } from '../../../lib/client/types.ts';
import { DAY } from '../../../lib/engine/time/dates.ts';
import type { CalendarRead } from '../../../schema/api/slot.ts';
import { eventually } from '../worlds/quiet.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from './factories.ts';
import { bookable, hoursLater } from './meetings.ts';

/** Waits for `count` events of one type, checks that no more were written, and returns them, the oldest first. */
export async function eventsOf(platform: TestPlatform, type: string, count = 1) {
  expect(await writtenEvents(platform, type)).toBe(count);
  return eventually(async () => {
    const events = (await webhooksOf(platform)).filter(({ body }) => body.event_type === type);
    expect(events).toHaveLength(count);
    return events.sort((a, b) => String(a.body.timestamp).localeCompare(String(b.body.timestamp)));
  });
}

export async function writtenEvents(platform: TestPlatform, type: string): Promise<number> {
  const [row] = await world.neon.query(
    'select count(*)::int as written from deliveries where platform_id = $1 and event_type = $2',
    [platform.id, type],
  );
  return Number(row?.written);
}

export async function grantOf(email: string) {
  const [row] = await world.neon.query(
    `select a.status, a.refresh_token is not null as refresh, a.access_token is not null as access,
      (select count(*)::int from revocations r where r.user_id = u.id) as revocations
    from calendar_accounts a join users u on u.id = a.user_id where u.email = $1`,
    [email],
  );
  return row;
}

/** An instant as events and lists write it. */
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Makes Tandem know that the person's grant at Google has ended. */
export const noteLostGrant = (email: string) =>
  world.neon.query(
    `update calendar_accounts set status = 'needs_reauthorization', reauthorization_needed_since = now()
     where user_id = (select id from users where email = $1)`,
    [email],
  );

export const NO_GRANT = { status: 'disconnected', refresh: false, access: false, revocations: 0 };

/** Expects that a grant waits for its revocation, and that the sweep revokes it once the provider answers again. */
export async function expectRevokedBySweep(email: string): Promise<void> {
  expect(await grantOf(email)).toEqual({ ...NO_GRANT, revocations: 1 });
  world.faults.clear();
  await world.advance(61_000);
  await tick();
  expect(await grantOf(email)).toEqual(NO_GRANT);
}

export const providerIdOf = (email: string) => world.google.users().find((user) => user.email === email)?.sub;

export const tick = () => world.worker.runScheduled(world.clock.now());

export const revokeCalls = () => world.traffic.list().filter(({ path }) => path.startsWith('/revoke'));

export async function connectedTwice() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const other = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  await world.connectCalendar(other, ada.email);
  return { platform, other, ada };
}

export const listed = async ({ api }: TestPlatform) => (await api.calendars()).body as Answers['Connections'];

/**
 * Connects Ada and Bob with two platforms. `search` searches their calendars for the first platform unless it is given
 * another.
 */
export async function searchable() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const other = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  for (const { email } of [ada, bob]) await world.connectCalendar(other, email);
  const search = (by: TestPlatform = platform) => by.api.availability({ attendees: [ada.email, bob.email] });
  return { platform, other, both: [platform, other], ada, bob, search };
}

export type Searchable = Awaited<ReturnType<typeof searchable>>;

/** Lets Ada's access token expire, then revokes her grant as if she had removed the app. */
export async function loseGrant({ ada }: Searchable) {
  await world.advance(2 * 3_600_000);
  world.google.revoke(ada.email);
}

export const codeOf = (answer: { body: unknown }) => (answer.body as { error?: { code?: string } }).error?.code;
export const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

export function wednesdayAhead(): string {
  let day = Math.floor(world.clock.now() / DAY) + 2;
  while ((day + 4) % 7 !== 3) day++;
  return new Date(day * DAY).toISOString().slice(0, 10);
}

const DISCONNECTED = 'user.calendar.disconnected';

/**
 * Checks `late`, which connected while `platform` disconnected the person: it can still read the calendar, or it was
 * told of the disconnection.
 */
export async function expectToldOrConnected(platform: TestPlatform, late: TestPlatform, email: string): Promise<void> {
  const connected = await writtenEvents(late, 'user.calendar.connected');
  const told = await writtenEvents(late, DISCONNECTED);
  expect((await listed(late)).count).toBe(connected - told);
  const grant = await grantOf(email);
  if (connected === told) expect(grant).toEqual(NO_GRANT);
  else {
    expect(grant).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await late.api.send('GET', `/v1/users/${encodeURIComponent(email)}/availability`)).status).toBe(200);
  }
  expect((await listed(platform)).count).toBe(0);
  expect(await writtenEvents(platform, DISCONNECTED)).toBe(1);
}

export async function snapshotOf(email: string) {
  const [row] = await world.neon.query(
    `select s.*, (extract(epoch from s.read_at) * 1000)::float8 as read_at_ms from busy_snapshots s
    join users u on u.id = s.user_id where u.email = $1`,
    [email],
  );
  return row;
}

/** Has the tick hand these people's calendars to the queue, before anybody else's, and the queue deliver. */
export async function askByTick(...emails: string[]): Promise<void> {
  await world.neon.query(
    `update busy_snapshots set due_at = 'epoch' where user_id in (select id from users where email = any($1))`,
    [emails],
  );
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
}

/** Has every platform of these people ask for their calendars, and runs `askByTick`. */
export async function useByTick(...emails: string[]): Promise<void> {
  await world.neon.query(
    `with used as (update connections set last_used_at = $2 where user_id in (select id from users where email = any($1)))
    update busy_snapshots set used_at = $2 where user_id in (select id from users where email = any($1))`,
    [emails, new Date(world.clock.now()).toISOString()],
  );
  await askByTick(...emails);
}

/**
 * Runs `useByTick` for these calendars until each was read by a read that began after this call.
 * A read that was running before it has not seen what a test changed last.
 */
export async function readByTick(...emails: string[]): Promise<void> {
  const since = world.clock.now();
  await eventually(async () => {
    await useByTick(...emails);
    await world.google.settled();
    for (const email of emails) {
      const row = await snapshotOf(email);
      const isRead = row?.synced_gen === row?.dirty_gen && Number(row?.read_at_ms) >= since;
      if (!isRead) throw new Error(`${email} is not read yet`);
    }
  });
}

/** Searches for these people and returns the source of each calendar: the snapshot or the provider. */
export async function sourcesOf({ api }: TestPlatform, attendees: string[], query = '') {
  const { status, body } = await api.send('POST', `/v1/availability${query}`, { attendees });
  if (status !== 200) return [{ status }];
  return (body as { calendars: CalendarRead[] }).calendars;
}

/** Books a meeting of Ada and Bob and has both calendars read. `inCalendar` changes the event as a person would. */
export async function booked({ onDecline, hoursAhead = 48 }: { onDecline?: string; hoursAhead?: number } = {}) {
  const { platform, ada, bob, body: soon, start: in48 } = await bookable();
  const body = { ...soon, start_time: hoursLater(in48, hoursAhead - 48) };
  if (onDecline !== undefined)
    expect((await platform.api.send('PUT', '/v1/platform/settings', { on_decline: onDecline })).status).toBe(200);
  const answer = await platform.api.schedule(body);
  expect(answer.status).toBe(200);
  const { meeting_id: id, start_time: start } = answer.body as { meeting_id: string; start_time: string };
  await readByTick(ada.email, bob.email);
  const [event] = world.google.events(ada.email).filter(({ status }) => status !== 'cancelled');
  const eventId = event?.id ?? '';
  await world.advance(15_000);
  const meeting = async () => (await platform.api.send('GET', `/v1/meetings/${id}`)).body as Answers['Meeting'];
  const inCalendar = (email: string, change: object) => world.google.patchEvent({ email, eventId, ...change });
  const book = async (at: number) =>
    (await platform.api.schedule({ ...body, start_time: new Date(at).toISOString() })).body as Answers['BookedMeeting'];
  return { platform, ada, bob, id, start: Date.parse(start), meeting, inCalendar, eventId, book };
}
