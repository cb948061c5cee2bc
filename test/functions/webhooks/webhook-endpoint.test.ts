import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DEFAULT_EVENTS, eventData, eventEnvelope, isEventType } from '../../../schema/api/webhook-events.ts';
import { isSignedBy } from '../../local/inbox.ts';
import { flatRefusal } from '../../support/checks/errors.ts';
import { post } from '../../support/people/changing.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked, inHours, iso, seen } from '../../support/people/meetings.ts';
import {
  allSignedBy,
  answerWith,
  arrived,
  drain,
  emitOne,
  hookOf,
  type LogPage,
} from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DEFAULTS = { enabled: true, events: DEFAULT_EVENTS, max_retries: 3, timeout_seconds: 30, redeliver_hours: 24 };
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

async function withoutWebhook() {
  const keys = await world.platforms.create({ name: 'Quiet', plan: 'pro' });
  await world.neon.query('delete from webhook_endpoints where platform_id = $1', [keys.id]);
  return { ...keys, webhookUrl: '', api: createClient(world.baseUrl, keys.secret_key) };
}

describe('PUT /v1/platform/webhook', () => {
  test('the first URL gets the defaults and a secret, shown once', async () => {
    const hook = hookOf(await withoutWebhook());
    const url = 'https://hooks.acme.test/in';
    const made = await hook.put({ url });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      success: true,
      url,
      ...DEFAULTS,
      secret: SECRET,
      message: 'The webhook is configured. Store the secret now, because it is not shown again.',
    });
    expect((await hook.get()).body).toEqual({ url, ...DEFAULTS });
    const again = await hook.put({ url, max_retries: 2 });
    expect(again.body).toEqual({
      success: true,
      url,
      ...DEFAULTS,
      max_retries: 2,
      message: 'The webhook is configured. Its secret is unchanged.',
    });
  });

  test('what is left out keeps its value, aliases are stored dotted and once', async () => {
    const hook = hookOf(await freshPlatform());
    const events = ['meeting.rescheduled', 'meeting.updated', 'user.calendar_connected', 'meeting.cancelled'];
    await hook.put({ events, timeout_seconds: 5 });
    await hook.put({ enabled: false, max_retries: 1 });
    expect((await hook.get()).body).toEqual({
      url: expect.any(String),
      enabled: false,
      events: ['meeting.updated', 'meeting.rescheduled', 'user.calendar.connected', 'meeting.cancelled'],
      max_retries: 1,
      timeout_seconds: 5,
      redeliver_hours: 24,
    });
    await hook.put({ events: [] });
    expect((await hook.get()).body).toMatchObject({ events: [], enabled: false });
  });

  test('a changed URL gets a new secret, and the former signs beside it for 24 hours', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    const url = `${platform.webhookUrl}-moved`;
    const moved = (await hook.put({ url })).body as { secret: string };
    expect(moved.secret).toEqual(SECRET);
    expect(moved.secret).not.toBe(platform.webhook_secret);
    expect((await hook.get()).body).toMatchObject({ url, previous_secret_valid_until: expect.any(String) });
    await emitOne(platform);
    await drain(platform);
    const [delivery] = arrived({ ...platform, webhookUrl: url });
    expect(delivery && isSignedBy(moved.secret, delivery)).toBe(true);
    expect(delivery?.headers['x-service-signature-previous']).toMatch(/^[0-9a-f]{64}$/);
    expect(arrived(platform)).toEqual([]);
  });

  test.each([
    ['no url where there is none', {}, 'url', '`url` is required. Send it with the request.'],
    ['url null, where there is none', { url: null }, 'url', '`url` is required. Send it with the request.'],
    ['empty url', { url: ' ' }, 'url', '`url` must not be empty.'],
    ['long url', { url: `https://a.test/${'x'.repeat(2_048)}` }, 'url', '`url` must have at most 2048 characters.'],
    ['plain http', { url: 'http://a.test/' }, 'url', 'The webhook URL must begin with https://.'],
    ['101 events', { events: Array(101).fill('meeting.updated') }, 'events', '`events` must have at most 100 entries.'],
    ['no retries', { max_retries: 0 }, 'max_retries', '`max_retries` must be a whole number from 1 to 3.'],
    ['four retries', { max_retries: 4 }, 'max_retries', '`max_retries` must be a whole number from 1 to 3.'],
    ['no time', { timeout_seconds: 0 }, 'timeout_seconds', '`timeout_seconds` must be a whole number from 1 to 30.'],
    ['31 s', { timeout_seconds: 31 }, 'timeout_seconds', '`timeout_seconds` must be a whole number from 1 to 30.'],
    ['1e400 s', '{"timeout_seconds":1e400}', 'timeout_seconds', expect.stringMatching(/^`timeout_seconds` /)],
  ])('%s is 400 and changes nothing', async (_name, body, field, message) => {
    const hook = hookOf(await withoutWebhook());
    const answer = await hook.put(body);
    expect(seen(answer)).toEqual(flatRefusal(400, 'Invalid request', { message, field }));
    expect((await hook.get()).status).toBe(404);
  });

  test('an event that is none is 400 and names its place', async () => {
    const answer = await hookOf(await freshPlatform()).put({ events: ['meeting.updated', 'meeting.exploded'] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      field: 'events.1',
      message: expect.stringMatching(/^`events\.1` must be one of /),
    });
  });
});

