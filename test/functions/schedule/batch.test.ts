import { describe, expect, test } from 'vitest';
import { formatCursor } from '../../../schema/api/paging.ts';
import { refusal } from '../../support/checks/errors.ts';
import {
  acceptedBatch,
  batchIs,
  finishedBatch,
  mentoring,
  readBatch,
  sendBatch,
  statesOf,
} from '../../support/people/batches.ts';
import { connectedPerson, freshPerson, freshPlatform, ownClient, webhooksOf } from '../../support/people/factories.ts';
import { liveEvents, useQuota } from '../../support/people/meetings.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DAY = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

describe('a batch', () => {
  test('books every pair once, at times that do not overlap, and tells it', async () => {
    const { platform, mentor, meetings, body } = await mentoring();
    const hook = { url: platform.webhookUrl, events: ['batch.completed', 'meeting.scheduled'] };
    expect((await platform.api.send('PUT', '/v1/platform/webhook', hook)).status).toBe(200);
    const id = await acceptedBatch(platform, body);
    expect(await readBatch(platform, id)).toMatchObject({
      batch_id: expect.stringMatching(/^batch_\w{20}$/),
      status: 'processing',
      counts: { open: 3, placed: 0, booked: 0 },
      progress: 0,
      ended_at: null,
    });
    const done = await batchIs(platform, id, 'completed');
    expect(done).toMatchObject({
      total: 3,
      counts: { open: 0, placed: 0, booked: 3, unplaced: 0, failed: 0, cancelled: 0 },
      progress: 1,
      pagination: { next_cursor: null, has_more: false },
    });
    expect(
      done.meetings.map(({ reference, attendees, state, reason }) => [reference, attendees, state, reason]),
    ).toEqual(meetings.map(({ reference, attendees }) => [reference, attendees, 'booked', null]));
    const starts = done.meetings.map(({ start_time }) => Date.parse(start_time ?? '')).sort((a, b) => a - b);
    for (const [n, start] of starts.entries())
      if (n > 0) expect(start - (starts[n - 1] ?? 0)).toBeGreaterThanOrEqual(30 * 60_000);
    expect(liveEvents(mentor.email)).toHaveLength(3);
    const told = (await webhooksOf(platform))
      .map(({ body: event }) => event)
      .filter(({ event_type }) => !event_type.startsWith('user.'));
    expect(told.map(({ event_type }) => event_type).sort()).toEqual([
      'batch.completed',
      ...Array(3).fill('meeting.scheduled'),
    ]);
    expect(told.find(({ event_type }) => event_type === 'batch.completed').data).toMatchObject({
      batch_id: id,
      status: 'completed',
      total: 3,
      counts: { booked: 3, unplaced: 0, failed: 0, cancelled: 0 },
    });
    await expectPeace({ platforms: [platform] });
  });

  test('gives each meeting its own length, title, context and metadata', async () => {
    const { platform, meetings } = await mentoring({ mentees: 2 });
    const [one, other] = meetings;
    const { meetings: results } = await finishedBatch(platform, {
      meetings: [
        { ...one, duration_minutes: 60, title: 'Mentoring', metadata: { round: '4' } },
        { ...other, context: 'one_on_one' },
      ],
    });
    const [first, second] = await Promise.all(
      results.map(async ({ meeting_id }) => (await platform.api.send('GET', `/v1/meetings/${meeting_id}`)).body),
    );
    expect(first).toMatchObject({ title: 'Mentoring', metadata: { round: '4' }, status: 'scheduled' });
    expect(second).toMatchObject({ title: expect.stringContaining('1:1'), metadata: {} });
    const length = ({ start_time, end_time }: { start_time: string; end_time: string }) =>
      (Date.parse(end_time) - Date.parse(start_time)) / 60_000;
    expect([length(first as never), length(second as never)]).toEqual([60, 30]);
  });

  test('returns its meetings by page', async () => {
    const { platform, body } = await mentoring();
    const id = await acceptedBatch(platform, body);
    const page = async (query: string) => (await platform.api.send('GET', `/v1/batches/${id}?${query}`)).body;
    const first = (await page('limit=2')) as Awaited<ReturnType<typeof readBatch>>;
    expect(first.meetings.map(({ reference }) => reference)).toEqual(['pair-0', 'pair-1']);
    expect(first.pagination.has_more).toBe(true);
    const next = (await page(`limit=2&cursor=${first.pagination.next_cursor}`)) as typeof first;
    expect(next.meetings.map(({ reference }) => reference)).toEqual(['pair-2']);
    expect(next.pagination).toEqual({ next_cursor: null, has_more: false });
    const foreign = formatCursor({ at: world.clock.now(), id });
    expect(await page(`cursor=${foreign}`)).toMatchObject({ meetings: [], pagination: { has_more: false } });
  });
});

