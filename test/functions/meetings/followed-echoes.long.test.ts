import { expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { eventsOf, tick, writtenEvents } from '../../support/people/calendars.ts';
import { booked } from '../../support/people/following.ts';
import { askByTick, readByTick } from '../../support/people/snapshots.ts';
import { eventually } from '../../support/worlds/eventually.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

// The service's own change of an event comes back as a change of the calendar. The service recognizes it by comparing
// the event with the meeting. It cannot rely on the etag that a write returned: in these tests it has none, or one that
// is outdated.
healAfterEach();

const iso = (ms: number) => new Date(ms).toISOString();
const PATCH = { target: 'google', match: 'PATCH /calendar/v3/calendars/primary/events' } as const;
const listed = () => world.traffic.list().filter(({ method, path }) => method === 'GET' && path.endsWith('/events'));

/** Moves the meeting by a day, as its platform. */
const move = ({ platform, id, start }: Awaited<ReturnType<typeof booked>>) =>
  platform.api.send('PUT', `/v1/meetings/${id}`, {
    start_time: iso(start + 24 * HOUR),
    end_time: iso(start + 25 * HOUR),
  });

const tellers = async (platform: Parameters<typeof eventsOf>[0], count: number) =>
  (await eventsOf(platform, 'meeting.updated', count)).map(
    ({ body }) => (body.data as { changes: { updated_by: string } }).changes.updated_by,
  );

test('our own move is told once, as the platform’s, though the Worker died before the calendar’s answer', async () => {
  const meeting = await booked();
  const { platform, ada } = meeting;
  world.faults.add({ ...PATCH, mode: 'kill_after', times: 1 });
  await move(meeting).catch(() => undefined);
  await world.worker.ready();
  await readByTick(ada.email);
  await eventually(() => expect(listed().length).toBeGreaterThan(0));
  await world.advance(61_000);
  await tick();
  expect(await tellers(platform, 1)).toEqual([platform.id]);
  await world.advance(10 * 60_000);
  await tick();
  await readByTick(ada.email);
  expect(await writtenEvents(platform, 'meeting.updated')).toBe(1);
});

test('our own move is told once, as the platform’s, though it was pushed and read before it was committed', async () => {
  const meeting = await booked();
  const { platform, ada } = meeting;
  const held = hold({ target: 'neon', body_match: 'meeting\\.updated', times: 1 });
  world.traffic.clear();
  const moving = move(meeting);
  await met(held);
  await eventually(async () => {
    await world.google.settled();
    expect(listed().length).toBeGreaterThan(0);
  });
  held.release();
  expect((await moving).status).toBe(200);
  await world.advance(10 * 60_000);
  await tick();
  await readByTick(ada.email);
  expect(await tellers(platform, 1)).toEqual([platform.id]);
});

test('an answer given on top of our move comes back, and the move is no news', async () => {
  const meeting = await booked();
  const { platform, ada, bob } = meeting;
  world.google.settings.pushes = 'lost';
  expect((await move(meeting)).status).toBe(200);
  meeting.inCalendar(bob.email, { responseStatus: 'accepted' });
  await readByTick(ada.email, bob.email);
  await eventually(async () => expect((await meeting.meeting()).rsvps[1]?.response_status).toBe('accepted'));
  expect(await tellers(platform, 1)).toEqual([platform.id]);
});

test('a person’s move on top of ours is followed, and told beside it', async () => {
  const meeting = await booked();
  const { platform, ada, start } = meeting;
  world.google.settings.pushes = 'lost';
  expect((await move(meeting)).status).toBe(200);
  meeting.inCalendar(ada.email, { start: iso(start + 48 * HOUR), end: iso(start + 49 * HOUR) });
  await askByTick(ada.email);
  await eventually(async () => expect((await tellers(platform, 2)).sort()).toEqual(['calendar', platform.id].sort()));
  expect(Date.parse((await meeting.meeting()).start_time)).toBe(start + 48 * HOUR);
});

test('a move there and back between two reads is no news', async () => {
  const { platform, ada, bob, start, inCalendar } = await booked();
  world.google.settings.pushes = 'lost';
  for (const hours of [3, 0])
    inCalendar(ada.email, { start: iso(start + hours * HOUR), end: iso(start + hours * HOUR + HOUR / 2) });
  await readByTick(ada.email, bob.email);
  await tick();
  expect(await writtenEvents(platform, 'meeting.updated')).toBe(0);
});
