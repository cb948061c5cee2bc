import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import {
  accepted,
  allSignedBy,
  answerWith,
  arrived,
  arrivedEvents,
  askedFor,
  copyFailed,
  drain,
  emitMany,
  emitOne,
  hookOf,
  type LogPage,
  tick,
} from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const NO_TIME = '`since` must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00';
const refused = (error: string, message: string) => ({ status: 409, body: wholeError({ error, message }) });
const isoNow = () => new Date(world.clock.now()).toISOString();

async function newestOf(platform: TestPlatform) {
  const [record] = ((await hookOf(platform).logs('?limit=1')).body as LogPage).deliveries;
  if (record === undefined) throw new Error('the log is empty');
  return record;
}

describe('POST /v1/platform/webhook/logs/{id}/replay', () => {
  test('sends the same event and bytes as a new delivery, freshly signed', async () => {
    const platform = await freshPlatform();
    await emitMany(platform, 1);
    const { id } = await newestOf(platform);
    const answer = await hookOf(platform).replay(id);
    expect(answer).toMatchObject({ status: 202 });
    const { delivery_id } = answer.body as { delivery_id: string };
    await drain(platform);
    const [first, second] = arrived(platform);
    expect(answer.body).toEqual({
      success: true,
      delivery_id: expect.stringMatching(/^wh_del_/),
      replay_of: id,
      event_id: JSON.parse(first?.body_text ?? '').id,
      message: 'Tandem is sending the event again in a new delivery.',
    });
    expect(second?.body_text).toBe(first?.body_text);
    expect(second?.headers['x-service-delivery']).toBe(delivery_id);
    expect(allSignedBy(platform, platform.webhook_secret ?? '')).toBe(true);
    expect((await hookOf(platform).log(delivery_id)).body).toMatchObject({ replay_of: id, status: 'success' });
  });

  test('goes to where the endpoint is now, with attempts of its own', async () => {
    const platform = await freshPlatform();
    answerWith(platform, { status: 500 });
    await emitMany(platform, 1);
    const { id } = await newestOf(platform);
    const url = `${platform.webhookUrl}-moved`;
    await hookOf(platform).put({ url });
    await hookOf(platform).replay(id);
    await drain(platform);
    expect(arrived({ ...platform, webhookUrl: url })).toHaveLength(1);
    expect(await newestOf(platform)).toMatchObject({ status: 'success', attempts: 1, url });
  });

  test('is refused while the delivery is pending and while the endpoint is off', async () => {
    const platform = await freshPlatform();
    await emitOne(platform);
    const [row] = await world.neon.query('select id from deliveries where platform_id = $1', [platform.id]);
    const id = String(row?.id);
    const inProgress =
      'This webhook delivery is still in progress. Replay the delivery once GET /v1/platform/webhook/logs/{id} shows that the delivery succeeded or failed.';
    expect(await hookOf(platform).replay(id)).toMatchObject(refused('Delivery in progress', inProgress));
    await drain(platform);
    await hookOf(platform).put({ enabled: false });
    const disabled = refused(
      'Webhook disabled',
      'The webhook is disabled. To enable the webhook, send `"enabled": true` with PUT /v1/platform/webhook.',
    );
    expect(await hookOf(platform).replay(id)).toMatchObject(disabled);
    expect(await hookOf(platform).replaySince({ since: isoNow() })).toMatchObject(disabled);
    expect(arrived(platform)).toHaveLength(1);
  });
});

