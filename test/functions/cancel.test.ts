import { describe, expect, test } from 'vitest';
import { eventsOf, writtenEvents } from '../support/calendars.ts';
import { violations } from '../support/checker.ts';
import type { Answer } from '../support/client.ts';
import { freshPlatform } from '../support/factories.ts';
import { type Booked, booked, eventOf, iso, rowOf } from '../support/meetings.ts';
import { quiet } from '../support/quiet.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const seen = ({ status, body }: Answer) => ({ status, body });
const cancel = ({ platform, id }: Pick<Booked, 'platform' | 'id'>, key?: string) =>
  platform.api.send(
    'DELETE',
    `/v1/meetings/${id}`,
    undefined,
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );
const DELETE_EVENT = { target: 'google', match: 'DELETE /calendar/v3/calendars/primary/events' } as const;
const done = ({ id }: Booked) => ({ status: 200, body: { success: true, meeting_id: id, status: 'cancelled' } });
const NOT_FOUND = {
  status: 404,
  body: {
    error: {
      code: 'meeting_not_found',
      message: 'There is no meeting of this id, or it was cancelled or rescheduled.',
    },
  },
};

/** Everybody agrees that the meeting is off, and the platform heard of it once. */
async function expectCancelled(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', rests: true, holds: [], settlements: [] });
  expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('cancelled');
  expect(eventOf(meeting.bob, meeting.eventId)?.status).toBe('cancelled');
  expect(await eventsOf(meeting.platform, 'meeting.cancelled')).toHaveLength(1);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/** Everybody agrees that the meeting takes place as before. */
async function expectUntouched(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: true, settlements: [] });
  expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
  expect(await writtenEvents(meeting.platform, 'meeting.cancelled')).toBe(0);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

describe('DELETE /v1/meetings/{id}', () => {
  test('cancels for both, tells both and the platform, and gives no quota back', async () => {
    const meeting = await booked();
    const { platform, id, ada, bob, start } = meeting;
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    await expectCancelled(meeting);
    const [event] = await eventsOf(platform, 'meeting.cancelled');
    expect(event?.body.data).toEqual({
      meeting_id: id,
      attendees: [ada.email, bob.email],
      start_time: iso(start),
      cancelled_at: expect.stringMatching(/^\d{4}-.*Z$/),
      cancelled_by: platform.id,
      reason: 'cancelled_by_platform',
    });
    expect(
      world.google.mails().filter(({ kind, eventId }) => kind === 'cancellation' && eventId === meeting.eventId),
    ).toMatchObject([{ to: bob.email, from: ada.email }]);
    expect(await world.neon.query('select used, settled from usage where platform_id = $1', [platform.id])).toEqual([
      { used: 1, settled: 1 },
    ]);
  });

  test('takes two batches of Postgres besides the key', async () => {
    const meeting = await booked();
    world.traffic.clear();
    await cancel(meeting);
    expect(world.traffic.list().filter(({ target }) => target === 'neon')).toHaveLength(3);
  });

  test('leaves an id that nothing but reading takes', async () => {
    const meeting = await booked();
    const { platform, id, start } = meeting;
    await cancel(meeting);
    const times = { start_time: iso(start), end_time: iso(start + 3_600_000) };
    expect(seen(await cancel(meeting))).toEqual(NOT_FOUND);
    expect(seen(await platform.api.send('PUT', `/v1/meetings/${id}`, times))).toEqual(NOT_FOUND);
    const { body } = await platform.api.send('GET', `/v1/meetings/${id}`);
    expect(body).toMatchObject({ status: 'cancelled', cancelled_at: expect.stringMatching(/Z$/) });
  });

  test('the same key answers the same bytes, another meeting with it is 422', async () => {
    const meeting = await booked();
    const first = await cancel(meeting, 'c1');
    const again = await cancel(meeting, 'c1');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect((await cancel({ ...meeting, id: 'meet_other' }, 'c1')).status).toBe(422);
    await expectCancelled(meeting);
  });

  test('a refusal is kept under its key too', async () => {
    const platform = await freshPlatform();
    const first = await cancel({ platform, id: 'meet_nobody' }, 'c2');
    expect(seen(first)).toEqual(NOT_FOUND);
    const again = await cancel({ platform, id: 'meet_nobody' }, 'c2');
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  test('another platform may not', async () => {
    const meeting = await booked();
    const platform = await freshPlatform();
    expect(seen(await cancel({ ...meeting, platform }, 'c3'))).toEqual({
      status: 403,
      body: { error: 'Forbidden', message: 'This meeting was made by another platform.' },
    });
    await expectUntouched(meeting);
  });

  test('of ten at once one cancels', async () => {
    const meeting = await booked();
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(meeting)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    await expectCancelled(meeting);
  });

  test('ten at once with one key get one answer', async () => {
    const meeting = await booked();
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(meeting, 'race')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await expectCancelled(meeting);
  });

  test('a meeting in other hands is 409 after a while, and that is not kept', async () => {
    const meeting = await booked();
    await world.neon.query(`update meetings set lease_until = now() + interval '100 years' where id = $1`, [
      meeting.id,
    ]);
    const busy = await cancel(meeting, 'c4');
    expect(seen(busy)).toEqual({
      status: 409,
      body: {
        error: { code: 'meeting_busy', message: 'Another change of this meeting is still under way; try again.' },
      },
    });
    expect(busy.headers.get('retry-after')).toBe('5');
    await world.neon.query('update meetings set lease_until = null where id = $1', [meeting.id]);
    expect(seen(await cancel(meeting, 'c4'))).toEqual(done(meeting));
  });

  test('an event somebody deleted in the calendar counts as deleted', async () => {
    const meeting = await booked();
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    await expectCancelled(meeting);
  });

  test.each([404, 410])('so does one the calendar answers %i for', async (status) => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'status', status });
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', rests: true, holds: [], settlements: [] });
  });
});

describe('a cancellation whose calendar fails', () => {
  test.each([
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
    ['hangs', { mode: 'hang' }],
  ] as const)('%s is undone, and works again', async (_name, fault) => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, ...fault });
    const answer = await cancel(meeting, 'f1');
    expect(seen(answer)).toEqual({
      status: 500,
      body: {
        error: {
          code: 'calendar_unavailable',
          message: expect.stringContaining(`The calendar of ${meeting.ada.email} did not answer.`),
        },
      },
    });
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: false, settlements: ['cancel'] });
    await expectUntouched(meeting);
    expect(seen(await cancel(meeting, 'f1'))).toEqual(done(meeting));
    await expectCancelled(meeting);
  });

  test('refuses it is undone at once', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'status', status: 403, body: { error: { code: 403 } } });
    expect(seen(await cancel(meeting, 'f2'))).toEqual({
      status: 500,
      body: {
        error: {
          code: 'calendar_refused',
          message: expect.stringContaining(`The calendar of ${meeting.ada.email} refused the request.`),
        },
      },
    });
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: true, settlements: [] });
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
    expect(seen(await cancel(meeting))).toEqual(NOT_FOUND);
    await expectCancelled(meeting);
  });

  test('does the work after all, long after it was undone, leaves a cancelled meeting', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
    expect((await cancel(meeting)).status).toBe(500);
    world.faults.clear();
    await world.advance(61_000);
    await world.worker.runScheduled(world.clock.now());
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: true, settlements: ['recheck'] });
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    await expectCancelled(meeting);
  });
});
