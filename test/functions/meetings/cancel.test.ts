import { describe, expect, test } from 'vitest';
import { refusal } from '../../support/checks/errors.ts';
import { eventsOf } from '../../support/people/calendars.ts';
import { cancel, done, expectCancelled } from '../../support/people/changing.ts';
import { booked, DELETE_EVENT, ENDED, iso, rowOf, seen, usageOf } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
      metadata: {},
      start_time: iso(start),
      cancelled_at: expect.stringMatching(/^\d{4}-.*Z$/),
      cancelled_by: platform.id,
      reason: 'cancelled_by_platform',
      calendar_event: 'deleted',
    });
    expect(
      world.google.mails().filter(({ kind, eventId }) => kind === 'cancellation' && eventId === meeting.eventId),
    ).toMatchObject([{ to: bob.email, from: ada.email }]);
    expect(await usageOf(platform)).toEqual([{ used: 1, confirmed: 1 }]);
  });

  test('takes two batches of Postgres after the check of its key', async () => {
    const meeting = await booked();
    world.traffic.clear();
    await cancel(meeting);
    expect(world.traffic.list().filter(({ target }) => target === 'neon')).toHaveLength(3);
  });

  test('the cancelled meeting can be read but no longer changed', async () => {
    const meeting = await booked();
    const { platform, id, start } = meeting;
    await cancel(meeting);
    const times = { start_time: iso(start), end_time: iso(start + 3_600_000) };
    expect(seen(await cancel(meeting))).toEqual(ENDED);
    expect(seen(await platform.api.send('PUT', `/v1/meetings/${id}`, times))).toEqual(ENDED);
    const { body } = await platform.api.send('GET', `/v1/meetings/${id}`);
    expect(body).toMatchObject({ status: 'cancelled', cancelled_at: expect.stringMatching(/Z$/) });
  });

  test('a meeting that another request holds is 409 after a while, and that is not kept', async () => {
    const meeting = await booked();
    const lease = world.clock.now() + 45_000;
    const held = 'update meetings set lease_until = $2 where id = $1';
    await world.neon.query(held, [meeting.id, new Date(lease).toISOString()]);
    const busy = await cancel(meeting, 'c4');
    const wait = Number(busy.headers.get('retry-after'));
    expect(seen(busy)).toEqual(
      refusal(409, 'meeting_busy', {
        message: `Another change to this meeting is still in progress. Try again in ${wait} seconds.`,
      }),
    );
    expect(wait).toBeGreaterThanOrEqual(Math.floor((lease - world.clock.now()) / 1_000));
    expect(wait).toBeLessThanOrEqual(43);
    await world.neon.query('update meetings set lease_until = null where id = $1', [meeting.id]);
    expect(seen(await cancel(meeting, 'c4'))).toEqual(done(meeting));
  });

  test.each([404, 410])('an event for which the calendar answers %i counts as deleted', async (status) => {
    const meeting = await booked();
    world.faults.add({ ...DELETE_EVENT, mode: 'status', status });
    expect(seen(await cancel(meeting))).toEqual(done(meeting));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled', unlocked: true, holds: [], pending: [] });
  });
});
