import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../lib/engine/time/dates.ts';
import { accepted, ended, pair as freeDays } from '../support/people/batches.ts';
import { eventsOf, writtenEvents } from '../support/people/calendars.ts';
import {
  bodyFor,
  cancel,
  holdsOf,
  after as hoursAfter,
  later,
  post,
  put,
  wednesday,
} from '../support/people/changing.ts';
import type { TestPerson, TestPlatform } from '../support/people/factories.ts';
import {
  type Booked,
  bookable,
  booked,
  DELETE_EVENT,
  eventOf,
  forgetEvent,
  GET_EVENT,
  inHours,
  iso,
  liveEvents,
  PATCH_EVENT,
  pass,
  rowOf,
} from '../support/people/meetings.ts';
import { count, dying, hold, met } from '../support/worlds/quiet.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const DAY = 86_400;
const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;
const far = () => inHours(24 * 20);

/** Runs a change that reaches the calendar while every answer of the calendar is lost. */
async function lost(meeting: Booked, change: () => Promise<{ status: number }>): Promise<void> {
  await forgetEvent(meeting);
  world.faults.add({ ...GET_EVENT, mode: 'delay', delay_ms: 0, times: 1 });
  world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
  world.faults.add({ ...GET_EVENT, mode: 'reset' });
  expect((await change()).status).toBe(500);
  world.faults.clear();
}

const moved = ({ start, end }: { start: number; end: number }) => ({ start: iso(start), end: iso(end) });

function moveInCalendar({ ada, eventId }: Pick<Booked, 'ada' | 'eventId'>, to: { start: number; end: number }) {
  world.google.patchEvent({ email: ada.email, eventId, ...moved(to) });
}

const leave = ({ platform, ada }: Booked) => platform.api.disconnect(ada.email);
const comeBack = ({ platform, ada }: Booked) => world.connectCalendar(platform, ada.email);

/** Lets nine days pass: longer than the day and the week after which the sweep gives up. */
async function nineDays(): Promise<void> {
  for (let days = 0; days < 9; days += 1) await pass(DAY + 61);
}

