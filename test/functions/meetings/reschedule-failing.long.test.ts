import { describe, expect, test } from 'vitest';
import { violations } from '../../support/checks/checker.ts';
import {
  type Booked,
  ENDED,
  eventOf,
  FORBIDDEN,
  FREE_BUSY,
  GET_EVENT,
  iso,
  NO_ANSWER,
  outcomeUnknown,
  PATCH_EVENT,
  rowOf,
  seen,
} from '../../support/people/meetings.ts';
import {
  book,
  expectMoved,
  expectUntouched,
  moved,
  NOTHING_LEARNED,
  post,
  postLate,
} from '../../support/people/rescheduling.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('a reschedule whose calendar fails', () => {
  test.each(NO_ANSWER)('%s when the event is changed is undone, and works again', async (_name, fault) => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, ...fault });
    const answer = await post(meeting, {}, 'f1');
    expect(seen(answer)).toEqual(outcomeUnknown(meeting.ada.email));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: false, pending: ['move'] });
    await expectUntouched(meeting);
    await expectMoved(meeting, await post(meeting, {}, 'f1'));
  });

  test.each(NO_ANSWER)('%s when it is searched changes nothing', async (_name, fault) => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, ...fault });
    const answer = await post(meeting, {}, 'f2');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ error: { code: 'calendar_unavailable' } });
    await expectUntouched(meeting);
    await expectMoved(meeting, await post(meeting, {}, 'f2'));
  });

  test('fails at the last look, long after the search, changes nothing', async () => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 500 });
    expect((await postLate(meeting)).status).toBe(500);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    await expectUntouched(meeting);
  });

  test('refuses the change is undone at once', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 403, body: FORBIDDEN });
    const answer = await post(meeting);
    expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'calendar_refused' } }]);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    await expectUntouched(meeting);
  });

  test('has changed the event meanwhile is read again', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 412, times: 2 });
    await expectMoved(meeting, await post(meeting));
  });

  test('drops one answer after the work is asked again', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
    await expectMoved(meeting, await post(meeting));
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
      await expectMoved(meeting, again);
    });

    test('is finished by a retry with the key', async () => {
      const meeting = await lost('f4');
      await expectMoved(meeting, await post(meeting, {}, 'f4'));
    });

    test('is finished before the next change, for which the old id is gone', async () => {
      const meeting = await lost();
      expect(seen(await post(meeting))).toEqual(ENDED);
      await quiet([meeting.platform]);
      expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
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
    await expectUntouched(meeting);
  });
});
