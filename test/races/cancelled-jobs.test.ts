import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../support/fuzz/seeded.ts';
import { job, pair } from '../support/people/auto.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { neon } from '../support/worlds/crash-points.ts';
import { quiet } from '../support/worlds/quiet.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

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
      world.faults.add({ ...insert, mode: 'kill_after', times: 1 });
      await world.qstash.deliverDue().catch(() => undefined);
      await world.worker.ready();
      world.faults.clear();
    }
    world.faults.add({ ...CANCELS, mode, times: 1 });
    await made.platform.api.send('DELETE', `/v1/jobs/${id}`).catch(() => undefined);
    await world.worker.ready();
    world.faults.clear();
    const { status } = (await job(made.platform, id)).body as { status: string };
    expect(status).toBe(side === 'before' ? 'processing' : 'failed');
    expect(await made.platform.api.send('DELETE', `/v1/jobs/${id}`)).toMatchObject({ status: 200, body: { booking } });
    await expectOneEndEach(made, [id]);
  },
);
