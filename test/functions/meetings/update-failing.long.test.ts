import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { writtenEvents } from '../../support/people/calendars.ts';
import {
  bodyFor,
  book,
  cancel,
  done,
  expectAt,
  expectCancelled,
  expectInPlace,
  expectMoved,
  expectReplaced,
  expectStanding,
  expectUntouched,
  holdsAt,
  holdsOf,
  invite,
  later,
  laterText,
  moved,
  NOTHING_LEARNED,
  post,
  postLate,
  put,
  range,
  updated,
  weightsOf,
} from '../../support/people/changing.ts';
import { connectedPerson, freshPerson } from '../../support/people/factories.ts';
import {
  type Booked,
  booked,
  DELETE_EVENT,
  ENDED,
  EVENT_DELETED,
  eventOf,
  FORBIDDEN,
  FREE_BUSY,
  forgetEvent,
  GET_EVENT,
  iso,
  NO_ANSWER,
  outcomeUnknown,
  PATCH_EVENT,
  rowOf,
  seen,
} from '../../support/people/meetings.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('an update whose calendar fails', () => {
  test.each(NO_ANSWER)('%s when it is changed is undone, and works again', async (_name, fault) => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, ...fault });
    expect(seen(await put(meeting, bodyFor(later(meeting)), 'f1'))).toEqual(outcomeUnknown(meeting.ada.email));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: false, pending: ['move'] });
    await expectUntouched(meeting);
    expect(seen(await put(meeting, bodyFor(later(meeting)), 'f1'))).toEqual(updated(meeting));
    await expectMoved(meeting);
  });

  test.each(NO_ANSWER)('%s when it is asked changes nothing, at once', async (_name, fault) => {
    const meeting = await booked();
    await forgetEvent(meeting);
    world.faults.add({ ...GET_EVENT, ...fault });
    const answer = await put(meeting, bodyFor(later(meeting)));
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('could not be reached. Try again in a minute. The meeting is unchanged.');
    expect(await rowOf(meeting.id)).toMatchObject({ unlocked: true, pending: [] });
    await expectUntouched(meeting);
  });

  test('refuses it is undone at once', async () => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 403, body: FORBIDDEN });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(
      refusal(409, 'calendar_refused', {
        message: expect.stringContaining(`The calendar of ${meeting.ada.email} refused the request.`),
        email: meeting.ada.email,
      }),
    );
    expect(await rowOf(meeting.id)).toMatchObject({ unlocked: true, pending: [] });
    await expectUntouched(meeting);
  });

  test.each([404, 410])('answers %i has lost the meeting', async (status) => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(EVENT_DELETED);
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
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(
      refusal(500, 'calendar_unavailable', {
        message: expect.stringContaining(
          `The event on the calendar of ${meeting.ada.email} kept changing while Tandem tried to update the event. Send the same request again. The meeting is unchanged.`,
        ),
        email: meeting.ada.email,
      }),
    );
    await expectUntouched(meeting);
  });

  test('drops one answer after the work is asked again', async () => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(updated(meeting));
    await expectMoved(meeting);
  });

  describe('does the work and answers nothing', () => {
    /** Updates a meeting whose event is changed, but every answer of the calendar after that is lost. */
    async function lost(key?: string): Promise<Booked> {
      const meeting = await booked();
      await forgetEvent(meeting);
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
        status: 'scheduled',
        unlocked: true,
        start: iso(meeting.start),
        pending: ['verify'],
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
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', pending: [] });
      expect(await writtenEvents(platform, 'meeting.updated')).toBe(0);
    });

    test('a delayed verification follows what somebody moved in the calendar meanwhile', async () => {
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
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'updated', ...moved, pending: [] });
      expect(await writtenEvents(meeting.platform, 'meeting.updated')).toBe(1);
    });
  });
});

