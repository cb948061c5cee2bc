import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
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

interface Change {
  make: () => Promise<Booked>;
  send: (meeting: Booked, key?: string) => Promise<Answer>;
  call: typeof PATCH_EVENT | typeof DELETE_EVENT;
  pending: string;
  expectUnchanged: (meeting: Booked) => Promise<void>;
  expectDone: (meeting: Booked, answer: Answer) => Promise<void>;
  /** Adds the faults by which the change reaches the calendar and every answer is lost. */
  lose: (meeting: Booked) => unknown;
  /** Checks that the next request, which has no key, finds the lost change finished. */
  expectNext: (meeting: Booked) => Promise<void>;
}

function loseMove(): void {
  world.faults.add({ ...GET_EVENT, mode: 'delay', delay_ms: 0, times: 1 });
  world.faults.add({ ...PATCH_EVENT, mode: 'after', times: 1 });
  world.faults.add({ ...GET_EVENT, mode: 'reset' });
}

const UPDATE: Change = {
  make: booked,
  send: (meeting, key) => put(meeting, bodyFor(later(meeting)), key),
  call: PATCH_EVENT,
  pending: 'move',
  expectUnchanged: expectUntouched,
  async expectDone(meeting, answer) {
    expect(seen(answer)).toEqual(updated(meeting));
    await expectMoved(meeting);
  },
  async lose(meeting) {
    await forgetEvent(meeting);
    loseMove();
  },
  async expectNext(meeting) {
    const next = { start: meeting.start + HOUR, end: meeting.end + HOUR };
    expect(seen(await put(meeting, bodyFor(next)))).toEqual(updated(meeting, next));
    await expectAt(meeting, next, 2);
  },
};
const CANCELLATION: Change = {
  make: booked,
  send: cancel,
  call: DELETE_EVENT,
  pending: 'cancel',
  expectUnchanged: expectStanding,
  async expectDone(meeting, answer) {
    expect(seen(answer)).toEqual(done(meeting));
    await expectCancelled(meeting);
  },
  lose() {
    world.faults.add({ ...DELETE_EVENT, mode: 'after', times: 1 });
    world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
  },
  async expectNext(meeting) {
    expect(seen(await cancel(meeting))).toEqual(ENDED);
    await expectCancelled(meeting);
  },
};
const RESCHEDULE: Change = {
  make: book,
  send: (meeting, key) => post(meeting, {}, key),
  call: PATCH_EVENT,
  pending: 'move',
  expectUnchanged: expectInPlace,
  async expectDone(meeting, answer) {
    expect(moved(answer).learned_from).toBe(NOTHING_LEARNED);
    await expectReplaced(meeting, answer);
  },
  lose: loseMove,
  async expectNext(meeting) {
    expect(seen(await post(meeting))).toEqual(ENDED);
    await expectPeace({ platforms: [meeting.platform] });
  },
};

async function lost(change: Change): Promise<Booked> {
  const meeting = await change.make();
  const before = eventOf(meeting.ada, meeting.eventId);
  await change.lose(meeting);
  expect((await change.send(meeting)).status).toBe(500);
  expect(eventOf(meeting.ada, meeting.eventId)).not.toEqual(before);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', start: iso(meeting.start) });
  world.faults.clear();
  return meeting;
}

/** Sends a change that does not reach the calendar, and lets the sweep undo it. */
async function undone(call: Change['call'], send: () => Promise<Answer>): Promise<void> {
  world.faults.add({ ...call, mode: 'reset' });
  expect((await send()).status).toBe(500);
  world.faults.clear();
  await world.advance(61_000);
  await world.worker.runScheduled(world.clock.now());
}

describe.each<[string, Change]>([
  ['an update', UPDATE],
  ['a cancellation', CANCELLATION],
  ['a reschedule', RESCHEDULE],
])('%s whose calendar', (_what, change) => {
  const { make, send, call, pending, expectUnchanged, expectDone, expectNext } = change;

  test.each(NO_ANSWER)('%s is undone, and works again', async (_name, fault) => {
    const meeting = await make();
    world.faults.add({ ...call, ...fault });
    expect(seen(await send(meeting, 'f1'))).toEqual(outcomeUnknown(meeting.ada.email));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: false, pending: [pending] });
    await expectUnchanged(meeting);
    await expectDone(meeting, await send(meeting, 'f1'));
  });

  test('refuses it is undone at once, and works again', async () => {
    const meeting = await make();
    world.faults.add({ ...call, mode: 'status', status: 403, body: FORBIDDEN });
    expect(seen(await send(meeting, 'f2'))).toEqual(
      refusal(409, 'calendar_refused', {
        message: expect.stringContaining(`The calendar of ${meeting.ada.email} refused the request.`),
        email: meeting.ada.email,
      }),
    );
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    await expectUnchanged(meeting);
    await expectDone(meeting, await send(meeting, 'f2'));
  });

  test('drops one answer after the work is asked again', async () => {
    const meeting = await make();
    world.faults.add({ ...call, mode: 'after', times: 1 });
    await expectDone(meeting, await send(meeting));
  });

  test('drops every answer after the work is finished before the next change', async () => {
    await expectNext(await lost(change));
  });
});

describe.each([
  ['an update', UPDATE],
  ['a reschedule', RESCHEDULE],
])('%s whose calendar', (_what, { make, send, expectDone }) => {
  test('has changed the event meanwhile reads it again, and the change is not lost', async () => {
    const meeting = await make();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 412, times: 2 });
    await expectDone(meeting, await send(meeting));
  });
});

describe('an update whose calendar', () => {
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

  test.each([404, 410])('answers %i has lost the meeting', async (status) => {
    const meeting = await booked();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status });
    expect(seen(await put(meeting, bodyFor(later(meeting))))).toEqual(EVENT_DELETED);
    await expectUntouched(meeting);
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

  test('is taken back when it comes long after it was undone, people too', async () => {
    const meeting = await booked();
    const { platform, ada, bob, eventId } = meeting;
    const [dan, cleo] = [await connectedPerson(platform, { name: 'dan' }), freshPerson({ name: 'cleo' })];
    await invite(meeting, cleo.email);
    const attendees = [ada.email, dan.email];
    await undone(PATCH_EVENT, () => put(meeting, { ...bodyFor(later(meeting)), attendees }));
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
});

test('a cancellation that reaches the calendar after all, long after it was undone, leaves a cancelled meeting', async () => {
  const meeting = await booked();
  await undone(DELETE_EVENT, () => cancel(meeting));
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: ['verify'] });
  world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
  await expectCancelled(meeting);
});

describe('rescheduling', () => {
  test('a time that turns out taken at the last look makes place for the next, and the lesson is learned once', async () => {
    const meeting = await book();
    const { ada, bob } = meeting;
    const taken = { start: iso(meeting.start - 90 * DAY), end: iso(meeting.start + 90 * DAY) };
    const calendars = { [ada.email]: { busy: [taken] }, [bob.email]: { busy: [taken] } };
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 200, body: { calendars }, times: 2 });
    const answer = await postLate(meeting, { reason: 'Too early for me' }, 'r3');
    expect(moved(answer).learned_from).toContain('from 1 to 0.8');
    expect(await weightsOf(bob.email)).toMatchObject({ time_of_day_preference: { morning: 0.8 } });
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

describe('a reschedule whose calendar', () => {
  test('fails at the last look, long after the search, changes nothing', async () => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 500 });
    expect((await postLate(meeting)).status).toBe(500);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', unlocked: true, pending: [] });
    await expectInPlace(meeting);
  });
});
