import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { askByTick, booked, eventsOf, readByTick, tick, writtenEvents } from '../../support/people/calendars.ts';
import { eventually, hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('what people do in the calendar comes back', () => {
  test('an answer, with who and when, and no platform is told of it', async () => {
    const { platform, ada, bob, meeting, inCalendar } = await booked();
    inCalendar(bob.email, { responseStatus: 'accepted' });
    const at = world.clock.now();
    await eventually(async () => {
      const { rsvps } = await meeting();
      expect(rsvps).toEqual([
        { email: ada.email, response_status: expect.any(String), responded_at: expect.toSatisfy(() => true) },
        { email: bob.email, response_status: 'accepted', responded_at: expect.any(String) },
      ]);
      expect(Math.abs(Date.parse(rsvps[1]?.responded_at ?? '') - at)).toBeLessThan(60_000);
    });
    expect(await writtenEvents(platform, 'meeting.updated')).toBe(0);
  });

  test('a move that comes while the one before it is written down is followed too', async () => {
    const { ada, start, meeting, inCalendar } = await booked();
    const iso = (ms: number) => new Date(ms).toISOString();
    const writing = hold({
      target: 'neon',
      body_match: 'update \\\\"meetings\\\\" set \\\\"status\\\\".*"updated"',
      times: 1,
    });
    inCalendar(ada.email, { start: iso(start + 3 * HOUR), end: iso(start + 4 * HOUR) });
    await met(writing);
    await world.advance(15_000);
    inCalendar(ada.email, { start: iso(start + 6 * HOUR), end: iso(start + 7 * HOUR) });
    // The second move makes the event due for another read.
    await eventually(async () => {
      const [pending] = await world.neon.query('select due_at > created_at as "isAnew" from pending_operations');
      expect(pending).toEqual({ isAnew: true });
    });
    writing.release();
    await eventually(async () => {
      await world.worker.runScheduled(world.clock.now());
      expect(Date.parse((await meeting()).start_time)).toBe(start + 6 * HOUR);
    });
  });

  test('a move onto another meeting is followed, and the platform told which it is on now', async () => {
    const { platform, ada, bob, id, start, meeting, inCalendar, book } = await booked();
    const iso = (ms: number) => new Date(ms).toISOString();
    const other = await book(start + 3 * HOUR);
    const conflict = (email: string) => ({
      email,
      meeting_id: other.meeting_id,
      start_time: other.start_time,
      end_time: other.end_time,
    });
    inCalendar(ada.email, { start: iso(start + 3 * HOUR), end: iso(start + 4 * HOUR) });
    const toldByTick = (count: number) =>
      eventually(async () => {
        // A read that began before the move may still be running: a later tick reads the calendar again.
        await askByTick(ada.email);
        return eventsOf(platform, 'meeting.updated', count);
      });
    const [told] = await toldByTick(1);
    const [first = '', second = ''] = [ada.email, bob.email].sort();
    expect(told?.body.data).toMatchObject({
      meeting_id: id,
      changes: { reason: 'moved_in_calendar', conflicts: [conflict(first), conflict(second)] },
    });
    expect(await meeting()).toMatchObject({ status: 'updated' });
    inCalendar(ada.email, { start: iso(start + 6 * HOUR), end: iso(start + 7 * HOUR) });
    const events = await toldByTick(2);
    expect(
      events.map(({ body }) => (body.data as { changes: { conflicts: unknown[] } }).changes.conflicts.length).sort(),
    ).toEqual([0, 2]);
  });
});

test('a platform may have a decline answered by another time, once', async () => {
  const { platform, ada, bob, meeting, inCalendar } = await booked({ onDecline: 'reschedule' });
  inCalendar(bob.email, { responseStatus: 'declined' });
  await eventually(() => eventsOf(platform, 'meeting.updated'));
  await tick();
  await eventually(async () => expect((await meeting()).status).toBe('rescheduled'));
  expect(await writtenEvents(platform, 'meeting.scheduled')).toBe(2);
  await world.advance(15_000);
  await readByTick(ada.email, bob.email);
  await tick();
  expect(await writtenEvents(platform, 'meeting.scheduled')).toBe(2);
});

const LIST = 'GET /calendar/v3/calendars/primary/events';
const GONE = {
  mode: 'status',
  status: 410,
  body: { error: { code: 410, errors: [{ domain: 'calendar', reason: 'fullSyncRequired' }] } },
  times: 1,
} as const;

/**
 * Books four meetings and reads Ada's calendar. Then deletes the first two there and declines the fourth, without a
 * push.
 */
async function fourMeetings() {
  const first = await booked();
  const { platform, ada, bob, start, book } = first;
  const ids = [first.id];
  for (const hours of [2, 4, 6]) ids.push((await book(start + hours * HOUR)).meeting_id);
  await world.advance(15_000);
  await askByTick(ada.email, bob.email);
  await eventually(async () => expect(await tokenOf(ada.email)).not.toBeNull());
  const eventIds = await Promise.all(
    ids.map(async (id) => {
      const [row] = await world.neon.query('select provider_event_id from meetings where id = $1', [id]);
      return String(row?.provider_event_id);
    }),
  );
  const [one = '', two = '', three = '', four = ''] = eventIds;
  const remove = (eventId: string) => world.google.patchEvent({ email: ada.email, eventId, deleted: true });
  for (const eventId of [one, two]) remove(eventId);
  world.google.patchEvent({ email: bob.email, eventId: four, responseStatus: 'declined' });
  world.traffic.clear();
  const asked = (eventId: string) =>
    world.traffic.list().filter(({ path, method }) => method === 'GET' && path.endsWith(`/events/${eventId}`)).length;
  const statusOf = async (at: number) =>
    ((await platform.api.send('GET', `/v1/meetings/${ids[at]}`)).body as { status: string }).status;
  return { platform, ada, ids, eventIds: { one, two, three, four }, asked, statusOf };
}

const tokenOf = async (email: string) =>
  (
    await world.neon.query(
      'select event_token from busy_snapshots s join users u on u.id = s.user_id where u.email = $1',
      [email],
    )
  )[0]?.event_token;

/**
 * Checks that the platform was told of every change once: two meetings were cancelled, one was declined, and one is
 * unchanged.
 */
async function allFound({ platform, ids, statusOf }: Awaited<ReturnType<typeof fourMeetings>>) {
  const cancelled = await eventually(() => eventsOf(platform, 'meeting.cancelled', 2));
  expect(cancelled.map(({ body }) => (body.data as { meeting_id: string }).meeting_id).sort()).toEqual(
    ids.slice(0, 2).sort(),
  );
  const [declined] = await eventually(() => eventsOf(platform, 'meeting.updated'));
  expect(declined?.body.data).toMatchObject({ meeting_id: ids[3], changes: { reason: 'attendee_declined' } });
  expect([await statusOf(2), await statusOf(3)]).toEqual(['scheduled', 'scheduled']);
}

describe('what became of our meetings is found though the list of changes ends early', () => {
  beforeEach(() => {
    world.google.settings.pushes = 'lost';
  });

  test('when the rights changed and the token is worth nothing: those that are not listed are asked one by one, and of the others each whose event changed', async () => {
    const meetings = await fourMeetings();
    const { ada, eventIds, asked } = meetings;
    world.google.expireSyncTokens(ada.email);
    await askByTick(ada.email);
    await allFound(meetings);
    expect([asked(eventIds.one), asked(eventIds.two)].every((times) => times > 0)).toBe(true);
    expect([asked(eventIds.three), asked(eventIds.four)]).toEqual([0, 1]);
  });

  test('when the token runs out between the first page and the second', async () => {
    const meetings = await fourMeetings();
    world.google.settings.mostOnAPage = 1;
    const first = world.faults.add({ target: 'google', match: LIST, mode: 'delay', delay_ms: 0, times: 1 });
    const second = world.faults.add({ target: 'google', match: LIST, ...GONE });
    await askByTick(meetings.ada.email);
    await allFound(meetings);
    expect([first.hits(), second.hits()]).toEqual([1, 1]);
  });

  test('when the whole list that follows ends early too: by the next read', async () => {
    const meetings = await fourMeetings();
    const { platform, ada } = meetings;
    world.google.settings.mostOnAPage = 1;
    world.google.expireSyncTokens(ada.email);
    world.faults.add({ target: 'google', match: LIST, mode: 'delay', delay_ms: 0, times: 2 });
    // Any other read that lists everything meanwhile fails at the same page.
    const ended = world.faults.add({ target: 'google', match: LIST, ...GONE, times: 1_000 });
    const token = await tokenOf(ada.email);
    await askByTick(ada.email);
    await eventually(() => expect(ended.hits()).toBeGreaterThan(0));
    await world.google.settled();
    expect(await tokenOf(ada.email)).toBe(token);
    expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(0);
    world.faults.clear();
    await world.advance(10 * 60_000);
    await askByTick(ada.email);
    await allFound(meetings);
  });

  test('when an event may not be looked at then: the meeting stands, and once it may it is followed', async () => {
    const meetings = await fourMeetings();
    const { platform, ada, eventIds, statusOf } = meetings;
    world.google.expireSyncTokens(ada.email);
    const body = { error: { code: 403, errors: [{ domain: 'calendar', reason: 'forbidden' }] } };
    const match = `GET /calendar/v3/calendars/primary/events/${eventIds.one}`;
    const closed = world.faults.add({ target: 'google', match, mode: 'status', status: 403, body });
    await askByTick(ada.email);
    await eventually(() => eventsOf(platform, 'meeting.cancelled', 1));
    expect(closed.hits()).toBeGreaterThan(0);
    expect(await statusOf(0)).toBe('scheduled');
    world.faults.clear();
    await world.advance(DAY + 60_000);
    await tick();
    await allFound(meetings);
  });
});
