import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { connectedTwice, eventsOf, tick, writtenEvents } from '../../support/people/calendars.ts';
import { cancel, done } from '../../support/people/cancelling.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { type Booked, booked, eventOf, iso, rowOf, seen } from '../../support/people/meetings.ts';
import { post } from '../../support/people/rescheduling.ts';
import { bodyFor, later, put, updated } from '../../support/people/updating.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Disconnects one of the two people from the meeting's platform, then connects them to another platform. */
async function consentElsewhere(meeting: Booked, who: 'ada' | 'bob' = 'ada') {
  const { email } = meeting[who];
  expect((await meeting.platform.api.disconnect(email)).status).toBe(200);
  await world.connectCalendar(await freshPlatform({ plan: 'enterprise' }), email);
}

const refused = (email: string) =>
  refusal(404, 'calendar_reconnect_required', {
    message: `${email} is no longer connected to this platform, and must connect their calendar again before you can change this meeting. Send them the link from GET /v1/platform/oauth-url.`,
    email,
  });

/** Checks that the event has not moved and that Postgres has no change pending. */
async function expectAsBefore(meeting: Booked): Promise<void> {
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ status: 'confirmed', start: iso(meeting.start) });
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
}

describe("another platform's consent", () => {
  test.each(['ada', 'bob'] as const)(
    'gives no access to a meeting whose %s disconnected: it is not updated',
    async (who) => {
      const meeting = await booked();
      await consentElsewhere(meeting, who);
      const answer = await put(meeting, bodyFor(later(meeting)), 'u1');
      expect(seen(answer)).toEqual(refused(meeting[who].email));
      await expectAsBefore(meeting);
    },
  );

  test.each(['ada', 'bob'] as const)(
    'gives no access to a meeting whose %s disconnected: it is not rescheduled, and nothing is learned',
    async (who) => {
      const meeting = await booked();
      await consentElsewhere(meeting, who);
      expect(seen(await post(meeting, { reason: 'Too early for me' }, 'r1'))).toEqual(refused(meeting[who].email));
      await expectAsBefore(meeting);
      const [learned] = await world.neon.query(
        'select count(*)::int as rows from learning_ledger where meeting_id = $1',
        [meeting.id],
      );
      expect(learned?.rows).toBe(0);
    },
  );

  test('an attendee who left is replaced by one who is connected', async () => {
    const meeting = await booked();
    await consentElsewhere(meeting, 'bob');
    const cleo = await connectedPerson(meeting.platform, { name: 'cleo' });
    const body = { ...bodyFor(later(meeting)), attendees: [meeting.ada.email, cleo.email] };
    expect(seen(await put(meeting, body))).toEqual(updated(meeting, later(meeting), cleo.email));
  });

  test('the sweep leaves the calendar of somebody who disconnected alone', async () => {
    const meeting = await booked();
    world.faults.add({ target: 'google', match: 'PATCH /calendar/v3', mode: 'reset', times: 20 });
    expect((await put(meeting, bodyFor(later(meeting)))).status).toBe(500);
    world.faults.clear();
    await consentElsewhere(meeting);
    await world.advance(5 * 60_000);
    world.traffic.clear();
    await tick();
    expect(world.traffic.list().filter(({ path }) => path.includes(meeting.eventId))).toEqual([]);
    expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ start: iso(meeting.start) });
  });
});

describe('a cancellation after the organizer disconnected', () => {
  test('ends the meeting, keeps the event, says so in answer and webhook, and is replayed', async () => {
    const meeting = await booked();
    await consentElsewhere(meeting);
    const answer = await cancel(meeting, 'c1');
    expect(seen(answer)).toEqual(done(meeting, 'kept'));
    expect((await cancel(meeting, 'c1')).text).toBe(answer.text);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', holds: [] });
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    const [event] = await eventsOf(meeting.platform, 'meeting.cancelled');
    expect(event?.body.data).toMatchObject({ meeting_id: meeting.id, calendar_event: 'kept' });
  });

  test('the event is deleted once they connect with the platform again', async () => {
    const meeting = await booked({ start: Math.ceil(world.clock.now() / HOUR) * HOUR + 20 * DAY });
    await consentElsewhere(meeting);
    await cancel(meeting);
    await world.advance(6 * DAY);
    await tick();
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    await world.connectCalendar(meeting.platform, meeting.ada.email);
    await world.advance(2 * HOUR);
    await tick();
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', unlocked: true, pending: [] });
    expect(await writtenEvents(meeting.platform, 'meeting.cancelled')).toBe(1);
  });

  test('after more than 7 days it stays where it is', async () => {
    const meeting = await booked({ start: Math.ceil(world.clock.now() / HOUR) * HOUR + 20 * DAY });
    await consentElsewhere(meeting);
    await cancel(meeting);
    await world.advance(8 * DAY);
    await tick();
    await world.connectCalendar(meeting.platform, meeting.ada.email);
    await world.advance(2 * HOUR);
    await tick();
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', pending: [] });
  });

  test('the event is still deleted when only the second attendee disconnected', async () => {
    const meeting = await booked();
    await consentElsewhere(meeting, 'bob');
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
  });
});

test('last_sync tells nothing of other platforms, and is null once this one is not connected', async () => {
  const { platform, other, ada } = await connectedTwice();
  const own = async () => ((await platform.api.status(ada.email)).body as { last_sync: string | null }).last_sync;
  const before = await own();
  expect(before).toEqual(expect.any(String));
  await world.advance(60_000);
  await world.connectCalendar(other, ada.email);
  expect(await own()).toBe(before);
  await platform.api.disconnect(ada.email);
  expect(await own()).toBeNull();
});
