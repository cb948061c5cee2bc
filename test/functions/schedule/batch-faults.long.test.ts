import { describe, expect, test } from 'vitest';
import { violations } from '../../support/checks/checker.ts';
import {
  accepted,
  acceptedBatch,
  type Batch,
  batchIs,
  ended,
  finishedBatch,
  mentoring,
  pair,
  readBatch,
  statesOf,
} from '../../support/people/batches.ts';
import { inHours, iso, liveEvents, useQuota } from '../../support/people/meetings.ts';
import { weekdays } from '../../support/people/proposing.ts';
import { hold, met, quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Made = Awaited<ReturnType<typeof mentoring>>;
const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
const commit = ({ platform }: Made, id: string) => platform.api.send('POST', `/v1/batches/${id}/commit`);
const reasonsOf = ({ meetings }: Batch) =>
  Object.fromEntries(meetings.flatMap(({ reference, reason }) => (reason === null ? [] : [[reference, reason.code]])));
const datesOf = ({ meetings }: Batch) => meetings.flatMap(({ start_time }) => start_time?.slice(0, 10) ?? []).sort();

const down = (people: { email: string }[]) => {
  for (const { email } of people) world.google.settings.habits.set(email, 'down');
};
const up = (people: { email: string }[]) => {
  for (const { email } of people) world.google.settings.habits.delete(email);
};
const leave = async ({ platform }: Made, { email }: { email: string }) =>
  expect((await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(email)}`)).status).toBe(200);

/** Commits a dry run that placed all of its meetings, after `change`, and returns its id. */
async function commitAfter(made: Made, change: () => unknown): Promise<string> {
  const { batch_id: id, counts } = await finishedBatch(made.platform, { ...made.body, dry_run: true });
  expect(counts.placed).toBe(made.meetings.length);
  await change();
  expect((await commit(made, id)).status).toBe(202);
  return id;
}
const committedAfter = async (made: Made, change: () => unknown) =>
  batchIs(made.platform, await commitAfter(made, change), 'completed');
async function sentAfter({ platform, body }: Made, change: () => unknown) {
  await change();
  return finishedBatch(platform, body);
}

/** Checks that each meeting of the batch that is booked exists once, and no other does. */
async function expectPeace({ platform }: Made, { meetings, counts }: Batch) {
  await quiet([platform]);
  const booked = meetings.flatMap(({ meeting_id }) => meeting_id ?? []);
  expect(booked).toHaveLength(counts.booked ?? 0);
  const live = (await platform.api.send('GET', '/v1/meetings?limit=100')).body as {
    meetings: { meeting_id: string }[];
  };
  expect(live.meetings.map(({ meeting_id }) => meeting_id).sort()).toEqual(booked.sort());
  expect(await violations({ platforms: [platform] })).toEqual([]);
}

describe('`max_per_day` of a round', () => {
  test('leaves out what the days of the range do not take, and says why', async () => {
    const made = await mentoring();
    const [date = ''] = weekdays(1).map((start) => new Date(start).toISOString().slice(0, 10));
    const range = { start_date: date, end_date: date };
    const done = await finishedBatch(made.platform, { ...made.body, max_per_day: 2, date_range: range });
    expect(done.counts).toMatchObject({ booked: 2, unplaced: 1 });
    expect(datesOf(done)).toEqual([date, date]);
    expect(done.meetings.find(({ state }) => state === 'unplaced')?.reason).toMatchObject({
      code: 'TIMES_TAKEN',
      message: expect.stringContaining('`max_per_day`'),
      suggestions: expect.arrayContaining(['Send a larger `max_per_day`.']),
    });
    await expectPeace(made, done);
  });

  test('still holds for a meeting that is placed anew', async () => {
    const made = await mentoring({ mentees: 2 });
    const planned = await finishedBatch(made.platform, { ...made.body, max_per_day: 1, dry_run: true });
    const {
      batch_id: id,
      meetings: [place],
    } = planned;
    const [email, start, end] = [made.mentees[0]?.email ?? '', place?.start_time ?? '', place?.end_time ?? ''];
    world.google.addBusy({ email, start, end });
    expect((await commit(made, id)).status).toBe(202);
    const done = await batchIs(made.platform, id, 'completed');
    expect(done.counts).toMatchObject({ booked: 2 });
    expect(done.meetings[0]?.start_time).not.toBe(start);
    expect(new Set(datesOf(done)).size).toBe(2);
  });
});

test('`max_per_person` also counts meetings of other pairs, and `priority` decides who is left out', async () => {
  const made = await mentoring();
  const [first, second] = made.mentees;
  const between = { reference: 'mentees', attendees: [first?.email, second?.email], priority: 9 };
  const done = await finishedBatch(made.platform, { meetings: [...made.meetings, between], max_per_person: 1 });
  expect(statesOf(done)).toEqual({ 'pair-0': 'unplaced', 'pair-1': 'unplaced', 'pair-2': 'booked', mentees: 'booked' });
  expect(reasonsOf(done)).toEqual({ 'pair-0': 'ROUND_LIMIT', 'pair-1': 'ROUND_LIMIT' });
  await expectPeace(made, done);
});

describe('Google is down for half of the people', () => {
  test.each([
    ['from the start', sentAfter],
    ['when the plan is booked', committedAfter],
  ])('%s: their meetings fail with the reason, and the others are booked', async (_when, bookAfter) => {
    const made = await mentoring({ mentees: 4 });
    const done = await bookAfter(made, () => down(made.mentees.slice(0, 2)));
    expect(statesOf(done)).toEqual({ 'pair-0': 'failed', 'pair-1': 'failed', 'pair-2': 'booked', 'pair-3': 'booked' });
    expect(reasonsOf(done)).toEqual({ 'pair-0': 'GOOGLE_API_ERROR', 'pair-1': 'GOOGLE_API_ERROR' });
    up(made.mentees);
    await expectPeace(made, done);
  });

  test('for a while: all meetings are booked', async () => {
    const made = await mentoring({ mentees: 4 });
    const id = await commitAfter(made, () => down(made.mentees.slice(0, 2)));
    await world.qstash.deliverDue();
    expect((await readBatch(made.platform, id)).counts).toMatchObject({ booked: 2, placed: 2 });
    up(made.mentees);
    const done = await batchIs(made.platform, id, 'completed');
    expect(done.counts).toMatchObject({ booked: 4 });
    await expectPeace(made, done);
  });
});

test('a calendar that refuses for good: no meeting is to be sent again in a few minutes', async () => {
  const made = await mentoring({ mentees: 1 });
  const error = { code: 403, message: '-', errors: [{ domain: 'calendar', reason: 'notACalendarUser', message: '-' }] };
  world.faults.add({ ...INSERT, mode: 'status', status: 403, body: { error } });
  const done = await finishedBatch(made.platform, made.body);
  expect(reasonsOf(done)).toEqual({ 'pair-0': 'GOOGLE_API_ERROR' });
  expect(done.meetings[0]?.reason?.suggestions).toEqual([
    expect.stringMatching(/^Ask the person to check/),
    'Then send the meeting in a new batch.',
    expect.stringMatching(/^If it has none, put the other person first/),
  ]);
  await expectPeace(made, done);
});

describe('a person who disconnects in the middle', () => {
  test('before the plan is booked: their meeting fails, and the others are booked', async () => {
    const made = await mentoring();
    const done = await committedAfter(made, () => leave(made, made.mentees[1] ?? { email: '' }));
    expect(statesOf(done)).toEqual({ 'pair-0': 'booked', 'pair-1': 'failed', 'pair-2': 'booked' });
    expect(reasonsOf(done)).toEqual({ 'pair-1': 'CALENDAR_NOT_FOUND' });
    await expectPeace(made, done);
  });

  test('while the meetings are booked: each meeting ends, and none is booked twice', async () => {
    const made = await mentoring({ mentees: 6 });
    const id = await acceptedBatch(made.platform, made.body);
    const inserting = hold({ ...INSERT, times: 1 });
    const running = world.qstash.deliverDue();
    await met(inserting);
    await leave(made, made.mentor);
    inserting.release();
    await running;
    const done = await batchIs(made.platform, id, 'completed');
    const { booked = 0, failed = 0 } = done.counts;
    expect(booked + failed).toBe(6);
    expect(failed).toBeGreaterThan(0);
    // The grant ends a moment before the connection, and a booking may meet it in between.
    for (const code of Object.values(reasonsOf(done))) expect(['CALENDAR_NOT_FOUND', 'TOKEN_EXPIRED']).toContain(code);
    await expectPeace(made, done);
  });
});

const causes: [string, (made: Awaited<ReturnType<typeof pair>>) => unknown, RegExp][] = [
  [
    'NO_AVAILABILITY',
    ({ ada }) => world.google.addBusy({ email: ada.email, start: iso(inHours(-24)), end: iso(inHours(40 * 24)) }),
    /busy/,
  ],
  [
    'CALENDAR_NOT_FOUND',
    async ({ platform, bob }) => {
      const gone = await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(bob.email)}`);
      expect(gone.status).toBe(200);
    },
    /has no calendar connected to this platform\.$/,
  ],
  [
    'TOKEN_EXPIRED',
    async ({ bob }) => {
      world.google.revoke(bob.email);
      await world.advance(2 * 3_600_000);
    },
    /connect their calendar again, because access to it was revoked or has expired\.$/,
  ],
  [
    'TIMEZONE_ERROR',
    async ({ bob }) => {
      world.google.addUser({ email: bob.email, timezone: 'Mars/Olympus' });
      await world.neon.query("update users set calendar_time_zone = '' where email = $1", [bob.email]);
    },
    /time zone/,
  ],
  [
    'GOOGLE_API_ERROR',
    () => world.faults.add({ target: 'google', match: 'POST /calendar/v3', mode: 'status', status: 503 }),
    /could not be reached/,
  ],
  ['USAGE_LIMIT_EXCEEDED', ({ platform }) => useQuota(platform, 25), /25 meetings/],
  [
    'INTERNAL_ERROR',
    ({ bob }) =>
      world.neon.query(
        "update calendar_accounts set access_token = 'gone:AAAA' where user_id = (select id from users where email = $1)",
        [bob.email],
      ),
    /on our side/,
  ],
];