describe('a cancellation whose calendar fails', () => {
  test.each(NO_ANSWER)('%s is undone, and works again', async (_name, fault) => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, ...fault });
    const answer = await cancel(meeting, 'f1');
    expect(seen(answer)).toEqual(outcomeUnknown(meeting.ada.email));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: false, pending: ['cancel'] });
    await expectStanding(meeting);
    expect(seen(await cancel(meeting, 'f1'))).toEqual(done(meeting));
    await expectCancelled(meeting);
  });

  test('refuses it is undone at once', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'status', status: 403, body: FORBIDDEN });
    expect(seen(await cancel(meeting, 'f2'))).toEqual(
      refusal(409, 'calendar_refused', {
        message: expect.stringContaining(`The calendar of ${meeting.ada.email} refused the request.`),
        email: meeting.ada.email,
      }),
    );
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    world.faults.clear();
    expect(seen(await cancel(meeting, 'f2'))).toEqual(done(meeting));
  });

  test('drops one answer after the work is asked again', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'after', times: 1 });
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    await expectCancelled(meeting);
  });

  test('drops every answer after the work is finished by the sweep', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'after', times: 1 });
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
    expect((await cancel(meeting, 'f3')).status).toBe(500);
    await expectCancelled(meeting);
    const again = await cancel(meeting, 'f3');
    expect([again.headers.get('idempotent-replayed'), seen(again)]).toEqual(['true', done(meeting)]);
  });

  test('drops every answer after the work is finished by a retry with the key', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'after', times: 1 });
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
    expect((await cancel(meeting, 'f4')).status).toBe(500);
    world.faults.clear();
    expect(seen(await cancel(meeting, 'f4'))).toEqual(done(meeting));
    await expectCancelled(meeting);
  });

  test('drops every answer after the work is finished by the next request', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'after', times: 1 });
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
    expect((await cancel(meeting)).status).toBe(500);
    world.faults.clear();
    expect(seen(await cancel(meeting))).toEqual(ENDED);
    await expectCancelled(meeting);
  });

  test('does the work after all, long after it was undone, leaves a cancelled meeting', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
    expect((await cancel(meeting)).status).toBe(500);
    world.faults.clear();
    await world.advance(61_000);
    await world.worker.runScheduled(world.clock.now());
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: ['verify'] });
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    await expectCancelled(meeting);
  });
});

