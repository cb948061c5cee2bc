import { beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, writtenEvents } from '../support/calendars.ts';
import { violations } from '../support/checker.ts';
import type { Answer } from '../support/client.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../support/factories.ts';
import { type Booked, booked, eventOf, HOUR, inHours, iso, MINUTE, rowOf } from '../support/meetings.ts';
import { quiet } from '../support/quiet.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const seen = ({ status, body }: Answer) => ({ status, body });
const put = ({ platform, id }: Pick<Booked, 'platform' | 'id'>, body: unknown, key?: string) =>
  platform.api.send(
    'PUT',
    `/v1/meetings/${id}`,
    body,
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );
const EVENTS = '/calendar/v3/calendars/primary/events';
const PATCH_EVENT = { target: 'google', match: `PATCH ${EVENTS}` } as const;
const GET_EVENT = { target: 'google', match: `GET ${EVENTS}` } as const;
const NOT_FOUND = {
  status: 404,
  body: {
    error: {
      code: 'meeting_not_found',
      message: 'There is no meeting of this id, or it was cancelled or rescheduled.',
    },
  },
};

/** A day later, and an hour long. */
const later = ({ start }: Booked) => ({ start: start + 24 * HOUR, end: start + 25 * HOUR });
const bodyFor = ({ start, end }: { start: number; end: number }) => ({ start_time: iso(start), end_time: iso(end) });

const updated = (meeting: Booked, { start, end } = later(meeting), other = meeting.bob.email) => ({
  status: 200,
  body: {
    ...{ success: true, meeting_id: meeting.id, start_time: iso(start), end_time: iso(end) },
    ...{ attendees: [meeting.ada.email, other], status: 'updated' },
  },
});

const holdsOf = (emails: string[], { start, end }: { start: number; end: number }) =>
  [...emails].sort().map((email) => [email, iso(start), iso(end)]);

/** Postgres, Google and the inbox agree that the meeting is at these times, and was told as moved so many times. */
async function expectAt(meeting: Booked, at: { start: number; end: number }, times: number): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toEqual({
    ...{ status: times === 0 ? 'scheduled' : 'updated', rests: true, start: iso(at.start), end: iso(at.end) },
    ...{ holds: holdsOf([meeting.ada.email, meeting.bob.email], at), settlements: [] },
  });
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ status: 'confirmed', link: meeting.link });
  expect(await writtenEvents(meeting.platform, 'meeting.updated')).toBe(times);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

const expectMoved = (meeting: Booked) => expectAt(meeting, later(meeting), 1);
const expectUntouched = (meeting: Booked) => expectAt(meeting, meeting, 0);

