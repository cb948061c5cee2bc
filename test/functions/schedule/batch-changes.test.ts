import { describe, expect, test } from 'vitest';
import { violations } from '../../support/checks/checker.ts';
import { refusal } from '../../support/checks/errors.ts';
import { acceptedBatch, batchIs, mentoring, readBatch, sendBatch, statesOf } from '../../support/people/batches.ts';
import { liveEvents } from '../../support/people/meetings.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Made = Awaited<ReturnType<typeof mentoring>>;

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
const commit = ({ platform }: Made, id: string) => platform.api.send('POST', `/v1/batches/${id}/commit`);
const cancel = ({ platform }: Made, id: string) => platform.api.send('DELETE', `/v1/batches/${id}`);

async function expectPeace({ platform }: Made) {
  await quiet([platform]);
  expect(await violations({ platforms: [platform] })).toEqual([]);
}

describe('a dry run', () => {
  test('places without booking, and a commit books what it placed', async () => {
    const made = await mentoring();
    const id = await acceptedBatch(made.platform, { ...made.body, dry_run: true });
    const planned = await batchIs(made.platform, id, 'planned');
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
    await expectPeace(made);
  });

  test('that is old is placed anew when it is committed', async () => {
    const made = await mentoring();
    const id = await acceptedBatch(made.platform, { ...made.body, dry_run: true });
    const planned = await batchIs(made.platform, id, 'planned');
    await world.advance(20 * 86_400_000);
    await world.worker.ready();
    await commit(made, id);
    const done = await batchIs(made.platform, id, 'completed');
    expect(done.counts).toMatchObject({ booked: 3 });
    for (const [n, { start_time }] of done.meetings.entries())
      expect(Date.parse(start_time ?? '')).toBeGreaterThan(Date.parse(planned.meetings[n]?.start_time ?? ''));
    await expectPeace(made);
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
    await expectPeace(made);
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
    await expectPeace(made);
  });

  test('that completed stays as it is, and its meetings stay', async () => {
    const made = await mentoring({ mentees: 1 });
    const id = await acceptedBatch(made.platform, made.body);
    await batchIs(made.platform, id, 'completed');
    expect(await cancel(made, id)).toMatchObject({ status: 409, body: { error: { code: 'batch_ended' } } });
    expect((await readBatch(made.platform, id)).counts).toMatchObject({ booked: 1 });
  });
});

describe('the quota', () => {
  test('refuses a larger batch at once with the numbers, and a commit of one, but no dry run', async () => {
    const made = await mentoring({ mentees: 2, plan: 'developer' });
    const month = new Date(world.clock.now()).toISOString().slice(0, 7);
    const limit = 25;
    await world.neon.query(
      `insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, ${limit - 1}, ${limit - 1}, ${limit})`,
      [made.platform.id, month],
    );
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
    const id = await acceptedBatch(made.platform, { ...made.body, dry_run: true });
    await batchIs(made.platform, id, 'planned');
    expect((await commit(made, id)).status).toBe(429);
    expect((await readBatch(made.platform, id)).status).toBe('planned');
  });

  test('that ends in the middle fails what is left', async () => {
    const made = await mentoring({ mentees: 2, plan: 'developer' });
    const id = await acceptedBatch(made.platform, made.body);
    const month = new Date(world.clock.now()).toISOString().slice(0, 7);
    await world.neon.query(
      'insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, 24, 24, 25)',
      [made.platform.id, month],
    );
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
    [
      'dates that are past',
      { meetings: [{ reference: 'a', ...pair }], date_range: { end_date: '2020-01-01' } },
      'date_range.end_date',
      'are in the past',
    ],
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