describe('what the calendar did stays unknown for a day, as its person has left', () => {
  const held = ({ ada, bob, ...meeting }: Booked) => holdsOf([ada.email, bob.email], meeting);

  test('a move is undone, and the event moved back when they return', async () => {
    const meeting = await booked({ start: far() });
    await lost(meeting, () => put(meeting, bodyFor(later(meeting)), 'm1'));
    await leave(meeting);
    await pass(61);
    expect(await rowOf(meeting.id)).toMatchObject({ unlocked: false, pending: ['move'] });
    await nineDays();
    expect(await rowOf(meeting.id)).toMatchObject({ unlocked: true, pending: ['verify'], holds: [] });
    expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject(moved(later(meeting)));
    await comeBack(meeting);
    expect(await rowOf(meeting.id)).toMatchObject({ holds: held(meeting) });
    await pass(1);
    expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject(moved(meeting));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', start: iso(meeting.start), pending: [] });
    expect(await writtenEvents(meeting.platform, 'meeting.updated')).toBe(0);
    await expectPeace({ platforms: [meeting.platform] });
  });

  test('a cancellation is done, and the event deleted when they return', async () => {
    const meeting = await booked({ start: far() });
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
    expect((await cancel(meeting, 'c1')).status).toBe(500);
    world.faults.clear();
    await leave(meeting);
    await pass(61);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', pending: ['cancel'] });
    await nineDays();
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', holds: [], pending: ['verify'] });
    const [told] = await eventsOf(meeting.platform, 'meeting.cancelled');
    expect(told?.body.data).toMatchObject({ reason: 'cancelled_by_platform', calendar_event: 'unknown' });
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    await comeBack(meeting);
    await pass(1);
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
    await expectPeace({ platforms: [meeting.platform] });
  });

  test('a cancellation goes on at once when it is asked for again', async () => {
    const meeting = await booked({ start: far() });
    await lost(meeting, () => put(meeting, bodyFor(later(meeting))));
    await leave(meeting);
    expect((await cancel(meeting)).body).toMatchObject({ status: 'cancelled', calendar_event: 'kept' });
  });

  test('an event that its person moved meanwhile is followed when they return', async () => {
    const meeting = await booked({ start: far() });
    await lost(meeting, () => put(meeting, bodyFor(later(meeting))));
    await leave(meeting);
    await nineDays();
    const own = { start: meeting.start + 26 * HOUR, end: meeting.end + 27 * HOUR };
    moveInCalendar(meeting, own);
    await comeBack(meeting);
    await pass(1);
    expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject(moved(own));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'updated', ...moved(own), pending: [] });
    const [told] = await eventsOf(meeting.platform, 'meeting.updated');
    expect(told?.body.data.changes).toEqual({
      updated_by: 'calendar',
      reason: 'moved_in_calendar',
      old_start_time: iso(meeting.start),
      new_start_time: iso(own.start),
      old_end_time: iso(meeting.end),
      new_end_time: iso(own.end),
      conflicts: [],
    });
    await expectPeace({ platforms: [meeting.platform] });
  });

  test('an event that its person deleted meanwhile is followed when they return', async () => {
    const meeting = await booked({ start: far() });
    await lost(meeting, () => put(meeting, bodyFor(later(meeting))));
    await leave(meeting);
    await nineDays();
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    await comeBack(meeting);
    await pass(1);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', holds: [], pending: [] });
    const [told] = await eventsOf(meeting.platform, 'meeting.cancelled');
    expect(told?.body.data).toMatchObject({ cancelled_by: 'calendar', reason: 'cancelled_in_calendar' });
    await expectPeace({ platforms: [meeting.platform] });
  });

  test('a job fails once, though it is a run of its own that ends the booking', async () => {
    const { platform, body } = await freeDays();
    world.faults.add({ ...INSERT, mode: 'after', times: 1 });
    world.faults.add({ ...INSERT, mode: 'reset' });
    const id = await accepted(platform, body);
    await world.qstash.deliverDue();
    world.faults.clear();
    world.faults.add({ ...GET_EVENT, mode: 'status', status: 503 });
    for (const seconds of [3_600, 3_600, 3_600, DAY]) {
      await world.advance(seconds * 1_000);
      await world.qstash.deliverDue();
    }
    expect((await ended(platform, id)).result).toMatchObject({ success: false, error_code: 'GOOGLE_API_ERROR' });
    expect(await writtenEvents(platform, 'meeting.scheduling.failed')).toBe(1);
    await expectPeace({ platforms: [platform] });
  });
});