describe('PUT /v1/meetings/{id}', () => {
  test('moves the event for both, tells both and the platform', async () => {
    const meeting = await booked();
    const { platform, id, ada, bob, start, end } = meeting;
    const to = later(meeting);
    expect(seen(await put(meeting, { ...bodyFor(to), reason: 'Flight delayed' }))).toEqual(updated(meeting));
    await expectMoved(meeting);
    const [event] = await eventsOf(platform, 'meeting.updated');
    expect(event?.body.data).toEqual({
      meeting_id: id,
      attendees: [ada.email, bob.email],
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      changes: {
        updated_by: platform.id,
        reason: 'Flight delayed',
        old_start_time: iso(start),
        new_start_time: iso(to.start),
        old_end_time: iso(end),
        new_end_time: iso(to.end),
      },
    });
    expect(
      world.google.mails().filter(({ kind, eventId }) => kind === 'update' && eventId === meeting.eventId),
    ).toMatchObject([{ to: bob.email, from: ada.email }]);
    const { body } = await platform.api.send('GET', `/v1/meetings/${id}`);
    expect(body).toMatchObject({ status: 'updated', start_time: iso(to.start), duration_minutes: 60 });
  });

  test('takes two batches of Postgres, the key aside', async () => {
    const meeting = await booked();
    world.traffic.clear();
    await put(meeting, bodyFor(later(meeting)));
    expect(world.traffic.list().filter(({ target }) => target === 'neon')).toHaveLength(3);
  });

  test('gives a reason of its own when there is none, and reads any offset', async () => {
    const meeting = await booked();
    const start = new Date(later(meeting).start + 2 * HOUR).toISOString().replace('.000Z', '+02:00');
    expect(seen(await put(meeting, { start_time: start, end_time: iso(later(meeting).end) }))).toEqual(
      updated(meeting),
    );
    const [event] = await eventsOf(meeting.platform, 'meeting.updated');
    expect(event?.body.data.changes.reason).toBe('meeting_rescheduled');
  });

  test('whoever was invited in the calendar stays, with every answer', async () => {
    const meeting = await booked();
    const { ada, bob, eventId } = meeting;
    const cleo = freshPerson({ name: 'cleo' });
    world.google.patchEvent({ email: bob.email, eventId, responseStatus: 'accepted' });
    await invite(meeting, cleo.email);
    await put(meeting, bodyFor(later(meeting)));
    const attendees = [
      [ada.email, 'needsAction'],
      [bob.email, 'accepted'],
      [cleo.email, 'tentative'],
    ];
    for (const person of [ada, bob, cleo]) {
      const event = eventOf(person, eventId);
      expect([event?.start, event?.attendees.sort()]).toEqual([iso(later(meeting).start), attendees.sort()]);
    }
  });

  test('another second attendee takes the place of the first one, and nobody else loses theirs', async () => {
    const meeting = await booked();
    const { platform, ada, bob, eventId } = meeting;
    const [dan, cleo] = [await connectedPerson(platform, { name: 'dan' }), freshPerson({ name: 'cleo' })];
    await invite(meeting, cleo.email);
    const body = { ...bodyFor(meeting), attendees: [ada.email, dan.email.toUpperCase()] };
    expect(seen(await put(meeting, body))).toEqual(updated(meeting, meeting, dan.email));
    expect(eventOf(ada, eventId)?.attendees.sort()).toEqual(
      [
        [ada.email, 'needsAction'],
        [dan.email, 'needsAction'],
        [cleo.email, 'tentative'],
      ].sort(),
    );
    expect(eventOf(bob, eventId)?.status).toBe('cancelled');
    expect((await rowOf(meeting.id))?.holds).toEqual(holdsOf([ada.email, dan.email], meeting));
    const { body: shown } = await platform.api.send('GET', `/v1/meetings/${meeting.id}`);
    expect(shown).toMatchObject({
      attendees: [ada.email, dan.email],
      rsvps: [{ email: ada.email }, { email: dan.email, response_status: 'needsAction', responded_at: null }],
    });
    const [event] = await eventsOf(platform, 'meeting.updated');
    expect(event?.body.data.attendees).toEqual([ada.email, dan.email]);
  });

  test('the same two attendees change nothing but the time, connected or not', async () => {
    const meeting = await booked();
    const { platform, ada, bob } = meeting;
    await world.neon.query(
      'update connections set disconnected_at = now() where user_id = (select id from users where email = $1)',
      [bob.email],
    );
    const body = { ...bodyFor(later(meeting)), attendees: [ada.email, bob.email] };
    expect(seen(await put(meeting, body))).toEqual(updated(meeting));
    expect((await rowOf(meeting.id))?.holds).toEqual(holdsOf([ada.email, bob.email], later(meeting)));
    expect(await eventsOf(platform, 'meeting.updated')).toHaveLength(1);
  });

  test('an updated meeting can be updated again, onto its own old time too', async () => {
    const meeting = await booked();
    const between = { start: meeting.start + 15 * MINUTE, end: meeting.end + 15 * MINUTE };
    expect((await put(meeting, bodyFor(between))).status).toBe(200);
    expect((await put(meeting, bodyFor(meeting))).status).toBe(200);
    await expectAt(meeting, meeting, 2);
  });

  test('takes a time that is not free, and a guarded one is guarded no longer', async () => {
    const meeting = await booked();
    const blocked = await booked({ pair: meeting, start: later(meeting).start });
    await world.neon.query('update meetings set guarded = true where id = $1', [meeting.id]);
    expect((await put(meeting, bodyFor(blocked))).status).toBe(200);
    expect(await world.neon.query('select guarded from meetings where id = $1', [meeting.id])).toEqual([
      { guarded: false },
    ]);
    await expectAt(meeting, blocked, 1);
  });

  test('the same key answers the same bytes, another body with it is 422', async () => {
    const meeting = await booked();
    const first = await put(meeting, bodyFor(later(meeting)), 'u1');
    const again = await put(meeting, bodyFor(later(meeting)), 'u1');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect((await put(meeting, bodyFor(meeting), 'u1')).status).toBe(422);
    await expectMoved(meeting);
  });

  test('a replay stays what it was when the time has passed', async () => {
    const meeting = await booked({ start: inHours(1) });
    const to = { start: inHours(2), end: inHours(3) };
    const first = await put(meeting, bodyFor(to), 'u2');
    await world.advance(4 * HOUR);
    const again = await put(meeting, bodyFor(to), 'u2');
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('a refusal is kept under its key too', async () => {
    const platform = await freshPlatform();
    const body = bodyFor({ start: inHours(4), end: inHours(5) });
    const first = await put({ platform, id: 'meet_nobody' }, body, 'u3');
    expect(seen(first)).toEqual(NOT_FOUND);
    const again = await put({ platform, id: 'meet_nobody' }, body, 'u3');
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  test('another platform may not', async () => {
    const meeting = await booked();
    const platform = await freshPlatform();
    expect(seen(await put({ ...meeting, platform }, bodyFor(later(meeting))))).toEqual({
      status: 403,
      body: { error: 'Forbidden', message: 'This meeting was made by another platform.' },
    });
    await expectUntouched(meeting);
  });

  test('a meeting that was deleted in the calendar is not there any more', async () => {
    const meeting = await booked();
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    expect(seen(await put(meeting, bodyFor(later(meeting)), 'u4'))).toEqual(NOT_FOUND);
    expect(await rowOf(meeting.id)).toMatchObject({
      ...{ status: 'scheduled', rests: true, start: iso(meeting.start), settlements: [] },
      holds: holdsOf([meeting.ada.email, meeting.bob.email], meeting),
    });
    expect(await writtenEvents(meeting.platform, 'meeting.updated')).toBe(0);
  });

  test('ten at once all go in, one after the other, and end as one of them', async () => {
    const meeting = await booked();
    const times = Array.from({ length: 10 }, (_, n) => ({
      start: meeting.start + n * HOUR,
      end: meeting.end + n * HOUR,
    }));
    const answers = await Promise.all(times.map((at) => put(meeting, bodyFor(at))));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const done = answers.filter(({ status }) => status === 200).length;
    await quiet([meeting.platform]);
    const row = await rowOf(meeting.id);
    expect(times.map(({ start }) => iso(start))).toContain(row?.start);
    expect(row?.holds).toHaveLength(2);
    expect(await eventsOf(meeting.platform, 'meeting.updated', done)).toHaveLength(done);
    expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
  });

  test('a change and a cancellation at once end in a cancelled meeting', async () => {
    const meeting = await booked();
    const [, gone] = await Promise.all([
      put(meeting, bodyFor(later(meeting))),
      meeting.platform.api.send('DELETE', `/v1/meetings/${meeting.id}`),
    ]);
    expect(gone.status).toBe(200);
    await quiet([meeting.platform]);
    expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
  });
});

describe('an update whose calendar fails', () => {
  const fails = [
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
    ['hangs', { mode: 'hang' }],
  ] as const;

  test.each(fails)('%s when it is changed is undone, and works again', async (_name, fault) => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, ...fault });
    expect(seen(await put(meeting, bodyFor(later(meeting)), 'f1'))).toEqual({
      status: 500,
      body: {
        error: {
          code: 'calendar_unavailable',
          message: expect.stringContaining(`The calendar of ${meeting.ada.email} did not answer.`),
        },
      },
    });
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: false, settlements: ['move'] });
    await expectUntouched(meeting);
    expect(seen(await put(meeting, bodyFor(later(meeting)), 'f1'))).toEqual(updated(meeting));
    await expectMoved(meeting);
  });

  test.each(fails)('%s when it is asked changes nothing, at once', async (_name, fault) => {
    const meeting = await booked();
    world.faults.add({ ...GET_EVENT, ...fault });
    const answer = await put(meeting, bodyFor(later(meeting)));
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('Nothing was changed; try again.');
    expect(await rowOf(meeting.id)).toMatchObject({ rests: true, settlements: [] });
    await expectUntouched(meeting);
  });

  test('refuses it is undone at once', async () => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 403, body: { error: { code: 403 } } });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual({
      status: 500,
      body: {
        error: {
          code: 'calendar_refused',
          message: expect.stringContaining(`The calendar of ${meeting.ada.email} refused the request.`),
        },
      },
    });
    expect(await rowOf(meeting.id)).toMatchObject({ rests: true, settlements: [] });
    await expectUntouched(meeting);
  });

  test.each([404, 410])('answers %i has lost the meeting', async (status) => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(NOT_FOUND);
    await expectUntouched(meeting);
  });

  test('has changed the event meanwhile is read again, and the change is not lost', async () => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 412, times: 2 });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(updated(meeting));
    await expectMoved(meeting);
  });

  test('changes the event all the time is left alone', async () => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 412 });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual({
      status: 500,
      body: {
        error: {
          code: 'calendar_unavailable',
          message: expect.stringContaining(
            `The event on the calendar of ${meeting.ada.email} kept changing. Nothing was changed; try again.`,
          ),
        },
      },
    });
    await expectUntouched(meeting);
  });

  test('drops one answer after the work is asked again', async () => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(updated(meeting));
    await expectMoved(meeting);
  });

  describe('does the work and answers nothing', () => {
    /** Nothing gets back from the calendar after the event was changed. */
    async function lost(key?: string): Promise<Booked> {
      const meeting = await booked();
      world.faults.add({ ...GET_EVENT, mode: 'delay', delay_ms: 0, times: 1 });
      world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
      world.faults.add({ ...GET_EVENT, mode: 'reset' });
      expect((await put(meeting, bodyFor(later(meeting)), key)).status).toBe(500);
      expect(eventOf(meeting.ada, meeting.eventId)?.start).toBe(iso(later(meeting).start));
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', start: iso(meeting.start) });
      world.faults.clear();
      return meeting;
    }

    test('is finished by the sweep', async () => {
      const meeting = await lost('f2');
      await expectMoved(meeting);
      const again = await put(meeting, bodyFor(later(meeting)), 'f2');
      expect([again.headers.get('idempotent-replayed'), seen(again)]).toEqual(['true', updated(meeting)]);
    });

    test('is finished by a retry with the key', async () => {
      const meeting = await lost('f3');
      expect(seen(await put(meeting, bodyFor(later(meeting)), 'f3'))).toEqual(updated(meeting));
      await expectMoved(meeting);
    });

    test('is finished before the next change', async () => {
      const meeting = await lost();
      const next = { start: meeting.start + HOUR, end: meeting.end + HOUR };
      expect(seen(await put(meeting, bodyFor(next)))).toEqual(updated(meeting, next));
      await expectAt(meeting, next, 2);
    });

    test('is taken back when it comes long after it was undone, people too', async () => {
      const meeting = await booked();
      const { platform, ada, bob, eventId } = meeting;
      const [dan, cleo] = [await connectedPerson(platform, { name: 'dan' }), freshPerson({ name: 'cleo' })];
      await invite(meeting, cleo.email);
      world.faults.add({ ...PATCH_EVENT, mode: 'reset' });
      expect((await put(meeting, { ...bodyFor(later(meeting)), attendees: [ada.email, dan.email] })).status).toBe(500);
      world.faults.clear();
      await world.advance(61_000);
      await world.worker.runScheduled(world.clock.now());
      expect(await rowOf(meeting.id)).toMatchObject({
        ...{ status: 'scheduled', rests: true, start: iso(meeting.start), settlements: ['recheck'] },
        holds: holdsOf([ada.email, bob.email], meeting),
      });
      const late = [
        { email: ada.email, responseStatus: 'accepted' },
        { email: cleo.email, responseStatus: 'tentative' },
        { email: dan.email },
      ];
      world.google.patchEvent({ email: ada.email, eventId, ...laterText(meeting), attendees: late });
      await quiet([platform]);
      expect(eventOf(ada, eventId)).toMatchObject({ start: iso(meeting.start), end: iso(meeting.end) });
      expect(eventOf(ada, eventId)?.attendees.sort()).toEqual(
        [
          [ada.email, 'accepted'],
          [bob.email, 'needsAction'],
          [cleo.email, 'tentative'],
        ].sort(),
      );
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', settlements: [] });
      expect(await writtenEvents(platform, 'meeting.updated')).toBe(0);
    });

    test('a second look leaves alone what somebody moved in the calendar meanwhile', async () => {
      const meeting = await booked();
      world.faults.add({ ...PATCH_EVENT, mode: 'reset' });
      expect((await put(meeting, bodyFor(later(meeting)))).status).toBe(500);
      world.faults.clear();
      await world.advance(61_000);
      await world.worker.runScheduled(world.clock.now());
      const moved = { start: iso(meeting.start + HOUR), end: iso(meeting.end + HOUR) };
      world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, ...moved });
      await quiet([meeting.platform]);
      expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject(moved);
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', settlements: [] });
    });
  });
});

