import { beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, writtenEvents } from '../support/calendars.ts';
import { violations } from '../support/checker.ts';
import type { Answer } from '../support/client.ts';
import { connectedPerson, freshPerson, freshPlatform, webhooksOf } from '../support/factories.ts';
import { type Booked, booked, eventOf, HOUR, iso, MINUTE, rowOf } from '../support/meetings.ts';
import { quiet } from '../support/quiet.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const seen = ({ status, body }: Answer) => ({ status, body });
const DAY = 24 * HOUR;
/** A Wednesday at 15:00 UTC, at least a week from now: 10:00 in New York or 11:00. */
const wednesday = () => {
  const from = Math.ceil(world.clock.now() / DAY) * DAY + 7 * DAY;
  const days = (10 - new Date(from).getUTCDay()) % 7;
  return from + days * DAY + 15 * HOUR;
};
const book = (hour = 0) => booked({ start: wednesday() + hour * HOUR });

interface Wish {
  reason?: string;
  requested_by?: string;
  preferred_time_range?: { start: string; end: string };
}
const post = ({ platform, id, bob }: Pick<Booked, 'platform' | 'id' | 'bob'>, wish: Wish = {}, key?: string) =>
  platform.api.send(
    'POST',
    `/v1/meetings/${id}/reschedule`,
    { meeting_id: id, requested_by: bob.email, reason: 'Something came up', ...wish },
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );
const range = (start: number, end: number) => ({ preferred_time_range: { start: iso(start), end: iso(end) } });
/** The two hours after the meeting. */
const after = ({ end }: Booked) => range(end, end + 2 * HOUR);
const moved = ({ body }: Answer) =>
  body as {
    success: boolean;
    new_meeting_id: string;
    new_meeting_time: string;
    reasoning: string;
    learned_from: string;
  };

const EVENTS = '/calendar/v3/calendars/primary/events';
const PATCH_EVENT = { target: 'google', match: `PATCH ${EVENTS}` } as const;
const GET_EVENT = { target: 'google', match: `GET ${EVENTS}` } as const;
const FREE_BUSY = { target: 'google', match: 'POST /calendar/v3/freeBusy' } as const;
const NOTHING_LEARNED = 'Nothing in the reason matched a pattern; no weight was changed.';
const NOT_FOUND = {
  status: 404,
  body: {
    error: {
      code: 'meeting_not_found',
      message: 'There is no meeting of this id, or it was cancelled or rescheduled.',
    },
  },
};

const holdsAt = ({ ada, bob }: Booked, start: number, end: number) =>
  [ada.email, bob.email].map((email) => [email, iso(start), iso(end)]);