describe('a meeting of a batch that cannot be booked', () => {
  test('fails or is unplaced with its reason, and the others are booked', async () => {
    const { platform, mentor, mentees, meetings } = await mentoring({ mentees: 3 });
    const stranger = freshPerson();
    const now = world.clock.now();
    const full = await connectedPerson(platform, { name: 'full', busy: [[iso(now - DAY), iso(now + 16 * DAY)]] });
    world.google.revoke(mentees[0]?.email ?? '');
    const done = await finishedBatch(platform, {
      meetings: [
        ...meetings,
        { reference: 'stranger', attendees: [mentor.email, stranger.email] },
        { reference: 'full', attendees: [mentor.email, full.email] },
      ],
    });
    expect(statesOf(done)).toEqual({
      'pair-0': 'failed',
      'pair-1': 'booked',
      'pair-2': 'booked',
      stranger: 'failed',
      full: 'unplaced',
    });
    const [revoked, , , unknown, busy] = done.meetings;
    expect(revoked?.reason?.code).toBe('TOKEN_EXPIRED');
    expect(unknown).toMatchObject({
      start_time: null,
      meeting_id: null,
      reason: {
        code: 'CALENDAR_NOT_FOUND',
        message: expect.stringMatching(/has no calendar connected to this platform\.$/),
        suggestions: expect.arrayContaining(['Then send the meeting in a new batch.']),
        relaxations: [],
      },
    });
    expect(busy?.reason).toMatchObject({ code: 'NO_AVAILABILITY', message: expect.stringContaining('Full') });
    expect(busy?.reason?.relaxations.map(({ change }) => change)).toContain('more_days');
  });
});

const round = (count: number) => ({
  dry_run: true,
  meetings: Array.from({ length: count }, (_, n) => ({ reference: `m${n}`, attendees: ['a@x.test', 'b@x.test'] })),
});

test('a batch stays as it is when somebody deletes their account whom the platform never had', async () => {
  const { platform, mentor } = await mentoring({ mentees: 0 });
  const stranger = freshPerson({ name: 'stranger' });
  const own = await ownClient(await freshPlatform(), stranger.email);
  const { batch_id: id, meetings } = await finishedBatch(platform, {
    meetings: [{ reference: 'one', attendees: [mentor.email, stranger.email] }],
  });
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect((await readBatch(platform, id)).meetings).toEqual(meetings);
});

test('the batches that are not booked have as many meetings as the plan allows, and cancelled ones count for an hour', async () => {
  const { api } = await freshPlatform({ plan: 'developer' });
  world.qstash.setKnobs({ hold: true });
  const send = (count: number) => api.send('POST', '/v1/schedule/batch', round(count));
  const first = await send(1_500);
  expect(first.status).toBe(202);
  const refused = await send(501);
  expect([refused.status, refused.body]).toMatchObject([429, { code: 'quota_exceeded', limit: 2_000, used: 1_500 }]);
  expect((await send(500)).status).toBe(202);
  const { batch_id } = first.body as { batch_id: string };
  expect((await api.send('DELETE', `/v1/batches/${batch_id}`)).status).toBe(200);
  expect((await send(1)).status).toBe(429);
  await world.advance(3_601_000);
  expect((await send(1_500)).status).toBe(202);
});

test.each([
  ['a dry run that was committed', true],
  ['another batch', false],
])('the meetings of %s count for an hour if all failed', async (_what, dry_run) => {
  const platform = await freshPlatform({ plan: 'developer' });
  const send = (body: object) => platform.api.send('POST', '/v1/schedule/batch', body);
  const { batch_id: id } = await finishedBatch(platform, { ...round(20), dry_run });
  if (dry_run) {
    expect((await platform.api.send('POST', `/v1/batches/${id}/commit`, {})).status).toBe(202);
    await batchIs(platform, id, 'completed');
  }
  const refused = await send(round(2_000));
  expect([refused.status, refused.body]).toMatchObject([429, { limit: 2_000, used: 20 }]);
  await world.advance(3_601_000);
  expect((await send(round(2_000))).status).toBe(202);
});

