import { expect } from 'vitest';
import { world } from '../worlds/world.ts';
import { bookable, hoursLater } from './bookings.ts';
import { readByTick } from './snapshots.ts';

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
  /** Books another meeting of the same two people. */
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