describe('POST /v1/platform/webhook/replay', () => {
  test('without status sends every event since then once, however often it was delivered', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    await emitMany(platform, 1);
    const [before] = arrivedEvents(platform);
    await world.advance(1_000);
    const since = isoNow();
    await emitMany(platform, 3);
    await hook.test();
    expect(await hook.replaySince({ since })).toMatchObject(accepted(3));
    await drain(platform);
    expect(await hook.replaySince({ since })).toMatchObject(accepted(3));
    await drain(platform);
    const events = arrivedEvents(platform).filter((id) => !id.startsWith('wh_test_'));
    expect(events.filter((id) => id === before)).toHaveLength(1);
    for (const id of new Set(events.slice(1))) expect(events.filter((other) => other === id)).toHaveLength(3);
    expect(events).toHaveLength(10);
  });

  test('with status failed sends what failed and has not succeeded since', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    const since = isoNow();
    await emitMany(platform, 2);
    await hook.put({ max_retries: 1, redeliver_hours: 0 });
    answerWith(platform, { status: 500 });
    await emitMany(platform, 3);
    answerWith(platform, { status: 200 });
    await hook.replay((await newestOf(platform)).id);
    await drain(platform);
    expect(await hook.replaySince({ since, status: 'failed' })).toMatchObject(accepted(2));
    await drain(platform);
    expect((await hook.logs()).body).toMatchObject({
      // Those that failed have arrived, so none counts as failed.
      stats: { total_sent: 5, success_rate: 1, last_30_days: { success: 5, failed: 0 } },
    });
    expect(await hook.replaySince({ since, status: 'failed' })).toMatchObject(accepted(0));
    expect(await hook.replaySince({ since, status: 'success' })).toMatchObject(accepted(5));
    await drain(platform);
  });

  test('five calls at once send each event once', async () => {
    const platform = await freshPlatform();
    const since = isoNow();
    await emitMany(platform, 1);
    await copyFailed(platform, 200);
    const calls = Array.from({ length: 5 }, () => hookOf(platform).replaySince({ since }));
    const replayed = (await Promise.all(calls)).map(({ body }) => (body as { replayed: number }).replayed);
    expect(replayed.sort()).toEqual([0, 0, 0, 0, 201]);
    await drain(platform);
    expect(arrived(platform)).toHaveLength(202);
  });

  test.each([
    [{}, 'since', '`since` is required. Send it with the request.'],
    [{ since: '2026-01-01T00:00:00' }, 'since', `${NO_TIME}.`],
    [{ since: '9999-12-31T23:59:59-23:59' }, 'since', '`since` must be a time in the years 1970 to 9998.'],
    [{ since: '2026-01-01T00:00:00Z', status: 'pending' }, 'status', '`status` must be success or failed.'],
  ])('%j is 400', async (body, field, message) => {
    const answer = await hookOf(await freshPlatform()).replaySince(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(wholeError({ error: 'Invalid request', message, field }));
  });
});