describe('PUT /v1/meetings/{id} refuses', () => {
  const TIME = 'must be an ISO 8601 date-time with an offset or Z.';
  const SPAN = 'end_time must be 5 to 720 minutes after start_time.';
  const [start_time, end_time] = ['2099-03-02T15:00:00Z', '2099-03-02T15:30:00Z'];
  const good = { start_time, end_time };
  let meeting: Booked;
  beforeAll(async () => {
    meeting = await booked();
  });

  test.each<[string, unknown, string, string | undefined, string]>([
    ['no times', {}, 'invalid_time', 'start_time', 'start_time is required.'],
    ['no end', { start_time }, 'invalid_time', 'end_time', 'end_time is required.'],
    [
      'a start without a zone',
      { ...good, start_time: '2099-03-02T15:00:00' },
      'invalid_time',
      'start_time',
      `start_time ${TIME}`,
    ],
    ['an end that is a number', { ...good, end_time: 7 }, 'invalid_time', 'end_time', `end_time ${TIME}`],
    [
      'a day that does not exist',
      { ...good, start_time: '2099-02-30T15:00:00Z' },
      'invalid_time',
      'start_time',
      `start_time ${TIME}`,
    ],
    [
      'a start in the past',
      { start_time: '2020-03-02T15:00:00Z', end_time: '2020-03-02T15:30:00Z' },
      'invalid_time',
      'start_time',
      'start_time must be in the future.',
    ],
    ['an end before the start', { start_time: end_time, end_time: start_time }, 'invalid_time', 'end_time', SPAN],
    ['no time at all', { ...good, end_time: start_time }, 'invalid_time', 'end_time', SPAN],
    ['4 minutes', { ...good, end_time: '2099-03-02T15:04:00Z' }, 'invalid_time', 'end_time', SPAN],
    ['721 minutes', { ...good, end_time: '2099-03-03T03:01:00Z' }, 'invalid_time', 'end_time', SPAN],
    [
      'the end of time',
      { start_time: '9999-12-31T23:50:00Z', end_time: '9999-12-31T23:59:59-01:00' },
      'invalid_time',
      'start_time',
      'start_time must lie between 1970 and 9998.',
    ],
    [
      'one attendee',
      { ...good, attendees: ['a@x.test'] },
      'invalid_attendees',
      'attendees',
      'attendees must be exactly 2 e-mail addresses.',
    ],
    [
      'attendees as text',
      { ...good, attendees: 'a@x.test' },
      'invalid_attendees',
      'attendees',
      'attendees must be an array of two e-mail addresses.',
    ],
    ['a reason that is a number', { ...good, reason: 7 }, 'invalid_request', 'reason', 'reason must be a string.'],
    [
      'a reason that is too long',
      { ...good, reason: 'x'.repeat(1001) },
      'invalid_request',
      'reason',
      'reason must have at most 1000 characters.',
    ],
    [
      'a reason with NUL',
      { ...good, reason: 'x\0' },
      'invalid_request',
      'reason',
      'reason must be well-formed text without NUL.',
    ],
    ['a list', [], 'invalid_request', undefined, 'The body must be a JSON object.'],
    ['malformed JSON', '{"start_time":', 'invalid_request', undefined, 'The body is not valid JSON.'],
  ])('%s', async (_name, body, code, field, message) => {
    expect(seen(await put(meeting, body))).toEqual({
      status: 400,
      body: { error: field === undefined ? { code, message } : { code, message, field } },
    });
  });

  test('another first attendee', async () => {
    const { ada, bob } = meeting;
    expect(seen(await put(meeting, { ...good, attendees: [bob.email, ada.email] }))).toEqual({
      status: 400,
      body: {
        error: {
          code: 'invalid_attendees',
          message: `The first attendee must stay ${ada.email}: the event stands on their calendar.`,
          field: 'attendees',
        },
      },
    });
  });

  test('a second attendee who is not connected', async () => {
    const { ada } = meeting;
    expect(seen(await put(meeting, { ...good, attendees: [ada.email, 'stranger@people.test'] }))).toEqual({
      status: 404,
      body: {
        error: {
          code: 'user_not_found',
          message: 'stranger@people.test has not connected a calendar with this platform.',
          field: 'attendees',
          email: 'stranger@people.test',
        },
      },
    });
  });

  test.each(['meet_nobody', 'x%00', "'--"])('the id %s', async (id) => {
    expect(seen(await put({ ...meeting, id }, good))).toEqual(NOT_FOUND);
  });

  test('the method POST', async () => {
    const answer = await meeting.platform.api.send('POST', `/v1/meetings/${meeting.id}`, good);
    expect([answer.status, answer.body]).toMatchObject([405, { error: { code: 'method_not_allowed' } }]);
  });
});

/** Ada adds somebody to the event in her calendar, who says perhaps. */
async function invite({ ada, eventId }: Booked, email: string): Promise<void> {
  const event = world.google.events(ada.email).find(({ id }) => id === eventId);
  const attendees = [...(event?.attendees ?? []), { email, responseStatus: 'tentative' }];
  world.google.patchEvent({ email: ada.email, eventId, attendees });
}

const laterText = (meeting: Booked) => ({ start: iso(later(meeting).start), end: iso(later(meeting).end) });
