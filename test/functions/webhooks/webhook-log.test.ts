import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import {
  answerWith,
  arrived,
  copyFailed,
  drain,
  emitMany,
  emitOne,
  hookOf,
  type LogPage,
  type LogRecord,
} from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const pageOf = async (platform: TestPlatform, query: string) => {
  const answer = await hookOf(platform).logs(query);
  expect(answer.status).toBe(200);
  return answer.body as LogPage;
};

describe('GET /v1/platform/webhook/logs', () => {
  test('shows a success without and a failure with an error, and how all went', async () => {
    const platform = await freshPlatform();
    await emitMany(platform, 3);
    await hookOf(platform).put({ max_retries: 2 });
    answerWith(platform, { status: 503 });
    await emitMany(platform, 1);
    const { deliveries, stats } = await pageOf(platform, '');
    const record = {
      id: expect.stringMatching(/^wh_del_/),
      event: 'user.calendar.connected',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      duration_ms: expect.any(Number),
      url: platform.webhookUrl,
    };
    const success = { ...record, status: 'success', response_code: 200, attempts: 1 };
    expect(deliveries).toEqual([
      { ...record, status: 'failed', response_code: 503, attempts: 2, error: 'answered 503' },
      ...[success, success, success],
    ]);
    expect(stats).toEqual({
      total_sent: 4,
      success_rate: 0.75,
      avg_response_time_ms: expect.any(Number),
      last_30_days: { success: 3, failed: 1 },
    });
  });

  test('a delivery that is still being attempted is in the log as pending, and counts for nothing yet', async () => {
    const platform = await freshPlatform();
    answerWith(platform, { status: 503, times: 1 });
    await emitOne(platform);
    const fresh = { status: 'pending', attempts: 0, response_code: 0, duration_ms: 0 };
    expect(await pageOf(platform, '')).toMatchObject({ deliveries: [fresh], stats: { total_sent: 0 } });
    await world.qstash.deliverDue();
    expect(await pageOf(platform, '?status=pending')).toMatchObject({
      deliveries: [{ status: 'pending', attempts: 1, response_code: 503, error: 'answered 503' }],
      stats: { total_sent: 0 },
    });
    await drain(platform);
    expect((await pageOf(platform, '?status=pending')).deliveries).toEqual([]);
    expect(await pageOf(platform, '')).toMatchObject({
      deliveries: [{ status: 'success', attempts: 2 }],
      stats: { total_sent: 1 },
    });
  });

  test('tests are in the log and not in its figures, replayed ones neither', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    const { id } = (await hook.test()).body as LogRecord;
    answerWith(platform, { status: 500 });
    await hook.test({ event_type: 'meeting.scheduled' });
    await hook.replay(id);
    await drain(platform);
    const { deliveries, stats } = await pageOf(platform, '');
    expect(deliveries.map(({ status }) => status)).toEqual(['failed', 'failed', 'success']);
    expect(stats).toEqual({
      total_sent: 0,
      success_rate: 0,
      avg_response_time_ms: 0,
      last_30_days: { success: 0, failed: 0 },
    });
  });

  test('a page has fifty where no limit is given', async () => {
    const platform = await freshPlatform();
    answerWith(platform, { status: 500 });
    await emitMany(platform, 1);
    await copyFailed(platform, 50);
    const page = await pageOf(platform, '');
    expect([page.deliveries.length, page.pagination.has_more]).toEqual([50, true]);
  });

  test('filters by event, by alias and by status, alone and together', async () => {
    const platform = await freshPlatform();
    await emitMany(platform, 2);
    answerWith(platform, { status: 500 });
    await hookOf(platform).test({ event_type: 'meeting.rescheduled' });
    const count = async (query: string) => (await pageOf(platform, query)).deliveries.length;
    expect(await count('?event=user.calendar_connected')).toBe(2);
    expect(await count('?event=user.calendar.connected&status=failed')).toBe(0);
    expect(await count('?event=meeting.updated')).toBe(1);
    expect(await count('?status=success')).toBe(2);
    expect(await count('?status=failed&event=meeting.updated')).toBe(1);
    expect(await count('?event=webhook.test')).toBe(0);
  });

  test("another platform's deliveries are not there, with its cursor either", async () => {
    const [one, two] = [await freshPlatform(), await freshPlatform()];
    await emitMany(one, 2);
    const { pagination } = await pageOf(one, '?limit=1');
    expect((await pageOf(two, `?cursor=${pagination.next_cursor}`)).deliveries).toEqual([]);
  });

  test.each([
    ['event=meeting.exploded', 'event', expect.stringMatching(/^`event` must be one of /)],
    ['event=constructor', 'event', expect.stringMatching(/^`event` must be one of /)],
    ['status=waiting', 'status', '`status` must be success, failed or pending.'],
  ])('?%s is 400', async (query, field, message) => {
    const answer = await hookOf(await freshPlatform()).logs(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(wholeError({ error: 'Invalid request', message, field }));
  });
});

describe('GET /v1/platform/webhook/logs/{id}', () => {
  test('shows attempt by attempt', async () => {
    const platform = await freshPlatform();
    answerWith(platform, { status: 500, times: 1 });
    answerWith(platform, { status: 302, times: 1, headers: { location: 'https://elsewhere.test/' } });
    await emitMany(platform, 1);
    const [{ id }] = (await pageOf(platform, '')).deliveries as [LogRecord];
    const { body } = await hookOf(platform).log(id);
    const attempt = { started_at: expect.any(String), duration_ms: expect.any(Number) };
    expect(body).toEqual({
      id,
      event: 'user.calendar.connected',
      timestamp: expect.any(String),
      status: 'success',
      response_code: 200,
      attempts: 3,
      duration_ms: expect.any(Number),
      url: platform.webhookUrl,
      event_id: expect.stringMatching(/^wh_/),
      body: arrived(platform)[0]?.body_text,
      attempt_log: [
        { number: 1, ...attempt, response_code: 500, error: 'answered 500' },
        { number: 2, ...attempt, response_code: 302, error: 'answered 302, a redirect, which is not followed' },
        { number: 3, ...attempt, response_code: 200 },
      ],
    });
    const [first, second, third] = (body as { attempt_log: { started_at: string }[] }).attempt_log.map((made) =>
      Date.parse(made.started_at),
    ) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(third - second).toBeGreaterThanOrEqual(10_000);
  });

  test.each(['wh_del_unknown', 'x', '%00', `wh_del_${'x'.repeat(500)}`])('%s is 404', async (id) => {
    const hook = hookOf(await freshPlatform());
    const body = wholeError({
      error: 'Delivery not found',
      message:
        'No webhook delivery in the log has the ID in the request. Deliveries stay in the log for 30 days. GET /v1/platform/webhook/logs lists the deliveries with their IDs.',
    });
    expect(await hook.log(id)).toMatchObject({ status: 404, body });
    expect(await hook.replay(id)).toMatchObject({ status: 404, body });
  });
});