describe('the tick of each minute', () => {
  test('forgets deliveries and attempts of 30 days ago, and still counts them', async () => {
    const platform = await freshPlatform();
    await emitMany(platform, 2);
    await world.neon.query(
      `update deliveries set created_at = created_at - interval '29 days 23 hours 59 minutes 30 seconds' where platform_id = $1`,
      [platform.id],
    );
    await emitMany(platform, 1);
    await tick();
    const { body } = await hookOf(platform).logs();
    expect((body as LogPage).deliveries).toHaveLength(1);
    expect(body).toMatchObject({ stats: { total_sent: 3 } });
    const left = await world.neon.query(
      'select count(*)::int as left from delivery_attempts a join deliveries d on d.id = a.delivery_id where platform_id = $1',
      [platform.id],
    );
    expect(left).toEqual([{ left: 1 }]);
  });

  test('forgets an event 30 days after it was first sent, however often it was sent again', async () => {
    const platform = await freshPlatform();
    await emitMany(platform, 1);
    const age = "interval '29 days 23 hours 59 minutes 30 seconds'";
    await world.neon.query(
      `update deliveries set created_at = created_at - ${age}, event_at = event_at - ${age} where platform_id = $1`,
      [platform.id],
    );
    for (let times = 0; times < 2; times += 1) {
      expect((await hookOf(platform).replaySince({ since: '2026-01-01T00:00:00Z' })).status).toBe(202);
      await drain(platform);
    }
    await world.advance(60_000);
    await tick();
    expect(((await hookOf(platform).logs()).body as LogPage).deliveries).toEqual([]);
  });

  test('asks for all that is due, every platform’s before the bulk of one platform’s', async () => {
    const [flooded, other] = [await freshPlatform(), await freshPlatform()];
    await emitMany(flooded, 1);
    world.qstash.setKnobs({ loseNext: 1 });
    await emitOne(other);
    await expect.poll(() => world.qstash.pending().length).toBe(0);
    await world.neon.query(
      `insert into deliveries (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, created_at)
       select id || n, event_id || n, platform_id, event_type, body, url, 'pending', 3,
         created_at - interval '1 hour', created_at
       from deliveries, generate_series(1, 1100) n where platform_id = $1`,
      [flooded.id],
    );
    await hookOf(flooded).put({ enabled: false });
    world.qstash.setKnobs({ loseNext: 0 });
    await tick();
    const asked = askedFor().map(({ body }) => Buffer.from(body).toString());
    expect(asked).toHaveLength(1_101);
    const [waiting] = await world.neon.query('select id from deliveries where platform_id = $1', [other.id]);
    const places = asked.flatMap((body, place) => (body.includes(`"${waiting?.id}"`) ? [place] : []));
    expect(places).toEqual([expect.toSatisfy((place) => place < 100)]);
    world.qstash.forget();
    await world.neon.query('delete from deliveries where platform_id = $1', [flooded.id]);
  });
});

const since = () => new Date(world.clock.now() - 3_600_000).toISOString();

async function replayAll(platform: TestPlatform): Promise<unknown> {
  const { body } = await hookOf(platform).replaySince({ since: since() });
  await drain(platform);
  return (body as { replayed: number }).replayed;
}

/** Creates a platform whose only event has arrived, and returns it with the id of that delivery. */
async function platformWithOne() {
  const platform = await freshPlatform();
  await emitOne(platform);
  await drain(platform);
  return { platform, first: (await newestOf(platform)).id };
}

test('an event whose delivery was replayed ten times at once is sent again once', async () => {
  const { platform, first } = await platformWithOne();
  const answers = await Promise.all(Array.from({ length: 10 }, () => hookOf(platform).replay(first)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  await drain(platform);
  expect(await replayAll(platform)).toBe(1);
  expect(arrived(platform)).toHaveLength(12);
});

test('the newest delivery counts, also when it replays another than the one before it', async () => {
  const { platform, first } = await platformWithOne();
  expect(await replayAll(platform)).toBe(1);
  await hookOf(platform).put({ max_retries: 1 });
  answerWith(platform, { status: 500 });
  await hookOf(platform).replay(first);
  await drain(platform);
  const replayed = async (status: string) =>
    (await hookOf(platform).replaySince({ since: since(), status })).body as { replayed: number };
  expect(await replayed('success')).toMatchObject({ replayed: 0 });
  expect(await replayed('failed')).toMatchObject({ replayed: 1 });
  await drain(platform);
  expect(arrived(platform)).toHaveLength(4);
});

test('an event is left alone while its newest delivery is pending, though earlier ones have ended', async () => {
  const { platform, first } = await platformWithOne();
  await hookOf(platform).replay(first);
  const { body } = await hookOf(platform).replaySince({ since: since() });
  expect(body).toMatchObject({ replayed: 0, has_more: false });
  await drain(platform);
});

test('a test event that was replayed is not sent again with the others', async () => {
  const platform = await freshPlatform();
  await hookOf(platform).test();
  expect(await hookOf(platform).replay((await newestOf(platform)).id)).toMatchObject({ status: 202 });
  await drain(platform);
  expect(await replayAll(platform)).toBe(0);
  expect(arrived(platform)).toHaveLength(2);
});

const MINUTE = 60_000;

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