describe('a person moved the event before the sweep looked', () => {
  const shift = { start: 3 * HOUR, end: 3 * HOUR + 15 * MINUTE };
  const shifted = ({ start, end }: { start: number; end: number }) => ({
    start: start + shift.start,
    end: end + shift.end,
  });

  test('a booking stands where the calendar shows it', async () => {
    const { platform, ada, bob, body, start } = await bookable();
    world.faults.add({ ...INSERT, mode: 'after', times: 1 });
    world.faults.add({ ...INSERT, mode: 'reset' });
    const headers = { 'Idempotency-Key': 'b7' };
    expect((await platform.api.schedule({ ...body, require_free: true }, { headers })).status).toBe(500);
    world.faults.clear();
    const own = shifted({ start: start.getTime(), end: start.getTime() + 30 * MINUTE });
    moveInCalendar({ ada, eventId: liveEvents(ada.email)[0]?.id ?? '' }, own);
    await pass(61);
    const answer = await platform.api.schedule({ ...body, require_free: true }, { headers });
    expect(answer.body).toMatchObject({ start_time: iso(own.start), end_time: iso(own.end) });
    const { meeting_id } = answer.body as { meeting_id: string };
    expect(await rowOf(meeting_id)).toMatchObject({ ...moved(own), holds: holdsOf([ada.email, bob.email], own) });
    const [told] = await eventsOf(platform, 'meeting.scheduled');
    expect(told?.body.data).toMatchObject({ start_time: iso(own.start), end_time: iso(own.end), duration: 45 });
    await expectPeace({ platforms: [platform] });
  });

  test('a job tells the time the calendar shows', async () => {
    const { platform, ada, body } = await freeDays();
    const id = await accepted(platform, body);
    await dying({ ...INSERT, mode: 'kill_after' }, () => world.qstash.deliverDue());
    const [event] = liveEvents(ada.email);
    const start = Date.parse(event?.start?.dateTime ?? '');
    const own = shifted({ start, end: start + 30 * MINUTE });
    moveInCalendar({ ada, eventId: event?.id ?? '' }, own);
    await pass(61);
    const { result } = await ended(platform, id);
    expect(result.chosen_slot).toMatchObject({ start_time: iso(own.start), end_time: iso(own.end) });
    await expectPeace({ platforms: [platform] });
  });

  test('an update tells the time the calendar shows, under its key too', async () => {
    const meeting = await booked();
    const { ada, bob } = meeting;
    await lost(meeting, () => put(meeting, bodyFor(later(meeting)), 'u7'));
    const own = shifted(later(meeting));
    moveInCalendar(meeting, own);
    await pass(61);
    expect(await rowOf(meeting.id)).toMatchObject({ ...moved(own), holds: holdsOf([ada.email, bob.email], own) });
    const [told] = await eventsOf(meeting.platform, 'meeting.updated');
    expect(told?.body.data.changes).toMatchObject({ updated_by: 'calendar', new_start_time: iso(own.start) });
    const again = await put(meeting, bodyFor(later(meeting)), 'u7');
    expect(again.body).toMatchObject({ start_time: iso(own.start), end_time: iso(own.end) });
    await expectPeace({ platforms: [meeting.platform] });
  });

  test('a reschedule tells the time the calendar shows', async () => {
    const meeting = await booked({ start: wednesday() + 14 * 24 * HOUR });
    await lost(meeting, () => post(meeting, hoursAfter(meeting), 'r7'));
    const own = shifted(meeting);
    moveInCalendar(meeting, own);
    await pass(61);
    const answer = await post(meeting, hoursAfter(meeting), 'r7');
    expect(answer.body).toMatchObject({
      new_meeting_time: iso(own.start),
      reasoning: 'Somebody moved the event in the calendar meanwhile; this is the time it has there.',
    });
    const { new_meeting_id } = answer.body as { new_meeting_id: string };
    expect(await rowOf(new_meeting_id)).toMatchObject(moved(own));
    const told = await eventsOf(meeting.platform, 'meeting.scheduled', 2);
    expect(told.at(-1)?.body.data).toMatchObject({ start_time: iso(own.start), rescheduled_from: meeting.id });
    await expectPeace({ platforms: [meeting.platform] });
  });
});

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

async function meetingOf(platformId: string) {
  const [row] = await world.neon.query(
    `select m.id, m.status, (select coalesce(json_agg(p.kind), '[]') from pending_operations p where p.event_id = m.provider_event_id) as pending
     from meetings m where m.platform_id = $1`,
    [platformId],
  );
  return row;
}

/** Books a meeting whose event exists in the calendar, although the platform was answered 500. */
async function unknown({ plan = 'enterprise' } = {}) {
  const made = await bookable({ plan });
  world.faults.add({ ...INSERT, mode: 'after', times: 1 });
  world.faults.add({ ...INSERT, mode: 'reset' });
  expect((await made.platform.api.schedule(made.body, keyed('unknown'))).status).toBe(500);
  world.faults.clear();
  return made;
}

/** Ways to make a calendar unreachable. Each returns a function that makes the calendar reachable again. */
const BLIND: [string, (platform: TestPlatform, ada: TestPerson) => Promise<() => Promise<unknown>>][] = [
  [
    'its person disconnected',
    async (platform, ada) => {
      await platform.api.disconnect(ada.email);
      return () => world.connectCalendar(platform, ada.email);
    },
  ],
  [
    'the provider is down',
    async () => {
      world.faults.add({ target: 'google', match: 'GET /calendar/v3/calendars', mode: 'status', status: 503 });
      world.faults.add({ target: 'google', match: 'DELETE /calendar/v3/calendars', mode: 'status', status: 503 });
      return async () => world.faults.clear();
    },
  ],
];

