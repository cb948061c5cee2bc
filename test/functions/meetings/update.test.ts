import { beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { inThePast, NO_OBJECT, refusal, refusals } from '../../support/checks/errors.ts';
import { eventsOf, readByTick, writtenEvents } from '../../support/people/calendars.ts';
import { bodyFor, expectAt, expectMoved, holdsOf, invite, later, put, updated } from '../../support/people/changing.ts';
import { connectedPerson, freshPerson } from '../../support/people/factories.ts';
import {
  type Booked,
  booked,
  EVENT_DELETED,
  eventOf,
  inHours,
  iso,
  NOT_FOUND,
  rowOf,
  seen,
} from '../../support/people/meetings.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const calendarCallsOf = (answer: Answer) =>
  world.traffic
    .list()
    .filter(({ target, request_id }) => target === 'google' && request_id === answer.headers.get('x-request-id'))
    .map(({ method }) => method);

describe('the calendar event of an update', () => {
  test('is not read if Tandem has seen it as it is, and is otherwise read before it is changed', async () => {
    const meeting = await booked();
    const { ada, eventId } = meeting;
    expect(calendarCallsOf(await put(meeting, bodyFor(later(meeting))))).toEqual(['PATCH']);
    await quiet([meeting.platform]);
    await world.neon.query(`update meetings set event_etag = '"earlier"' where id = $1`, [meeting.id]);
    const back = { start: meeting.start, end: meeting.end };
    expect(calendarCallsOf(await put(meeting, bodyFor(back)))).toEqual(['PATCH', 'GET', 'PATCH']);
    await quiet([meeting.platform]);
    world.google.patchEvent({ email: ada.email, eventId, responseStatus: 'tentative' });
    await readByTick(ada.email);
    expect(calendarCallsOf(await put(meeting, bodyFor(later(meeting))))).toEqual(['PATCH']);
    await expectPeace({ platforms: [meeting.platform] });
  });

  test('is read if it should have the wanted time already, so that nobody is told of a change that is none', async () => {
    const meeting = await booked();
    const answer = await put(meeting, { ...bodyFor(meeting), metadata: { k: 'v' } });
    expect([answer.status, calendarCallsOf(answer)]).toEqual([200, ['GET']]);
  });
});

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
      metadata: {},
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

  test('takes the two attendees in any order, and leaves the event with the first', async () => {
    const meeting = await booked();
    const { ada, bob, platform } = meeting;
    const swapped = await put(meeting, { ...bodyFor(later(meeting)), attendees: [bob.email, ada.email] }, 'swapped');
    expect(seen(swapped)).toEqual(updated(meeting));
    await expectMoved(meeting);
    const cleo = await connectedPerson(platform, { name: 'cleo' });
    const to = { start: meeting.start + 48 * HOUR, end: meeting.end + 48 * HOUR };
    expect(seen(await put(meeting, { ...bodyFor(to), attendees: [cleo.email, ada.email] }, 'new'))).toEqual(
      updated(meeting, to, cleo.email),
    );
    expect(eventOf(ada, meeting.eventId)).toMatchObject({ status: 'confirmed', link: meeting.link });
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
      [ada.email, 'accepted'],
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
        [ada.email, 'accepted'],
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

  test('takes a time that is not free, and an exclusive one is exclusive no longer', async () => {
    const meeting = await booked();
    const blocked = await booked({ pair: meeting, start: later(meeting).start });
    await world.neon.query('update meetings set exclusive = true where id = $1', [meeting.id]);
    expect((await put(meeting, bodyFor(blocked))).status).toBe(200);
    expect(await world.neon.query('select exclusive from meetings where id = $1', [meeting.id])).toEqual([
      { exclusive: false },
    ]);
    await expectAt(meeting, blocked, 1);
  });

  test('a replay stays what it was when the time has passed', async () => {
    const meeting = await booked({ start: inHours(1) });
    const to = { start: inHours(2), end: inHours(3) };
    const first = await put(meeting, bodyFor(to), 'u2');
    await world.advance(4 * HOUR);
    const again = await put(meeting, bodyFor(to), 'u2');
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('a meeting that was deleted in the calendar is not there any more', async () => {
    const meeting = await booked();
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    expect(seen(await put(meeting, bodyFor(later(meeting)), 'u4'))).toEqual(EVENT_DELETED);
    expect(eventOf(meeting.ada, meeting.eventId)?.status).not.toBe('confirmed');
    expect(await rowOf(meeting.id)).toMatchObject({
      status: 'scheduled',
      unlocked: true,
      start: iso(meeting.start),
      pending: [],
      holds: holdsOf([meeting.ada.email, meeting.bob.email], meeting),
    });
    expect(await writtenEvents(meeting.platform, 'meeting.updated')).toBe(0);
  });
});

describe('PUT /v1/meetings/{id} refuses', () => {
  const SPAN = '`end_time` must be 5 to 720 minutes after `start_time`.';
  const start = inHours(99);
  const [start_time, end_time] = [iso(start), iso(start + 30 * MINUTE)];
  const good = { start_time, end_time };
  let meeting: Booked;
  beforeAll(async () => {
    meeting = await booked();
  });

  test.each([
    ...refusals('invalid_time', 'start_time', [
      ['no times', {}, '`start_time` and `end_time` are required. Send them with the request.'],
      [
        'a start in the past',
        { start_time: '2020-03-02T15:00:00Z', end_time: '2020-03-02T15:30:00Z' },
        inThePast('start_time'),
      ],
      [
        'a start in more than 400 days',
        { start_time: iso(start + 400 * 24 * HOUR), end_time: iso(start + 400 * 24 * HOUR + 30 * MINUTE) },
        '`start_time` must be at most 400 days from now.',
      ],
    ]),
    ...refusals('invalid_time', 'end_time', [
      ['no end', { start_time }, '`end_time` is required. Send it with the request.'],
      ['an end before the start', { start_time: end_time, end_time: start_time }, SPAN],
      ['4 minutes', { ...good, end_time: iso(start + 4 * MINUTE) }, SPAN],
      ['721 minutes', { ...good, end_time: iso(start + 721 * MINUTE) }, SPAN],
    ]),
    ...NO_OBJECT,
  ])('%s', async (_name, body, answer) => {
    expect(seen(await put(meeting, body))).toEqual(answer);
  });

  test('a pair without the first attendee', async () => {
    const { ada, bob } = meeting;
    expect(seen(await put(meeting, { ...good, attendees: [bob.email, 'cleo@people.test'] }))).toEqual(
      refusal(400, 'invalid_attendees', {
        message: `\`attendees\` must still include ${ada.email}, because the meeting's event is on the calendar of ${ada.email}.`,
        field: 'attendees',
      }),
    );
  });

  test('a second attendee who is not connected', async () => {
    const { ada } = meeting;
    expect(seen(await put(meeting, { ...good, attendees: [ada.email, 'stranger@people.test'] }))).toEqual(
      refusal(404, 'user_not_found', {
        message:
          'stranger@people.test has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.',
        field: 'attendees',
        email: 'stranger@people.test',
      }),
    );
  });

  test.each(['meet_nobody', 'x%00', "'--"])('the id %s', async (id) => {
    expect(seen(await put({ ...meeting, id }, good))).toEqual(NOT_FOUND);
  });
});
