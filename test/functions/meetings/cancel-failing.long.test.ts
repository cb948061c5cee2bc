import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { cancel, done, expectCancelled, expectUntouched } from '../../support/people/cancelling.ts';
import {
  booked,
  DELETE_EVENT,
  ENDED,
  FORBIDDEN,
  NO_ANSWER,
  outcomeUnknown,
  rowOf,
  seen,
} from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('a cancellation whose calendar fails', () => {
  test.each(NO_ANSWER)('%s is undone, and works again', async (_name, fault) => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, ...fault });
    const answer = await cancel(meeting, 'f1');
    expect(seen(answer)).toEqual(outcomeUnknown(meeting.ada.email));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: false, pending: ['cancel'] });
    await expectUntouched(meeting);
    expect(seen(await cancel(meeting, 'f1'))).toEqual(done(meeting));
    await expectCancelled(meeting);
  });

  test('refuses it is undone at once', async () => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'status', status: 403, body: FORBIDDEN });
    expect(seen(await cancel(meeting, 'f2'))).toEqual({
      status: 409,
      body: wholeError({
        error: {
          code: 'calendar_refused',
          message: expect.stringContaining(`The calendar of ${meeting.ada.email} refused the request.`),
        },
      }),
    });
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
