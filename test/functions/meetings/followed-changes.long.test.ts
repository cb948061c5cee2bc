import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
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
