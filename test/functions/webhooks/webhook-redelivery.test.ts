import { describe, expect, test } from 'vitest';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import {
  answerWith,
  arrivedEvents,
  copyFailed,
  drain,
  emitMany,
  emitOne,
  hookOf,
  type LogPage,
} from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const MINUTE = 60_000;

/** Lets minutes pass, runs the tick once and delivers all that it began. */
async function pass(platform: TestPlatform, minutes: number) {
  await world.advance(minutes * MINUTE);
  await world.worker.runScheduled(world.clock.now());
  await drain(platform);
}

const endpoint = async (platform: TestPlatform) =>
  (await hookOf(platform).get()).body as {
    redeliver_hours: number;
    failing_since?: string;
    next_redelivery_at?: string;
  };
const log = async (platform: TestPlatform, query = '') =>
  (await hookOf(platform).logs(query)).body as LogPage & {
    deliveries: { id: string; status: string; redelivery_of?: string }[];
    stats: { total_sent: number; last_30_days: { success: number; failed: number } };
  };
const made = async ({ id }: TestPlatform) =>
  (
    await world.neon.query(
      'select event_id from deliveries where platform_id = $1 and replay_of is null order by created_at',
      [id],
    )
  ).map(({ event_id }) => event_id);
const minutesTo = (later = '', earlier = '') => Math.round((Date.parse(later) - Date.parse(earlier)) / MINUTE);
const up = (platform: TestPlatform) => answerWith(platform, { status: 200 });
const down = (platform: TestPlatform) => answerWith(platform, { status: 503 });
/** Lists the events that the receiver took, in order, once for each time. */
const taken = async (platform: TestPlatform, since: number) => arrivedEvents(platform).slice(since);