describe('a booking whose outcome is not known', () => {
  test('whose organizer comes back within the day stands', async () => {
    const { platform, body, ada } = await unknown();
    await platform.api.disconnect(ada.email);
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'pending', pending: ['book'] });
    await world.connectCalendar(platform, ada.email);
    await pass(1);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'scheduled', pending: [] });
    expect(liveEvents(ada.email)).toHaveLength(1);
    expect((await platform.api.schedule(body, keyed('unknown'))).headers.get('idempotent-replayed')).toBe('true');
    await expectPeace({ platforms: [platform] });
  });

  test('is undone at once for a retry, when its organizer has left', async () => {
    const { platform, body, ada } = await unknown();
    await platform.api.disconnect(ada.email);
    expect((await platform.api.schedule(body, keyed('unknown'))).status).toBe(404);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(0);
  });

  test.each(BLIND)('has failed after a day for all, and the platform is told: %s', async (name, blind) => {
    const { platform, body, ada } = await unknown({ plan: 'developer' });
    await blind(platform, ada);
    await pass(61);
    await pass(DAY - 120);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'pending', pending: ['book'] });
    await pass(120);
    await pass(1);
    const ended = await meetingOf(platform.id);
    expect(ended).toMatchObject({ status: 'failed', pending: ['verify'] });
    const held = 'select 1 from holds h join meetings m on m.id = h.meeting_id where m.platform_id = $1';
    expect(await world.neon.query(held, [platform.id])).toEqual([]);
    const counted = 'select used, confirmed from usage where platform_id = $1';
    expect(await world.neon.query(counted, [platform.id])).toEqual([{ used: 0, confirmed: 0 }]);
    const [told] = await eventsOf(platform, 'meeting.cancelled');
    expect(told?.body.data).toEqual({
      meeting_id: ended?.id,
      attendees: body.attendees,
      // The details of both are left out if both are connected.
      ...(name === 'its person disconnected' && {
        attendee_details: body.attendees.map((email) => ({ email, connected: email !== ada.email })),
      }),
      start_time: body.start_time.replace('.000Z', 'Z'),
      metadata: {},
      cancelled_at: expect.any(String),
      cancelled_by: 'tandem',
      reason: 'outcome_unknown',
      calendar_event: 'unknown',
    });
    expect(world.logs().some((line) => line.includes('an outcome stayed unknown'))).toBe(true);
  });

  test.each(BLIND)(
    'has its event deleted after it failed, however late the calendar can be reached again: %s',
    async (...blind) => {
      const { platform, ada } = await unknown();
      const heal = await blind[1](platform, ada);
      await pass(DAY + 61);
      for (let days = 0; days < 9; days += 3) await pass(3 * DAY);
      expect(liveEvents(ada.email)).toHaveLength(1);
      expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed' });
      await heal();
      await pass(DAY);
      expect(liveEvents(ada.email)).toEqual([]);
      // No work is left. The retention rules may delete a failed meeting that has no pending operation.
      expect((await meetingOf(platform.id))?.pending ?? []).toEqual([]);
      await expectPeace({ platforms: [platform] });
    },
  );

  test('is verified again when its time has come, not when a client retries', async () => {
    const { platform, body } = await bookable();
    world.faults.add({ ...INSERT, mode: 'reset' });
    expect((await platform.api.schedule(body, keyed('early'))).status).toBe(500);
    world.faults.clear();
    const kept = 'select * from idempotency_keys where platform_id = $1';
    const [started] = await world.neon.query(kept, [platform.id]);
    await pass(61);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    // Puts back the key's row as a retry sees it when it read the key just before the sweep released it.
    await world.neon.query(
      'insert into idempotency_keys select * from jsonb_populate_record(null::idempotency_keys, $1)',
      [JSON.stringify(started)],
    );
    expect((await platform.api.schedule(body, keyed('early'))).status).toBe(409);
    expect(await meetingOf(platform.id)).toMatchObject({ status: 'failed', pending: ['verify'] });
    await world.neon.query('delete from idempotency_keys where platform_id = $1', [platform.id]);
  });
});

test('an answer is kept no longer than its key, however long the first request took', async () => {
  const { platform, body } = await bookable();
  const held = hold(INSERT);
  const whole = count({ target: 'redis', body_match: 'answer:.*86400' });
  const shorter = count({ target: 'redis', body_match: 'answer:.*863[0-9]{2}' });
  const first = platform.api.schedule(body, keyed('slow'));
  await met(held);
  await world.advance(30_000);
  held.release();
  expect((await first).status).toBe(200);
  await met(shorter);
  expect([held, whole, shorter].map(({ hits }) => hits())).toEqual([1, 0, 1]);
});
