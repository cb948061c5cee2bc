import { expect, test } from 'vitest';
import { type Batch, mentoring, readBatch, sendBatch } from '../support/people/batches.ts';
import { liveEvents } from '../support/people/bookings.ts';
import { quiet } from '../support/worlds/quiet.ts';
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

/** Returns the times of the booked meetings as pairs of instants, in order. */
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

test('a cancellation against the runs: what is booked stays, and the rest is cancelled', async () => {
  const made = await mentoring({ mentees: MENTEES });
  const id = await sent(made);
  const running = world.qstash.deliverDue();
  const answers = await Promise.all([1, 2, 3].map(() => made.platform.api.send('DELETE', `/v1/batches/${id}`)));
  await running;
  await quiet([made.platform]);
  const { status, counts } = await readBatch(made.platform, id);
  for (const answer of answers) expect(answer.status).toBe(200);
  expect(status).toBe('cancelled');
  expect((counts.booked ?? 0) + (counts.cancelled ?? 0)).toBe(MENTEES);
  expect(liveEvents(made.mentor.email)).toHaveLength(counts.booked ?? 0);
  await expectPeace({ platforms: [made.platform] });
});
