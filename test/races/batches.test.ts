import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../support/fuzz/seeded.ts';
import { type Batch, job, mentoring, pair, readBatch, sendBatch } from '../support/people/batches.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { liveEvents } from '../support/people/meetings.ts';
import { neon } from '../support/worlds/crash-points.ts';
import { dying, quiet } from '../support/worlds/quiet.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const MENTEES = 6;

async function sent({ platform, body }: Awaited<ReturnType<typeof mentoring>>): Promise<string> {
  const answer = await sendBatch(platform, body);
  expect(answer.status).toBe(202);
  return (answer.body as Batch).batch_id;
}

/** Runs the queue from several callers at once until no work is left. */
async function rushed(made: Awaited<ReturnType<typeof mentoring>>): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => world.qstash.deliverDue()));
  await quiet([made.platform]);
}

const times = (batches: Batch[]) =>
  batches
    .flatMap(({ meetings }) => meetings)
    .filter(({ state }) => state === 'booked')
    .map(({ start_time, end_time }) => [Date.parse(start_time ?? ''), Date.parse(end_time ?? '')] as const)
    .sort(([a], [b]) => a - b);

test('two batches over the same people: no meeting twice, and no two at the same time', async () => {
  const made = await mentoring({ mentees: MENTEES });
  const ids = await Promise.all([sent(made), sent(made)]);
  await rushed(made);
  const batches = await Promise.all(ids.map((id) => readBatch(made.platform, id)));
  for (const { status, counts } of batches) {
    expect(status).toBe('completed');
    expect((counts.booked ?? 0) + (counts.unplaced ?? 0)).toBe(MENTEES);
    expect(counts.booked).toBeGreaterThan(0);
  }
  const booked = times(batches);
  for (const [n, [start]] of booked.entries()) if (n > 0) expect(start).toBeGreaterThanOrEqual(booked[n - 1]?.[1] ?? 0);
  expect(liveEvents(made.mentor.email)).toHaveLength(booked.length);
  const { meetings } = (await made.platform.api.send('GET', '/v1/meetings?limit=100')).body as { meetings: unknown[] };
  expect(meetings).toHaveLength(booked.length);
  await expectPeace({ platforms: [made.platform] });
});

test('a batch whose runs come twice at once books each meeting once', async () => {
  const made = await mentoring({ mentees: MENTEES });
  const id = await sent(made);
  const again = async () => {
    for (let turn = 0; turn < 8; turn++) {
      await world.neon.query('update batches set asked_at = null where id = $1', [id]);
      await Promise.all([world.qstash.deliverDue(), world.worker.runScheduled(world.clock.now())]);
      await world.advance(30_000);
    }
  };
  await again();
  await quiet([made.platform]);
  const { counts } = await readBatch(made.platform, id);
  expect(counts).toMatchObject({ booked: MENTEES });
  expect(liveEvents(made.mentor.email)).toHaveLength(MENTEES);
  await expectPeace({ platforms: [made.platform] });
});

interface Result {
  success: boolean;
  booking?: string;
  meeting_id?: string;
}

const JOBS = 24;
const LONGEST_PAUSE_MS = 400;
/** The batch that cancels a job, with or without a booking. */
const CANCELS = neon('CANCELLED');

async function accepted(made: Awaited<ReturnType<typeof pair>>, count: number): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => made.platform.api.send('POST', '/v1/schedule/auto', made.body)),
  );
  return answers.map(({ body }) => (body as { job_id: string }).job_id);
}

/** Checks that each job ended once, with one event, and that exactly the completed ones have a live meeting. */
async function expectOneEndEach({ platform }: Awaited<ReturnType<typeof pair>>, ids: string[]): Promise<Result[]> {
  await quiet([platform]);
  const ends = await Promise.all(ids.map(async (id) => (await job(platform, id)).body as { result: Result }));
  const told = (await webhooksOf(platform)).filter(({ body }) => body.event_type.startsWith('meeting.scheduling.'));
  expect(told.map(({ body }) => body.data.job_id).sort()).toEqual([...ids].sort());
  const { meetings } = (await platform.api.send('GET', '/v1/meetings?limit=100')).body as {
    meetings: { meeting_id: string; status: string }[];
  };
  const results = ends.map(({ result }) => result);
  expect(meetings.map(({ meeting_id, status }) => [meeting_id, status]).sort()).toEqual(
    results.flatMap(({ meeting_id: id }) => (id === undefined ? [] : [[id, 'scheduled']])).sort(),
  );
  await expectPeace({ platforms: [platform], wishes: [] });
  return results;
}

test.each([1, 2])(
  'seed %i: cancellations against the jobs’ runs: each job ends once, as its answer says',
  async (seed) => {
    const random = seeded(seed);
    const made = await pair();
    const ids = await accepted(made, JOBS);
    const running = world.qstash.deliverDue();
    const answers = await Promise.all(
      ids.map(async (id) => {
        await pause(random.below(LONGEST_PAUSE_MS));
        return made.platform.api.send('DELETE', `/v1/jobs/${id}`);
      }),
    );
    await running;
    const results = await expectOneEndEach(made, ids);
    for (const [n, { status, body }] of answers.entries()) {
      const result = results[n];
      if (status === 200) expect(result).toMatchObject({ success: false, booking: (body as Result).booking });
      else expect([status, result?.booking]).toEqual([409, undefined]);
    }
  },
);

test.each([
  ['before', 'kill', 'none'],
  ['after', 'kill_after', 'none'],
  ['before', 'kill', 'withdrawn'],
  ['after', 'kill_after', 'withdrawn'],
] as const)(
  'the Worker dies %s a cancellation is written (%s), of a job whose booking is %s',
  async (side, mode, booking) => {
    const made = await pair();
    const [id = ''] = await accepted(made, 1);
    if (booking === 'withdrawn') {
      const insert = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
      await dying({ ...insert, mode: 'kill_after' }, () => world.qstash.deliverDue());
    }
    await dying({ ...CANCELS, mode }, () => made.platform.api.send('DELETE', `/v1/jobs/${id}`));
    const { status } = (await job(made.platform, id)).body as { status: string };
    expect(status).toBe(side === 'before' ? 'processing' : 'failed');
    expect(await made.platform.api.send('DELETE', `/v1/jobs/${id}`)).toMatchObject({ status: 200, body: { booking } });
    await expectOneEndEach(made, [id]);
  },
);
