import { expect, test } from 'vitest';
import { violations } from '../support/checks/checker.ts';
import { type Batch, mentoring, readBatch, sendBatch } from '../support/people/batches.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { liveEvents } from '../support/people/meetings.ts';
import { google, neon, type Step } from '../support/worlds/crash-points.ts';
import { callsEnded, dying, quiet } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

type Made = Awaited<ReturnType<typeof mentoring>>;

const RUN: Record<string, Step> = {
  lease: neon('update "batches" set "attempts"'),
  count: neon('filter', '"batch_meetings"'),
  search: neon('set times = r.times'),
  plan: neon("set state = 'placed'"),
  release: neon('update "batches" set "attempts"', '"lease_until"', 'case when'),
  reserve: neon('insert into "pending_operations"', '"book"'),
  'free/busy': google('POST /calendar/v3/freeBusy'),
  event: google('POST /calendar/v3/calendars/primary/events'),
  confirm: neon('update "meetings" set "status"', '"scheduled"'),
  end: neon('update "batches" set "status"', '"ended_at"'),
};
const SIDES = [
  ['before', 'kill'],
  ['after', 'kill_after'],
] as const;
const points = (steps: Record<string, Step>) =>
  Object.entries(steps).flatMap(([name, step]) =>
    SIDES.map(([side, mode]) => ({ name, side, fault: { ...step, mode } })),
  );

async function subscribed(): Promise<Made> {
  const made = await mentoring();
  const hook = { url: made.platform.webhookUrl, events: ['batch.completed', 'meeting.scheduled'] };
  expect((await made.platform.api.send('PUT', '/v1/platform/webhook', hook)).status).toBe(200);
  return made;
}

const send = ({ platform, body }: Made, more: object = {}) =>
  sendBatch(platform, { ...body, ...more }, { 'Idempotency-Key': 'night' }).catch(() => undefined);

/** Sends a batch and returns its id, also if the first answer is lost. */
async function accepted(made: Made, more: object = {}): Promise<string> {
  const answer = (await send(made, more)) ?? (await send(made, more));
  if (answer?.status !== 202) throw new Error(answer?.text);
  return (answer.body as Batch).batch_id;
}

/** Checks that every meeting of the batch was booked exactly once, and that one event told the end. */
async function expectBookedOnce(made: Made, id: string): Promise<void> {
  await quiet([made.platform]);
  const { status, counts, meetings } = await readBatch(made.platform, id);
  expect([status, counts.booked]).toEqual(['completed', 3]);
  expect(new Set(meetings.map(({ meeting_id }) => meeting_id)).size).toBe(3);
  expect(liveEvents(made.mentor.email)).toHaveLength(3);
  // The Worker may die between a delivery and its record. Then it delivers the same event once more.
  const told = new Map((await webhooksOf(made.platform)).map(({ headers, body }) => [headers['webhook-id'], body]));
  const toldOf = (type: string) => [...told.values()].filter(({ event_type }) => event_type === type);
  expect(toldOf('batch.completed')).toHaveLength(1);
  expect(
    toldOf('meeting.scheduled')
      .map(({ data }) => data.meeting_id)
      .sort(),
  ).toEqual(meetings.map(({ meeting_id }) => meeting_id).sort());
  expect(await violations({ platforms: [made.platform] })).toEqual([]);
}

test.each(points({ accept: neon('insert into "batches"') }))(
  'the Worker dies $side a batch is accepted: a retry with the key makes one batch',
  async ({ fault }) => {
    const made = await subscribed();
    await dying(fault, () => send(made));
    const id = await accepted(made);
    expect(await world.neon.query('select id from batches where platform_id = $1', [made.platform.id])).toEqual([
      { id },
    ]);
    await expectBookedOnce(made, id);
  },
);

test.each(points(RUN))(
  'the Worker dies $side the step "$name" of a run: every meeting is booked once',
  async ({ fault }) => {
    const made = await subscribed();
    const id = await accepted(made);
    await dying(fault, () => world.qstash.deliverDue());
    await expectBookedOnce(made, id);
  },
);

test.each(points({ commit: neon('update "batches" set "status"', '"committed_at"') }))(
  'the Worker dies $side a dry run is committed: the repeated commit books it once',
  async ({ fault }) => {
    const made = await subscribed();
    const id = await accepted(made, { dry_run: true });
    await quiet([made.platform]);
    expect((await readBatch(made.platform, id)).status).toBe('planned');
    const commit = () => made.platform.api.send('POST', `/v1/batches/${id}/commit`);
    await dying(fault, commit);
    expect((await commit()).status).toBe(202);
    await expectBookedOnce(made, id);
  },
);

test.each(points({ cancel: neon('update "batches" set "status"', '"next_run_at"') }))(
  'the Worker dies $side a batch is cancelled: the repeated call cancels it, and nothing is booked',
  async ({ fault }) => {
    const made = await subscribed();
    const id = await accepted(made);
    const cancel = () => made.platform.api.send('DELETE', `/v1/batches/${id}`);
    await dying(fault, cancel);
    expect((await cancel()).status).toBe(200);
    await quiet([made.platform]);
    expect(await readBatch(made.platform, id)).toMatchObject({
      status: 'cancelled',
      counts: { cancelled: 3 },
      ended_at: expect.any(String),
    });
    expect(liveEvents(made.mentor.email)).toEqual([]);
    expect(await violations({ platforms: [made.platform] })).toEqual([]);
  },
);

test('a run whose message was lost is picked up by the sweep', async () => {
  const made = await subscribed();
  world.faults.add({ target: 'qstash', match: 'POST /v2', mode: 'status', status: 500, times: 1 });
  const id = await accepted(made);
  await callsEnded();
  world.faults.clear();
  await expectBookedOnce(made, id);
});

test('a booking whose outcome stays unknown for a while is settled, and no meeting is booked twice', async () => {
  const made = await subscribed();
  const id = await accepted(made);
  world.faults.add({ ...google('POST /calendar/v3/calendars/primary/events'), mode: 'after', times: 1 });
  world.faults.add({ ...google('GET /calendar/v3/calendars/primary/events'), mode: 'reset', times: 5 });
  await world.qstash.deliverDue();
  world.faults.clear();
  await expectBookedOnce(made, id);
});
