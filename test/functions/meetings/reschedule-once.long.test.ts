import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked, EVENT_DELETED, FOREIGN, FREE_BUSY, iso, rowOf, seen } from '../../support/people/meetings.ts';
import {
  book,
  expectMoved,
  expectUntouched,
  holdsAt,
  moved,
  post,
  postLate,
  range,
  weightsOf,
} from '../../support/people/rescheduling.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('rescheduling', () => {
  test('the same key answers the same bytes without any work, another body with it is 422', async () => {
    const meeting = await book();
    const first = await post(meeting, {}, 'r2');
    world.traffic.clear();
    const again = await post(meeting, {}, 'r2');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect(world.traffic.list().filter(({ target }) => target === 'google')).toEqual([]);
    expect((await post(meeting, { reason: 'Another' }, 'r2')).status).toBe(422);
    await expectMoved(meeting, first);
  });

  test('ten at once with one key get one answer and make one meeting', async () => {
    const meeting = await book();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(meeting, {}, 'race')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await expectMoved(meeting, answers[0] as Answer);
  });

  test('of five at once one makes a meeting', async () => {
    const meeting = await book();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(meeting)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    await expectMoved(meeting, answers.find(({ status }) => status === 200) as Answer);
  });

  test('of two meetings that want one time, one gets it', async () => {
    const one = await book();
    const two = await booked({ pair: one, start: one.start + 3 * HOUR });
    const wish = range(one.start + HOUR, one.start + HOUR + 30 * MINUTE);
    const answers = await Promise.all([post(one, wish), post(two, wish)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await quiet([one.platform]);
    expect(await violations({ platforms: [one.platform] })).toEqual([]);
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
    await expectMoved(meeting, answer);
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
    await expectMoved(meeting, answer);
  });

  test('another platform may not', async () => {
    const meeting = await book();
    const platform = await freshPlatform();
    expect(seen(await post({ ...meeting, platform }))).toEqual(FOREIGN);
    await expectUntouched(meeting);
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