/** Postgres, Google and the inbox agree that the new meeting has taken the place of the old one. */
async function expectMoved(meeting: Booked, answer: Answer): Promise<void> {
  const { new_meeting_id: newId, new_meeting_time } = moved(answer);
  const start = Date.parse(new_meeting_time);
  await quiet([meeting.platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'rescheduled', rests: true, holds: [], settlements: [] });
  expect(await rowOf(newId)).toEqual({
    ...{ status: 'scheduled', rests: true, start: iso(start), end: iso(start + 30 * MINUTE), settlements: [] },
    holds: holdsAt(meeting, start, start + 30 * MINUTE),
  });
  for (const person of [meeting.ada, meeting.bob])
    expect(eventOf(person, meeting.eventId)).toMatchObject({
      ...{ status: 'confirmed', link: meeting.link, start: iso(start), end: iso(start + 30 * MINUTE) },
    });
  expect(await writtenEvents(meeting.platform, 'meeting.scheduled')).toBe(2);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

/** They agree that the meeting is where it was, and that no other was made. */
async function expectUntouched(meeting: Booked): Promise<void> {
  await quiet([meeting.platform]);
  const { start, end } = meeting;
  expect(await rowOf(meeting.id)).toEqual({
    ...{ status: 'scheduled', rests: true, start: iso(start), end: iso(end), settlements: [] },
    holds: holdsAt(meeting, start, end),
  });
  expect(eventOf(meeting.ada, meeting.eventId)).toMatchObject({ start: iso(start), end: iso(end) });
  expect(await writtenEvents(meeting.platform, 'meeting.scheduled')).toBe(1);
  expect(await violations({ platforms: [meeting.platform] })).toEqual([]);
}

const weightsOf = async (email: string) =>
  (await world.neon.query('select weights from users where email = $1', [email]))[0]?.weights;

describe('POST /v1/meetings/{id}/reschedule', () => {
  test('moves the event under a new id, learns, and tells both and the platform', async () => {
    const meeting = await book();
    const { platform, ada, bob, id, start } = meeting;
    const answer = await post(meeting, { reason: 'Wednesday is too early for me' });
    const { new_meeting_id: newId, new_meeting_time: time } = moved(answer);
    expect(seen(answer)).toEqual({
      status: 200,
      body: {
        success: true,
        new_meeting_id: expect.stringMatching(/^meet_/),
        new_meeting_time: expect.stringMatching(/^\d{4}-.*:00Z$/),
        reasoning: expect.stringMatching(/^Picked .* for ada\..* and .* for bob\..* as the best open time/),
        learned_from:
          '"too early" lowered time_of_day_preference.morning from 1 to 0.8. ' +
          '"wednesday" lowered day_of_week_preference.wednesday from 1 to 0.8.',
      },
    });
    expect([newId, time]).not.toEqual(expect.arrayContaining([id, iso(start)]));
    await expectMoved(meeting, answer);
    expect(await weightsOf(bob.email)).toEqual({
      time_of_day_preference: { morning: 0.8 },
      day_of_week_preference: { wednesday: 0.8 },
    });
    const [, event] = await eventsOf(platform, 'meeting.scheduled', 2);
    expect(event?.body.data).toEqual({
      ...{ meeting_id: newId, attendees: [ada.email, bob.email], start_time: time, duration: 30 },
      end_time: iso(Date.parse(time) + 30 * MINUTE),
      ...{ location: 'Google Meet', meeting_url: meeting.link, scheduled_by: platform.id, rescheduled_from: id },
      scheduled_at: expect.stringMatching(/Z$/),
    });
    const mails = world.google
      .mails()
      .filter(({ eventId, kind }) => eventId === meeting.eventId && kind !== 'invitation');
    expect(mails).toMatchObject([{ to: bob.email, from: ada.email, kind: 'update' }]);
    expect((await webhooksOf(platform)).map(({ body }) => body.event_type)).not.toContain('meeting.cancelled');
    expect(await world.neon.query('select used, settled from usage where platform_id = $1', [platform.id])).toEqual([
      { used: 1, settled: 1 },
    ]);
  });

  test('leaves an old id that nothing but reading takes, and a new one that takes all', async () => {
    const meeting = await book();
    const { platform, id } = meeting;
    const { new_meeting_id: newId } = moved(await post(meeting));
    expect(seen(await post(meeting))).toEqual(NOT_FOUND);
    expect(seen(await platform.api.send('DELETE', `/v1/meetings/${id}`))).toEqual(NOT_FOUND);
    const times = { start_time: iso(meeting.start), end_time: iso(meeting.end) };
    expect(seen(await platform.api.send('PUT', `/v1/meetings/${id}`, times))).toEqual(NOT_FOUND);
    const read = async (of: string) => (await platform.api.send('GET', `/v1/meetings/${of}`)).body;
    expect(await read(id)).toMatchObject({ status: 'rescheduled', rescheduled_to: newId });
    expect(await read(newId)).toMatchObject({ status: 'scheduled', rescheduled_from: id, meet_link: meeting.link });
    const third = moved(await post({ ...meeting, id: newId })).new_meeting_id;
    expect((await platform.api.send('PUT', `/v1/meetings/${third}`, times)).status).toBe(200);
    expect((await platform.api.send('DELETE', `/v1/meetings/${third}`)).status).toBe(200);
    await quiet([platform]);
    expect(await violations({ platforms: [platform] })).toEqual([]);
  });

  test('stays within the preferred range', async () => {
    const meeting = await book();
    const answer = await post(meeting, range(meeting.start + HOUR, meeting.start + HOUR + 30 * MINUTE));
    expect(moved(answer).new_meeting_time).toBe(iso(meeting.start + HOUR));
    await expectMoved(meeting, answer);
  });

  test('finds a range beyond the usual window', async () => {
    const meeting = await book();
    const far = meeting.start + 28 * DAY;
    const answer = await post(meeting, range(far, far + 2 * HOUR));
    expect(Date.parse(moved(answer).new_meeting_time)).toBeGreaterThanOrEqual(far);
    await expectMoved(meeting, answer);
  });

  test('never picks the old time; without another nothing changes but the weights, and that is kept', async () => {
    const meeting = await book();
    const wish = { reason: 'too early', requested_by: meeting.ada.email, ...range(meeting.start, meeting.end) };
    const refused = await post(meeting, wish, 'r1');
    expect(seen(refused)).toEqual({
      status: 409,
      body: {
        error: {
          code: 'no_availability',
          message: 'Both are free in the search window, but not within the preferred time range.',
        },
      },
    });
    await expectUntouched(meeting);
    expect(await weightsOf(meeting.ada.email)).toEqual({
      time_of_day_preference: { morning: 0.8 },
      day_of_week_preference: {},
    });
    const again = await post(meeting, wish, 'r1');
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([refused.text, 'true']);
  });

  test('the meeting itself does not count for the most meetings a day', async () => {
    const meeting = await book();
    await world.neon.query(`update users set preferences = '{"max_meetings_per_day": 1}' where email = $1`, [
      meeting.bob.email,
    ]);
    const answer = await post(meeting, after(meeting));
    await expectMoved(meeting, answer);
  });

  test('keeps who was invited in the calendar, and every answer', async () => {
    const meeting = await book();
    const { ada, bob, eventId } = meeting;
    const cleo = freshPerson({ name: 'cleo' });
    world.google.patchEvent({
      ...{ email: ada.email, eventId },
      attendees: [
        { email: ada.email, responseStatus: 'accepted' },
        { email: bob.email, responseStatus: 'tentative', comment: 'maybe' },
        { email: cleo.email, optional: true },
      ],
    });
    expect((await post(meeting)).status).toBe(200);
    const event = world.google.events(cleo.email).find((found) => found.id === eventId);
    expect(event?.attendees).toMatchObject([
      { email: ada.email, responseStatus: 'accepted' },
      { email: bob.email, responseStatus: 'tentative', comment: 'maybe' },
      { email: cleo.email, responseStatus: 'needsAction', optional: true },
    ]);
  });

  test('a job keeps the meeting it made', async () => {
    const { platform, ada, bob } = await book();
    await platform.api.send('POST', '/v1/schedule/auto', { attendees: [ada.email, bob.email] });
    await quiet([platform]);
    const [made] = await world.neon.query('select id from meetings where platform_id = $1 and job_id is not null', [
      platform.id,
    ]);
    expect((await post({ platform, bob, id: String(made?.id) })).status).toBe(200);
    await quiet([platform]);
    expect(await violations({ platforms: [platform] })).toEqual([]);
  });

  test('a link that is still to come comes to the new meeting', async () => {
    world.google.settings.meetPending = { gets: 100, ms: 10 * MINUTE };
    try {
      const meeting = await book();
      const { new_meeting_id: newId } = moved(await post(meeting));
      expect(await rowOf(newId)).toMatchObject({ settlements: ['link'] });
      world.google.settings.meetPending = { gets: 0, ms: 0 };
      await quiet([meeting.platform]);
      const { body } = await meeting.platform.api.send('GET', `/v1/meetings/${newId}`);
      expect(body).toMatchObject({ meet_link: expect.stringMatching(/^https:/) });
    } finally {
      world.google.settings.meetPending = { gets: 0, ms: 0 };
    }
  });

  test('who found mornings too early twice is given other times, who did not is given mornings', async () => {
    const hours = async (reason: string) => {
      const platform = await freshPlatform({ plan: 'enterprise' });
      const [ada, bob] = [await connectedPerson(platform), await connectedPerson(platform)];
      const times: number[] = [];
      for (const [at, text] of [reason, reason, 'Something came up'].entries()) {
        const start = wednesday() + at * HOUR;
        const meeting = await booked({ pair: { platform, ada, bob }, start });
        times.push(new Date(moved(await post(meeting, { reason: text })).new_meeting_time).getUTCHours());
      }
      return times;
    };
    expect((await hours('That is too early')).filter((hour) => hour < 12)).toEqual([]);
    expect((await hours('A conflict')).filter((hour) => hour >= 12)).toEqual([]);
  });

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
    const answer = await post(meeting, {}, 'r3');
    expect(answer.status).toBe(200);
    expect(
      await world.neon.query(`select id from meetings where platform_id = $1 and status = 'failed'`, [
        meeting.platform.id,
      ]),
    ).toHaveLength(1);
    await expectMoved(meeting, answer);
  });

  test('another platform may not', async () => {
    const meeting = await book();
    const platform = await freshPlatform();
    expect(seen(await post({ ...meeting, platform }))).toEqual({
      status: 403,
      body: { error: 'Forbidden', message: 'This meeting was made by another platform.' },
    });
    await expectUntouched(meeting);
  });

  test('a person who is no longer connected is named', async () => {
    const meeting = await book();
    const { bob } = meeting;
    await world.neon.query(
      'update connections set disconnected_at = now() where user_id = (select id from users where email = $1)',
      [bob.email],
    );
    expect(seen(await post(meeting))).toEqual({
      status: 404,
      body: {
        error: {
          code: 'user_not_found',
          message: `${bob.email} has not connected a calendar with this platform.`,
          ...{ field: 'attendees', email: bob.email },
        },
      },
    });
    await expectUntouched(meeting);
  });

  test('a meeting that was deleted in the calendar is not there any more', async () => {
    const meeting = await book();
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, deleted: true });
    expect(seen(await post(meeting))).toEqual(NOT_FOUND);
    expect(await rowOf(meeting.id)).toMatchObject({
      ...{ status: 'scheduled', rests: true, settlements: [] },
      holds: holdsAt(meeting, meeting.start, meeting.end),
    });
  });
});