describe('failed deliveries', () => {
  test('a receiver that is down for an hour gets everything by itself, in order, once', async () => {
    const platform = await freshPlatform();
    down(platform);
    for (let event = 0; event < 4; event += 1) await emitOne(platform);
    await drain(platform);
    const { failing_since, next_redelivery_at } = await endpoint(platform);
    expect(minutesTo(next_redelivery_at, failing_since)).toBe(5);
    expect((await log(platform)).deliveries.at(-1)).toMatchObject({ timestamp: failing_since });
    await pass(platform, 5);
    expect(minutesTo((await endpoint(platform)).next_redelivery_at, failing_since)).toBe(30);
    await pass(platform, 25);
    expect(minutesTo((await endpoint(platform)).next_redelivery_at, failing_since)).toBe(120);
    await pass(platform, 30);
    up(platform);
    const tried = arrivedEvents(platform).length;
    await pass(platform, 61);
    expect(await taken(platform, tried)).toEqual(await made(platform));
    expect(await endpoint(platform)).not.toHaveProperty('failing_since');
    expect(await endpoint(platform)).not.toHaveProperty('next_redelivery_at');
    const { deliveries, stats } = await log(platform);
    expect(deliveries.filter(({ status }) => status === 'success')).toHaveLength(4);
    expect(deliveries.filter(({ redelivery_of }) => redelivery_of !== undefined)).toHaveLength(6);
    expect(stats).toMatchObject({ total_sent: 4, last_30_days: { success: 4, failed: 0 } });
    await pass(platform, 30);
    expect(arrivedEvents(platform)).toHaveLength(tried + 4);
  });

  test('only the oldest is tried while the endpoint fails, and the next event that arrives brings the others', async () => {
    const platform = await freshPlatform();
    down(platform);
    await emitMany(platform, 3);
    const before = arrivedEvents(platform).length;
    await pass(platform, 6);
    const [oldest] = await made(platform);
    expect(new Set(await taken(platform, before))).toEqual(new Set([oldest]));
    up(platform);
    const tried = arrivedEvents(platform).length;
    await emitMany(platform, 1);
    const events = await made(platform);
    expect(await taken(platform, tried)).toEqual([events[3], ...events.slice(0, 3)]);
  });

  test('with redeliver_hours 0 nothing comes by itself, and the setting is checked', async () => {
    const platform = await freshPlatform();
    for (const redeliver_hours of [-1, 73, 1.5, '24'])
      expect(await hookOf(platform).put({ redeliver_hours })).toMatchObject({
        status: 400,
        body: expect.objectContaining({ field: 'redeliver_hours' }),
      });
    expect(await endpoint(platform)).toMatchObject({ redeliver_hours: 24 });
    expect(await hookOf(platform).put({ redeliver_hours: 0 })).toMatchObject({ body: { redeliver_hours: 0 } });
    down(platform);
    await emitMany(platform, 1);
    const tried = arrivedEvents(platform).length;
    expect(await endpoint(platform)).not.toHaveProperty('next_redelivery_at');
    await pass(platform, 60);
    expect(arrivedEvents(platform)).toHaveLength(tried);
    await hookOf(platform).put({ redeliver_hours: 1 });
    up(platform);
    await pass(platform, 1);
    expect(arrivedEvents(platform)).toHaveLength(tried + 1);
  });

  test('a new URL is tried at once, and gets all', async () => {
    const platform = await freshPlatform();
    down(platform);
    await emitMany(platform, 2);
    const webhookUrl = `${platform.webhookUrl}-moved`;
    await hookOf(platform).put({ url: webhookUrl });
    await pass(platform, 1);
    expect(arrivedEvents({ ...platform, webhookUrl })).toEqual(await made(platform));
  });

  test('an owner who replays at the same time, and two ticks, send each event once', async () => {
    const platform = await freshPlatform();
    down(platform);
    await emitMany(platform, 3);
    up(platform);
    const tried = arrivedEvents(platform).length;
    await world.advance(6 * MINUTE);
    const now = world.clock.now();
    const since = new Date(now - 60 * MINUTE).toISOString();
    await Promise.all([
      world.worker.runScheduled(now),
      hookOf(platform).replaySince({ since, status: 'failed' }),
      world.worker.runScheduled(now),
    ]);
    await drain(platform);
    await pass(platform, 6);
    expect((await taken(platform, tried)).toSorted()).toEqual((await made(platform)).toSorted());
  });

  test('an event that fails while others arrive rests, and does not hold them up', async () => {
    const platform = await freshPlatform();
    down(platform);
    await emitMany(platform, 2);
    const tried = arrivedEvents(platform).length;
    up(platform);
    answerWith(platform, { status: 200, times: 1 });
    answerWith(platform, { status: 422, times: 3 });
    await emitMany(platform, 1);
    await emitMany(platform, 1);
    const [poison, second, third, fourth] = await made(platform);
    expect(await taken(platform, tried)).toEqual([third, poison, poison, poison, fourth, second]);
    await pass(platform, 10);
    expect(arrivedEvents(platform)).toHaveLength(tried + 6);
    await pass(platform, 50);
    expect((await taken(platform, tried)).slice(6)).toEqual([poison]);
  });

  test('an event is not passed over because another that ended later was recorded first', async () => {
    const platform = await freshPlatform();
    down(platform);
    await emitMany(platform, 1);
    await world.neon.query(
      "update webhook_endpoints set redeliver_from = redeliver_from + interval '1 second' where platform_id = $1",
      [platform.id],
    );
    up(platform);
    const tried = arrivedEvents(platform).length;
    await pass(platform, 6);
    expect(await taken(platform, tried)).toEqual(await made(platform));
  });

  test('a platform with very many failed events has one under way, and the tick goes on', async () => {
    const platform = await freshPlatform();
    down(platform);
    await emitMany(platform, 1);
    await copyFailed(platform, 5_000);
    await world.advance(6 * MINUTE);
    await world.worker.runScheduled(world.clock.now());
    const pending = await world.neon.query(
      "select count(*)::int as count from deliveries where platform_id = $1 and status = 'pending'",
      [platform.id],
    );
    expect(pending).toEqual([{ count: 1 }]);
    await world.neon.query('delete from deliveries where platform_id = $1', [platform.id]);
  });
});
