import { expect } from 'vitest';
import { eventually } from '../worlds/quiet.ts';
import { world } from '../worlds/world.ts';
import type { TestPlatform } from './factories.ts';
import { bookable, hoursLater } from './meetings.ts';

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

export interface Read {
  email: string;
  read_at: string;
  source: string;
}

/** Searches for these people and returns the source of each calendar: the snapshot or the provider. */
export async function sourcesOf({ api }: TestPlatform, attendees: string[], query = '') {
  const { status, body } = await api.send('POST', `/v1/availability${query}`, { attendees });
  if (status !== 200) return [{ status }];
  return (body as { calendars: Read[] }).calendars;
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
  const meeting = async () => (await platform.api.send('GET', `/v1/meetings/${id}`)).body as Meeting;
  const inCalendar = (email: string, change: object) => world.google.patchEvent({ email, eventId, ...change });
  const book = async (at: number) =>
    (await platform.api.schedule({ ...body, start_time: new Date(at).toISOString() })).body as Booked;
  return { platform, ada, bob, id, start: Date.parse(start), meeting, inCalendar, eventId, book };
}

interface Booked {
  meeting_id: string;
  start_time: string;
  end_time: string;
}

interface Meeting {
  status: string;
  start_time: string;
  rsvps: { email: string; response_status: string; responded_at: string | null }[];
}