test.each(['get', 'rotate', 'test'] as const)('%s without an endpoint is 404', async (operation) => {
  const answer = await hookOf(await withoutWebhook())[operation]();
  expect(seen(answer)).toEqual(
    flatRefusal(404, 'Webhook not configured', {
      message: 'This platform has no webhook URL. Set a URL with PUT /v1/platform/webhook.',
    }),
  );
});

describe('POST /v1/platform/webhook/rotate-secret', () => {
  test('overtaken by another one it is refused and shows no secret', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    const statement = { target: 'neon', match: 'POST /', body_match: 'update \\\\"webhook_endpoints' } as const;
    const held = hold({ ...statement, times: 1 });
    const overtaken = hook.rotate();
    await met(held);
    const winner = await hook.rotate();
    held.release();
    expect([winner.status, winner.body]).toEqual([
      200,
      {
        success: true,
        secret: SECRET,
        previous_secret_valid_until: expect.any(String),
        message: 'Store the secret now, because it is not shown again. The previous secret stays valid for 24 hours.',
      },
    ]);
    expect(await overtaken).toMatchObject(
      flatRefusal(409, 'Secret rotated meanwhile', {
        message:
          'Another request rotated the webhook secret at the same time. Use the secret that the other request returned, or rotate the secret again.',
      }),
    );
    await hook.test();
    expect(allSignedBy(platform, (winner.body as { secret: string }).secret)).toBe(true);
  });

  test('several times within 24 hours keeps every secret valid, for each receiver its own', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    await hook.put({ max_retries: 1, redeliver_hours: 0 });
    const secrets = [platform.webhook_secret ?? ''];
    for (let rotated = 0; rotated < 6; rotated += 1) {
      secrets.unshift(((await hook.rotate()).body as { secret: string }).secret);
      await world.advance(3_600_000);
    }
    const digestsOf = ({ headers, body_text }: ReturnType<typeof arrived>[number]) =>
      secrets.map((secret) =>
        createHmac('sha256', secret).update(`${headers['x-service-timestamp']}:${body_text}`).digest('hex'),
      );
    for (const [age, secret] of secrets.entries()) {
      const before = arrived(platform).length;
      answerWith(platform, { secret });
      await emitOne(platform);
      await drain(platform);
      const [record] = ((await hook.logs('?limit=1')).body as LogPage).deliveries;
      const attempts = arrived(platform).slice(before);
      // The sixth former secret is dropped: five former secrets sign beside the current one.
      expect([record?.status, attempts.length]).toEqual(age < 6 ? ['success', age + 1] : ['failed', 6]);
      for (const [tried, attempt] of attempts.entries()) {
        const digests = digestsOf(attempt);
        expect(attempt.headers['x-service-signature']).toBe(digests[tried]);
        expect(attempt.headers['x-service-signature-previous']).toBe(digests.slice(1, 6).join(','));
      }
    }
    await world.advance(20 * 3_600_000 + 1);
    const before = arrived(platform).length;
    answerWith(platform, { secret: secrets[2] ?? '' });
    await emitOne(platform);
    await drain(platform);
    expect(arrived(platform).slice(before)).toHaveLength(3);
    expect((await hook.get()).body).toMatchObject({ previous_secret_valid_until: expect.any(String) });
  });

  test('after 24 hours a receiver that knows only the old secret gets what the new one signed', async () => {
    const platform = await freshPlatform();
    const hook = hookOf(platform);
    await hook.put({ max_retries: 1 });
    await hook.rotate();
    answerWith(platform, { secret: platform.webhook_secret ?? '' });
    await world.advance(24 * 3_600_000 + 1);
    await emitOne(platform);
    await drain(platform);
    const failed = { status: 'failed', response_code: 401, error: 'answered 401', attempts: 1 };
    expect((await hook.logs()).body).toMatchObject({ deliveries: [failed] });
    expect(arrived(platform)).toHaveLength(1);
    expect(arrived(platform)[0]?.headers).not.toHaveProperty('x-service-signature-previous');
    expect((await hook.get()).body).not.toHaveProperty('previous_secret_valid_until');
  });
});