test.each(causes)('a failed job says why: %s', async (code, cause, message) => {
  const made = await pair({ plan: 'developer' });
  world.qstash.setKnobs({ hold: true });
  const id = await accepted(made.platform, made.body);
  await cause(made);
  world.qstash.setKnobs({ hold: false });
  const { result, read } = await ended(made.platform, id);
  expect(read.status).toBe('failed');
  expect(result).toEqual({
    job_id: id,
    success: false,
    error_code: code,
    error_message: expect.stringMatching(message),
    attendees: made.body.attendees,
    metadata: {},
    suggestions: expect.arrayContaining([expect.any(String)]),
    processing_time_ms: expect.any(Number),
  });
  expect(liveEvents(made.ada.email).filter(({ summary }) => summary !== 'Busy')).toEqual([]);
  const holds = await world.neon.query(
    'select 1 from holds h join meetings m on m.id = h.meeting_id where m.platform_id = $1',
    [made.platform.id],
  );
  expect(holds).toEqual([]);
});

test('a job that a calendar refuses for good does not suggest to call again later', async () => {
  const { platform, body, ada } = await pair({ plan: 'developer' });
  const error = { code: 403, message: '-', errors: [{ domain: 'calendar', reason: 'notACalendarUser', message: '-' }] };
  const match = 'POST /calendar/v3/calendars/primary/events';
  world.faults.add({ target: 'google', match, mode: 'status', status: 403, body: { error } });
  const { result } = await ended(platform, await accepted(platform, body));
  expect(result).toMatchObject({
    error_code: 'GOOGLE_API_ERROR',
    error_message: expect.stringMatching(/^The calendar of .* refused the request\. Check that .* may still use/),
    suggestions: [
      'Ask the person to check that their Google account still has a calendar and that they may change it.',
      'Then call POST /v1/schedule/auto again.',
      'If it has none, put the other person first in `attendees`, because the event is made on the calendar of the first.',
    ],
  });
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a job whose Worker died three times says that it was us, not the calendar', async () => {
  const { platform, body } = await pair();
  const id = await accepted(platform, body);
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'kill' });
  const attempts = async () =>
    Number((await world.neon.query('select attempts from jobs where id = $1', [id]))[0]?.attempts);
  // A read of a calendar outside the job may also kill the Worker, so the loop counts the attempts.
  while ((await attempts()) < 3) {
    await world.qstash.deliverDue().catch(() => undefined);
    await world.worker.ready();
    await world.advance(120_000);
    await world.worker.runScheduled(world.clock.now());
  }
  world.faults.clear();
  const { result } = await ended(platform, id);
  expect(result).toMatchObject({ error_code: 'INTERNAL_ERROR', error_message: expect.stringMatching(/on our side/) });
  expect(await attempts()).toBe(4);
});