test('the meetings that an ended batch booked do not count', async () => {
  const { platform, body } = await mentoring({ plan: 'developer' });
  await finishedBatch(platform, body);
  world.qstash.setKnobs({ hold: true });
  expect((await platform.api.send('POST', '/v1/schedule/batch', round(2_000))).status).toBe(202);
});

test('twenty batches at once stay within it', async () => {
  const { api } = await freshPlatform({ plan: 'developer' });
  world.qstash.setKnobs({ hold: true });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.send('POST', '/v1/schedule/batch', round(500))),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(4);
});

type Made = Awaited<ReturnType<typeof mentoring>>;
const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
const commit = ({ platform }: Made, id: string) => platform.api.send('POST', `/v1/batches/${id}/commit`);
const cancel = ({ platform }: Made, id: string) => platform.api.send('DELETE', `/v1/batches/${id}`);

describe('a dry run', () => {
  test('places without booking, and a commit books what it placed', async () => {
    const made = await mentoring();
    const planned = await finishedBatch(made.platform, { ...made.body, dry_run: true });
    const { batch_id: id } = planned;
    expect(planned).toMatchObject({ counts: { placed: 3, booked: 0 }, progress: 1, committed_at: null });
    expect(liveEvents(made.mentor.email)).toEqual([]);
    expect(
      await world.neon.query('select 1 from holds h join users u on u.id = h.user_id where u.email = $1', [
        made.mentor.email,
      ]),
    ).toEqual([]);
    const answer = await commit(made, id);
    expect(answer).toMatchObject({ status: 202, body: { batch_id: id, status: 'processing', total: 3 } });
    expect((await commit(made, id)).text).toBe(answer.text);
    const done = await batchIs(made.platform, id, 'completed');
    const times = (batch: typeof done) => batch.meetings.map(({ start_time, end_time }) => [start_time, end_time]);
    expect(done.counts).toMatchObject({ booked: 3 });
    expect(times(done)).toEqual(times(planned));
    expect((await commit(made, id)).text).toBe(answer.text);
    await expectPeace({ platforms: [made.platform] });
  });

  test('that is old is placed anew when it is committed', async () => {
    const made = await mentoring();
    const planned = await finishedBatch(made.platform, { ...made.body, dry_run: true });
    const { batch_id: id } = planned;
    await world.advance(20 * 86_400_000);
    await world.worker.ready();
    await commit(made, id);
    const done = await batchIs(made.platform, id, 'completed');
    expect(done.counts).toMatchObject({ booked: 3 });
    for (const [n, { start_time }] of done.meetings.entries())
      expect(Date.parse(start_time ?? '')).toBeGreaterThan(Date.parse(planned.meetings[n]?.start_time ?? ''));
    await expectPeace({ platforms: [made.platform] });
  });

  test('cannot be committed before it is planned, and another batch never', async () => {
    const made = await mentoring({ mentees: 1 });
    const dry = await acceptedBatch(made.platform, { ...made.body, dry_run: true });
    const wet = await acceptedBatch(made.platform, made.body);
    for (const [id, why] of [
      [dry, 'is still being planned'],
      [wet, 'was not sent with `dry_run`'],
    ] as const)
      expect(await commit(made, id)).toMatchObject(
        refusal(409, 'batch_not_planned', { message: expect.stringContaining(why) }),
      );
    const message =
      'No batch has the ID in the request. Use a batch ID that POST /v1/schedule/batch returned, at most 30 days after the batch ended.';
    expect(await commit(made, 'batch_none')).toMatchObject(refusal(404, 'batch_not_found', { message }));
  });
});