describe('rescheduling', () => {
  test('the same key answers the same bytes without any work, another body with it is 422', async () => {
    const meeting = await book();
    const first = await post(meeting, {}, 'r2');
    world.traffic.clear();
    const again = await post(meeting, {}, 'r2');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect(world.traffic.list().filter(({ target }) => target === 'google')).toEqual([]);
    expect((await post(meeting, { reason: 'Another' }, 'r2')).status).toBe(422);
    await expectReplaced(meeting, first);
  });

  test('ten at once with one key get one answer and make one meeting', async () => {
    const meeting = await book();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(meeting, {}, 'race')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await expectReplaced(meeting, answers[0] as Answer);
  });

  test('of two meetings that want one time, one gets it', async () => {
    const one = await book();
    const two = await booked({ pair: one, start: one.start + 3 * HOUR });
    const wish = range(one.start + HOUR, one.start + HOUR + 30 * MINUTE);
    const answers = await Promise.all([post(one, wish), post(two, wish)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await expectPeace({ platforms: [one.platform] });
  });

  test('a time that turns out taken at the last look makes place for the next', async () => {
    const meeting = await book();
    const { ada, bob } = meeting;
    const taken = { start: iso(meeting.start - 90 * DAY), end: iso(meeting.start + 90 * DAY) };
    const calendars = { [ada.email]: { busy: [taken] }, [bob.email]: { busy: [taken] } };
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 200, body: { calendars }, times: 2 });
    const answer = await postLate(meeting, {}, 'r3');
    expect(answer.status).toBe(200);
    expect(
      await world.neon.query(`select id from meetings where platform_id = $1 and status = 'failed'`, [
        meeting.platform.id,
      ]),
    ).toHaveLength(1);
    await expectReplaced(meeting, answer);
  });

  test('two meetings moved at once with one lesson each say what the database has', async () => {
    const one = await book();
    const two = await booked({ pair: one, start: one.start + 3 * HOUR });
    const answers = await Promise.all([one, two].map((meeting) => post(meeting, { reason: 'Too early for me' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const said = answers.map((answer) => moved(answer).learned_from.match(/from \S+ to [\d.]+\d/)?.[0]);
    expect(said.sort()).toEqual(['from 0.8 to 0.64', 'from 1 to 0.8']);
    expect(await weightsOf(one.bob.email)).toMatchObject({ time_of_day_preference: { morning: 0.64 } });
  });

  test('a lesson is learned once, although two times were reserved', async () => {
    const meeting = await book();
    const { ada, bob } = meeting;
    const taken = { start: iso(meeting.start - 90 * DAY), end: iso(meeting.start + 90 * DAY) };
    const calendars = { [ada.email]: { busy: [taken] }, [bob.email]: { busy: [taken] } };
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 200, body: { calendars }, times: 2 });
    const answer = await postLate(meeting, { reason: 'Too early for me' });
    expect(moved(answer).learned_from).toContain('from 1 to 0.8');
    expect(await weightsOf(bob.email)).toMatchObject({ time_of_day_preference: { morning: 0.8 } });
    await expectReplaced(meeting, answer);
  });

  test('a meeting that was deleted in the calendar is not there any more', async () => {
    const meeting = await book();
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    expect(seen(await post(meeting))).toEqual(EVENT_DELETED);
    expect(await rowOf(meeting.id)).toMatchObject({
      status: 'scheduled',
      unlocked: true,
      pending: [],
      holds: holdsAt(meeting, meeting.start, meeting.end),
    });
  });
});

describe('a reschedule whose calendar fails', () => {
  test.each(NO_ANSWER)('%s when the event is changed is undone, and works again', async (_name, fault) => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, ...fault });
    const answer = await post(meeting, {}, 'f1');
    expect(seen(answer)).toEqual(outcomeUnknown(meeting.ada.email));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: false, pending: ['move'] });
    await expectInPlace(meeting);
    await expectReplaced(meeting, await post(meeting, {}, 'f1'));
  });

  test.each(NO_ANSWER)('%s when it is searched changes nothing', async (_name, fault) => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, ...fault });
    const answer = await post(meeting, {}, 'f2');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ error: { code: 'calendar_unavailable' } });
    await expectInPlace(meeting);
    await expectReplaced(meeting, await post(meeting, {}, 'f2'));
  });

  test('fails at the last look, long after the search, changes nothing', async () => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 500 });
    expect((await postLate(meeting)).status).toBe(500);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    await expectInPlace(meeting);
  });

  test('refuses the change is undone at once', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 403, body: FORBIDDEN });
    const answer = await post(meeting);
    expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'calendar_refused' } }]);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    await expectInPlace(meeting);
  });

  test('has changed the event meanwhile is read again', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 412, times: 2 });
    await expectReplaced(meeting, await post(meeting));
  });

  test('drops one answer after the work is asked again', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
    await expectReplaced(meeting, await post(meeting));
  });

  describe('does the work and answers nothing', () => {
    async function lost(key?: string): Promise<Booked> {
      const meeting = await book();
      world.faults.add({ ...GET_EVENT, mode: 'delay', delay_ms: 0, times: 1 });
      world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
      world.faults.add({ ...GET_EVENT, mode: 'reset' });
      expect((await post(meeting, {}, key)).status).toBe(500);
      expect(eventOf(meeting.ada, meeting.eventId)?.start).not.toBe(iso(meeting.start));
      world.faults.clear();
      return meeting;
    }

    test('is finished by the sweep', async () => {
      const meeting = await lost('f3');
      await quiet([meeting.platform]);
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'rescheduled' });
      const again = await post(meeting, {}, 'f3');
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(moved(again).learned_from).toBe(NOTHING_LEARNED);
      await expectReplaced(meeting, again);
    });

    test('is finished by a retry with the key', async () => {
      const meeting = await lost('f4');
      await expectReplaced(meeting, await post(meeting, {}, 'f4'));
    });

    test('is finished before the next change, for which the old id is gone', async () => {
      const meeting = await lost();
      expect(seen(await post(meeting))).toEqual(ENDED);
      await expectPeace({ platforms: [meeting.platform] });
    });
  });

  test('does the work after all, long after it was undone, is taken back', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'reset' });
    expect((await post(meeting)).status).toBe(500);
    world.faults.clear();
    await world.advance(61_000);
    await world.worker.runScheduled(world.clock.now());
    const [row] = await world.neon.query(
      `select intent from pending_operations where event_id = (select provider_event_id from meetings where id = $1) and kind = 'verify'`,
      [meeting.id],
    );
    const [undone] = Object.values(row?.intent as Record<string, { start: number; end: number }>);
    const late = { start: iso(undone?.start ?? 0), end: iso(undone?.end ?? 0) };
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, ...late });
    await expectInPlace(meeting);
  });
});
