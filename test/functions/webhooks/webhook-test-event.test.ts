import { describe, expect, test } from 'vitest';
import { eventData, eventEnvelope, isEventType } from '../../../schema/api/webhook-events/schemas.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { allSignedBy, answerWith, arrived, drain, hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

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
    ['[]', 400],
    ['{', 400],
  ])('%j is %i and sends nothing', async (body, status) => {
    const platform = await freshPlatform();
    expect((await hookOf(platform).test(body)).status).toBe(status);
    expect(arrived(platform)).toEqual([]);
  });
});