describe('a cancelled batch', () => {
  test('that has not begun books nothing', async () => {
    const made = await mentoring();
    const id = await acceptedBatch(made.platform, made.body);
    const answer = await cancel(made, id);
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, batch_id: id, status: 'cancelled', counts: { cancelled: 3, open: 0, placed: 0 } },
    });
    expect((await cancel(made, id)).text).toBe(answer.text);
    const done = await batchIs(made.platform, id, 'cancelled');
    expect(statesOf(done)).toEqual({ 'pair-0': 'cancelled', 'pair-1': 'cancelled', 'pair-2': 'cancelled' });
    expect(liveEvents(made.mentor.email)).toEqual([]);
    await expectPeace({ platforms: [made.platform] });
  });

  test('finishes the meetings that it was booking, and begins no other', async () => {
    const made = await mentoring({ mentees: 6 });
    const id = await acceptedBatch(made.platform, made.body);
    const inserting = hold({ ...INSERT, times: 1 });
    const running = world.qstash.deliverDue();
    await met(inserting);
    const answer = await cancel(made, id);
    expect(answer.status).toBe(200);
    inserting.release();
    await running;
    const done = await batchIs(made.platform, id, 'cancelled');
    const { booked = 0, cancelled = 0 } = done.counts;
    expect(booked).toBeGreaterThan(0);
    expect(cancelled).toBeGreaterThan(0);
    expect(booked + cancelled).toBe(6);
    expect(liveEvents(made.mentor.email)).toHaveLength(booked);
    await expectPeace({ platforms: [made.platform] });
  });

  test('that completed stays as it is, and its meetings stay', async () => {
    const made = await mentoring({ mentees: 1 });
    const { batch_id: id } = await finishedBatch(made.platform, made.body);
    expect(await cancel(made, id)).toMatchObject({ status: 409, body: { error: { code: 'batch_ended' } } });
    expect((await readBatch(made.platform, id)).counts).toMatchObject({ booked: 1 });
  });
});

describe('the quota', () => {
  test('refuses a larger batch at once with the numbers, and a commit of one, but no dry run', async () => {
    const made = await mentoring({ mentees: 2, plan: 'developer' });
    const limit = 25;
    await useQuota(made.platform, limit - 1);
    const refused = await sendBatch(made.platform, made.body);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'quota_exceeded',
        limit,
        used: limit - 1,
        resets_at: expect.any(String),
        message: expect.stringContaining(`This batch has 2 meetings to book, but only 1 of the ${limit} meetings`),
      },
    });
    const { batch_id: id } = await finishedBatch(made.platform, { ...made.body, dry_run: true });
    expect((await commit(made, id)).status).toBe(429);
    expect((await readBatch(made.platform, id)).status).toBe('planned');
  });

  test('that ends in the middle fails what is left', async () => {
    const made = await mentoring({ mentees: 2, plan: 'developer' });
    const id = await acceptedBatch(made.platform, made.body);
    await useQuota(made.platform, 24);
    const done = await batchIs(made.platform, id, 'completed');
    expect(done.counts).toMatchObject({ booked: 1, failed: 1 });
    expect(done.meetings.find(({ state }) => state === 'failed')?.reason?.code).toBe('USAGE_LIMIT_EXCEEDED');
  });
});

describe('a request that is wrong', () => {
  const pair = { attendees: ['ada@people.test', 'bob@people.test'] };
  test.each([
    ['no meetings', { meetings: [] }, 'meetings', 'must have 1 to 2000 entries'],
    [
      'one person twice',
      {
        meetings: [
          { reference: 'a', ...pair },
          { reference: 'b', attendees: ['ada@people.test', 'ada@people.test'] },
        ],
      },
      'meetings.1.attendees',
      '`meetings.1.attendees` (reference "b") must contain two different email addresses',
    ],
    [
      'a reference twice',
      {
        meetings: [
          { reference: 'a', ...pair },
          { reference: 'a', ...pair },
        ],
      },
      'meetings.1.reference',
      '`meetings.1.reference` (reference "a") must not be the same as that of `meetings.0`',
    ],
    ['no reference', { meetings: [pair] }, 'meetings.0.reference', 'is required'],
  ])('%s', async (_what, body, field, message) => {
    const { platform } = await mentoring({ mentees: 0 });
    const answer = await sendBatch(platform, body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { field, message: expect.stringContaining(message) } },
    });
  });

  test('2,000 meetings fit, and 2,001 do not', async () => {
    const { platform } = await mentoring({ mentees: 0 });
    const meetings = Array.from({ length: 2_001 }, (_, n) => ({
      reference: `pair ${n}`,
      attendees: [`one.${n}@people.test`, `other.${n}@people.test`],
      metadata: { note: 'x'.repeat(300) },
    }));
    expect((await sendBatch(platform, { meetings })).status).toBe(400);
    const answer = await sendBatch(platform, { meetings: meetings.slice(1), dry_run: true });
    expect(answer).toMatchObject({ status: 202, body: { total: 2_000 } });
    const id = (answer.body as { batch_id: string }).batch_id;
    await platform.api.send('DELETE', `/v1/batches/${id}`);
    await batchIs(platform, id, 'cancelled');
  });
});