describe('a reschedule whose calendar fails', () => {
  const fails = [
    ['answers 500', { mode: 'status', status: 500 }],
    ['drops the connection', { mode: 'reset' }],
    ['hangs', { mode: 'hang' }],
  ] as const;

  test.each(fails)('%s when the event is changed is undone, and works again', async (_name, fault) => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, ...fault });
    const answer = await post(meeting, {}, 'f1');
    expect(seen(answer)).toEqual({
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
    await expectMoved(meeting, await post(meeting, {}, 'f1'));
  });

  test.each(fails)('%s when it is searched changes nothing', async (_name, fault) => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, ...fault });
    const answer = await post(meeting, {}, 'f2');
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ error: { code: 'calendar_unavailable' } });
    await expectUntouched(meeting);
    await expectMoved(meeting, await post(meeting, {}, 'f2'));
  });

  test('fails at the last look changes nothing', async () => {
    const meeting = await book();
    world.faults.add({ ...FREE_BUSY, mode: 'delay', delay_ms: 0, times: 2 });
    world.faults.add({ ...FREE_BUSY, mode: 'status', status: 500 });
    expect((await post(meeting)).status).toBe(500);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: true, settlements: [] });
    await expectUntouched(meeting);
  });

  test('refuses the change is undone at once', async () => {
    const meeting = await book();
    world.faults.add({ ...PATCH_EVENT, mode: 'status', status: 403, body: { error: { code: 403 } } });
    const answer = await post(meeting);
    expect([answer.status, answer.body]).toMatchObject([500, { error: { code: 'calendar_refused' } }]);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled', rests: true, settlements: [] });
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
      expect(seen(await post(meeting))).toEqual(NOT_FOUND);
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
    const [row] = await world.neon.query(`select intent from settlements where meeting_id = $1 and kind = 'recheck'`, [
      meeting.id,
    ]);
    const [undone] = Object.values(row?.intent as Record<string, { start: number; end: number }>);
    const late = { start: iso(undone?.start ?? 0), end: iso(undone?.end ?? 0) };
    world.google.patchEvent({ email: meeting.ada.email, eventId: meeting.eventId, ...late });
    await expectUntouched(meeting);
  });
});

