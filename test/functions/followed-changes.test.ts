import { beforeEach, describe, expect, test } from 'vitest';
import { bookable } from '../support/bookings.ts';
import { eventsOf, tick, writtenEvents } from '../support/calendars.ts';
import { eventually } from '../support/eventually.ts';
import { askByTick, readByTick } from '../support/snapshots.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const HOUR = 3_600_000;

/** A meeting on Ada's calendar, which has been read since; and what a person does to its event there. */
async function booked({ onDecline }: { onDecline?: string } = {}) {
  const { platform, ada, bob, body } = await bookable();
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
  return { platform, ada, bob, id, start: Date.parse(start), meeting, inCalendar, eventId };
}

interface Meeting {
  status: string;
  start_time: string;
  rsvps: { email: string; response_status: string; responded_at: string | null }[];
}

beforeEach(() => {
  world.google.settings.pushes = 'sent';
});

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

  test('a decline tells the platform once, and cancels nothing', async () => {
    const { platform, bob, id, meeting, inCalendar } = await booked();
    inCalendar(bob.email, { responseStatus: 'declined' });
    const [told] = await eventually(() => eventsOf(platform, 'meeting.updated'));
    const { start_time } = await meeting();
    expect(told?.body.data).toMatchObject({
      meeting_id: id,
      changes: {
        updated_by: 'calendar',
        reason: 'attendee_declined',
        attendee: bob.email,
        old_start_time: start_time,
        new_start_time: start_time,
      },
    });
    await readByTick(bob.email);
    expect((await meeting()).status).toBe('scheduled');
    expect(await writtenEvents(platform, 'meeting.updated')).toBe(1);
  });

  test('a move keeps the meeting’s id and tells the old and the new time', async () => {
    const { platform, ada, id, start, meeting, inCalendar } = await booked();
    const iso = (ms: number) => new Date(ms).toISOString();
    inCalendar(ada.email, { start: iso(start + 3 * HOUR), end: iso(start + 4 * HOUR) });
    const [told] = await eventually(() => eventsOf(platform, 'meeting.updated'));
    expect(told?.body.data).toMatchObject({
      meeting_id: id,
      changes: {
        updated_by: 'calendar',
        reason: 'moved_in_calendar',
        new_start_time: iso(start + 3 * HOUR).replace('.000Z', 'Z'),
      },
    });
    expect(await meeting()).toMatchObject({ status: 'updated' });
    expect(Date.parse((await meeting()).start_time)).toBe(start + 3 * HOUR);
  });

  test('a deletion cancels the meeting, and no later sweep brings the event back', async () => {
    const { platform, ada, bob, id, meeting, inCalendar } = await booked();
    inCalendar(ada.email, { deleted: true });
    const [told] = await eventually(() => eventsOf(platform, 'meeting.cancelled'));
    expect(told?.body.data).toMatchObject({
      meeting_id: id,
      cancelled_by: 'calendar',
      reason: 'cancelled_in_calendar',
      calendar_event: 'deleted',
    });
    expect((await meeting()).status).toBe('cancelled');
    for (let hours = 0; hours < 3; hours++) {
      await world.advance(HOUR);
      await tick();
    }
    await readByTick(ada.email, bob.email);
    expect(world.google.events(ada.email).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(1);
  });

  test('what happened before the sync token ran out is found all the same', async () => {
    const { platform, ada, id, inCalendar } = await booked();
    world.google.settings.pushes = 'lost';
    inCalendar(ada.email, { deleted: true });
    world.google.expireSyncTokens(ada.email);
    await askByTick(ada.email);
    const [told] = await eventually(() => eventsOf(platform, 'meeting.cancelled'));
    expect(told?.body.data).toMatchObject({ meeting_id: id, reason: 'cancelled_in_calendar' });
  });

  test('what the service does itself is no news from the calendar', async () => {
    const { platform, ada, bob, id, start, meeting } = await booked();
    const iso = (ms: number) => new Date(ms).toISOString();
    const times = { start_time: iso(start + 24 * HOUR), end_time: iso(start + 25 * HOUR) };
    expect((await platform.api.send('PUT', `/v1/meetings/${id}`, times)).status).toBe(200);
    await world.advance(15_000);
    await readByTick(ada.email, bob.email);
    await tick();
    expect(await writtenEvents(platform, 'meeting.updated')).toBe(1);
    expect((await platform.api.send('DELETE', `/v1/meetings/${id}`)).status).toBe(200);
    await world.advance(15_000);
    await readByTick(ada.email, bob.email);
    await tick();
    expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(1);
    expect((await meeting()).status).toBe('cancelled');
  });
});

describe('a platform may have a decline answered', () => {
  test('by cancelling the meeting', async () => {
    const { platform, ada, bob, meeting, inCalendar } = await booked({ onDecline: 'cancel' });
    inCalendar(bob.email, { responseStatus: 'declined' });
    await eventually(() => eventsOf(platform, 'meeting.updated'));
    await tick();
    await eventually(() => eventsOf(platform, 'meeting.cancelled'));
    expect((await meeting()).status).toBe('cancelled');
    expect(world.google.events(ada.email).map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('by another time, once', async () => {
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
});