test.each([
  ['those of a list without it', ['meeting.scheduled'], 0],
  ['those of a list with its former name', ['user.calendar_connected'], 1],
  ['those of an empty list', [], 0],
  ['all, where no list was ever set', undefined, 1],
])('of the events of a platform are delivered %s', async (_what, events, times) => {
  const platform = await freshPlatform();
  if (events !== undefined) await hookOf(platform).put({ events });
  await emitOne(platform);
  await drain(platform);
  expect(arrived(platform)).toHaveLength(times);
});

test('meeting.rescheduled subscribes to updates and to meetings that replace others, not to other new meetings', async () => {
  const { platform, ...meeting } = await booked();
  await hookOf(platform).put({ events: ['meeting.rescheduled'] });
  const moved = await post({ platform, ...meeting });
  const { new_meeting_id: id } = moved.body as { new_meeting_id: string };
  const [start, end] = [inHours(50), inHours(51)];
  await platform.api.send('PUT', `/v1/meetings/${id}`, { start_time: iso(start), end_time: iso(end) });
  const another = { attendees: [meeting.ada.email, meeting.bob.email], title: 'Tea', duration_minutes: 30 };
  expect((await platform.api.schedule({ ...another, start_time: iso(inHours(80)) })).status).toBe(200);
  await drain(platform);
  const told = arrived(platform)
    .map(({ body_text }) => JSON.parse(body_text))
    .filter(({ data }) => data.meeting_id && data.meeting_id !== meeting.id)
    .sort((one, other) => one.event_type.localeCompare(other.event_type));
  expect(told).toMatchObject([
    { event_type: 'meeting.scheduled', data: { meeting_id: id, rescheduled_from: meeting.id } },
    { event_type: 'meeting.updated', data: { meeting_id: id } },
  ]);
  const { deliveries } = (await hookOf(platform).logs('?event=meeting.rescheduled')).body as LogPage;
  expect(deliveries.map(({ event }) => event)).toEqual(['meeting.updated', 'meeting.scheduled']);
});

describe('POST /v1/platform/webhook/test', () => {
  test('sends one signed webhook.test and answers with its record', async () => {
    const platform = await freshPlatform();
    const answer = await hookOf(platform).test();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^wh_del_/),
      event: 'webhook.test',
      timestamp: expect.any(String),
      status: 'success',
      response_code: 200,
      attempts: 1,
      duration_ms: expect.any(Number),
      url: platform.webhookUrl,
    });
    const [sent] = arrived(platform);
    expect(eventEnvelope.parse(JSON.parse(sent?.body_text ?? ''))).toMatchObject({
      id: expect.stringMatching(/^wh_test_/),
      event_type: 'webhook.test',
      platform_id: platform.id,
    });
    expect(allSignedBy(platform, platform.webhook_secret ?? '')).toBe(true);
  });

  test.each(Object.keys(eventData))('sends a sample of %s with exactly its fields', async (type) => {
    const platform = await freshPlatform();
    expect((await hookOf(platform).test({ event_type: type })).body).toMatchObject({ event: type, status: 'success' });
    const { event_type, data } = JSON.parse(arrived(platform)[0]?.body_text ?? '');
    expect(event_type).toBe(type);
    if (isEventType(type)) expect(eventData[type].strict().parse(data)).toEqual(data);
  });

  test('tries once, also while disabled and whatever is subscribed', async () => {
    const platform = await freshPlatform();
    await hookOf(platform).put({ enabled: false, events: ['meeting.cancelled'] });
    answerWith(platform, { status: 500 });
    const { body } = await hookOf(platform).test({ event_type: 'user.calendar_connected' });
    expect(body).toMatchObject({ event: 'user.calendar.connected', status: 'failed', response_code: 500, attempts: 1 });
    await drain(platform);
    expect(arrived(platform)).toHaveLength(1);
  });

  test.each([
    [{ event_type: 'meeting.exploded' }, 400],
    [{ event_type: 7 }, 400],
  ])('%j is %i and sends nothing', async (body, status) => {
    const platform = await freshPlatform();
    expect((await hookOf(platform).test(body)).status).toBe(status);
    expect(arrived(platform)).toEqual([]);
  });
});
