import { describe, expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import {
  accepted,
  arrived,
  askedFor,
  copyFailed,
  drain,
  emitMany,
  emitOne,
  hookOf,
  pathOf,
  tick,
} from '../../support/people/webhooks.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const record = {
  target: 'neon',
  match: 'POST /',
  body_match: 'insert into .{1,3}delivery_attempts',
  times: 1,
} as const;

const kicked = (count: number) => expect.poll(() => askedFor().length).toBe(count);

describe('an attempt that was sent and not written down', () => {
  test.each([
    ['the database drops the statement', 'reset'],
    ['the Worker dies before it', 'kill'],
  ] as const)('is made again once its claim has run out: %s', async (_name, mode) => {
    const platform = await freshPlatform();
    await emitOne(platform);
    await kicked(1);
    world.faults.add({ ...record, mode });
    await world.qstash.deliverDue();
    await world.worker.ready();
    expect(arrived(platform)).toHaveLength(1);
    await tick();
    await world.qstash.deliverDue();
    expect(arrived(platform)).toHaveLength(1);
    await tick();
    await drain(platform);
    expect(arrived(platform)).toHaveLength(2);
    expect((await hookOf(platform).logs()).body).toMatchObject({ deliveries: [{ status: 'success', attempts: 1 }] });
  });

  test.each(['after', 'kill_after'] as const)('is not made again when only the answer was lost: %s', async (mode) => {
    const platform = await freshPlatform();
    await emitOne(platform);
    await kicked(1);
    world.faults.add({ ...record, mode });
    await world.qstash.deliverDue();
    await world.worker.ready();
    for (let minute = 0; minute < 3; minute += 1) await tick();
    await drain(platform);
    expect(arrived(platform)).toHaveLength(1);
    expect((await hookOf(platform).logs()).body).toMatchObject({
      deliveries: [{ status: 'success', attempts: 1 }],
      stats: { total_sent: 1 },
    });
  });
});

test('a claim covers an answer under each secret at the endpoint own timeout', async () => {
  const platform = await freshPlatform();
  await hookOf(platform).rotate();
  await hookOf(platform).put({ timeout_seconds: 2 });
  const held = hold({ target: 'inbox', match: `POST ${pathOf(platform)}` });
  await emitOne(platform);
  await kicked(1);
  const delivering = world.qstash.deliverDue();
  await met(held);
  const [row] = await world.neon.query(
    'select extract(epoch from lease_until)::float8 * 1000 as until from deliveries where platform_id = $1',
    [platform.id],
  );
  const leftMs = Number(row?.until) - world.clock.now();
  expect(leftMs).toBeGreaterThan(2 * 2_000);
  expect(leftMs).toBeLessThanOrEqual(2 * 2_000 + 30_000);
  held.release();
  await delivering;
});

test('a sweep whose messages the queue refuses asks again the next minute', async () => {
  const platform = await freshPlatform();
  world.qstash.setKnobs({ loseNext: 1 });
  await emitOne(platform);
  world.faults.add({ target: 'qstash', mode: 'status', status: 500 });
  await tick();
  expect(askedFor()).toEqual([]);
  world.faults.clear();
  await tick();
  await drain(platform);
  expect(arrived(platform)).toHaveLength(1);
});

test('a message that waits in its lane is not asked for every minute', async () => {
  const platform = await freshPlatform();
  world.qstash.setKnobs({ loseNext: 1 });
  await emitOne(platform);
  await tick();
  await kicked(1);
  for (let minute = 0; minute < 4; minute += 1) await tick();
  await kicked(1);
  await tick();
  await tick();
  await kicked(2);
  await drain(platform);
  expect(arrived(platform)).toHaveLength(1);
});

test('a replay goes on from next_since after 5,000 events', async () => {
  const platform = await freshPlatform();
  await emitMany(platform, 1);
  await copyFailed(platform, 5_001);
  await world.advance(6_000);
  await hookOf(platform).put({ url: `${platform.webhookUrl}-elsewhere` });
  const batches = () => world.traffic.list().filter(({ target, path }) => target === 'qstash' && path === '/v2/batch');
  const before = batches().length;
  world.qstash.setKnobs({ loseNext: 6_000 });
  const since = new Date(world.clock.now() - 3_600_000).toISOString();
  const first = (await hookOf(platform).replaySince({ since, status: 'failed' })).body as { next_since: string };
  expect(first).toEqual({
    success: true,
    replayed: 5_000,
    has_more: true,
    next_since: expect.any(String),
    message: 'Tandem is sending 5000 events again.',
  });
  await expect.poll(() => batches().length - before).toBe(50);
  expect(await hookOf(platform).replaySince({ since: first.next_since, status: 'failed' })).toMatchObject(accepted(1));
  await world.neon.query('delete from deliveries where platform_id = $1', [platform.id]);
});

test('at most 10,000 events are sent again within an hour, by calls at once too and one by one', async () => {
  const platform = await freshPlatform();
  const [hook, since] = [hookOf(platform), new Date(world.clock.now()).toISOString()];
  await emitMany(platform, 1);
  await copyFailed(platform, 9_999, { areReplays: true });
  await emitMany(platform, 1);
  const answers = await Promise.all([1, 2].map(() => hook.replaySince({ since })));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 429]);
  expect(answers.find(({ status }) => status === 202)?.body).toMatchObject({ replayed: 1, has_more: true });
  await drain(platform);
  const { deliveries } = (await hook.logs('?limit=1')).body as { deliveries: [{ id: string }] };
  const over = await hook.replay(deliveries[0].id);
  expect(over).toMatchObject({ status: 429, body: { code: 'rate_limited', limit: 10_000, used: 10_000 } });
  await world.advance(Number(over.headers.get('retry-after')) * 1_000 + 10_000);
  expect(await hook.replaySince({ since })).toMatchObject(accepted(2));
  await world.neon.query('delete from deliveries where platform_id = $1', [platform.id]);
});