describe('POST /v1/meetings/{id}/reschedule refuses', () => {
  const INSTANT = 'must be an ISO 8601 date-time with an offset or Z.';
  const [start, end] = ['2099-03-02T15:00:00Z', '2099-03-02T16:00:00Z'];
  let meeting: Booked;
  beforeAll(async () => {
    meeting = await book();
  });

  test.each<[string, object, string, string, string]>([
    ['no meeting_id', { meeting_id: undefined }, 'invalid_request', 'meeting_id', 'meeting_id is required.'],
    [
      'another meeting_id',
      { meeting_id: 'meet_x' },
      'invalid_request',
      'meeting_id',
      'meeting_id must be the one in the path.',
    ],
    [
      'a meeting_id that is a number',
      { meeting_id: 7 },
      'invalid_request',
      'meeting_id',
      'meeting_id must be a string.',
    ],
    ['nobody', { requested_by: undefined }, 'invalid_request', 'requested_by', 'requested_by is required.'],
    ['a name', { requested_by: 'bob' }, 'invalid_request', 'requested_by', 'requested_by must be an e-mail address.'],
    [
      'a stranger',
      { requested_by: 'x@people.test' },
      'invalid_request',
      'requested_by',
      'requested_by must be an attendee of the meeting.',
    ],
    ['no reason', { reason: undefined }, 'invalid_request', 'reason', 'reason is required.'],
    ['a blank reason', { reason: ' \t' }, 'invalid_request', 'reason', 'reason must not be empty.'],
    [
      'a reason that is too long',
      { reason: 'x'.repeat(1001) },
      'invalid_request',
      'reason',
      'reason must have at most 1000 characters.',
    ],
    [
      'a reason with NUL',
      { reason: 'x\0' },
      'invalid_request',
      'reason',
      'reason must be well-formed text without NUL.',
    ],
    [
      'a range that is text',
      { preferred_time_range: 'soon' },
      'invalid_time',
      'preferred_time_range',
      'preferred_time_range must be {start, end}.',
    ],
    [
      'a range without its end',
      { preferred_time_range: { start } },
      'invalid_time',
      'preferred_time_range.end',
      'preferred_time_range.end is required.',
    ],
    [
      'a range of dates',
      { preferred_time_range: { start: '2099-03-02', end } },
      'invalid_time',
      'preferred_time_range.start',
      `preferred_time_range.start ${INSTANT}`,
    ],
    [
      'a reversed range',
      { preferred_time_range: { start: end, end: start } },
      'invalid_time',
      'preferred_time_range.end',
      'preferred_time_range.end must be after start.',
    ],
    [
      'a range of the past',
      { preferred_time_range: { start: '2020-03-02T15:00:00Z', end: '2020-03-02T16:00:00Z' } },
      'invalid_time',
      'preferred_time_range.end',
      'preferred_time_range.end must be in the future.',
    ],
    [
      'a range of years',
      { preferred_time_range: { start: '2098-03-02T15:00:00Z', end } },
      'invalid_time',
      'preferred_time_range',
      'A search covers at most 90 days.',
    ],
  ])('%s', async (_name, wish, code, field, message) => {
    expect(seen(await post(meeting, wish))).toEqual({ status: 400, body: { error: { code, message, field } } });
  });

  test('the end of time, by finding nothing', async () => {
    const wish = range(Date.UTC(9998, 11, 30), Date.UTC(9998, 11, 30, 0, 15));
    expect((await post(meeting, wish)).status).toBe(409);
  });

  test.each(['meet_nobody', "'--"])('the id %s', async (id) => {
    const body = { meeting_id: id, requested_by: meeting.bob.email, reason: 'x' };
    expect(seen(await meeting.platform.api.send('POST', `/v1/meetings/${id}/reschedule`, body))).toEqual(NOT_FOUND);
  });
});
