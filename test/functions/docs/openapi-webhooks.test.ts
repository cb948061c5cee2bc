import { describe, expect, test } from 'vitest';
import { toSample } from '../../../lib/webhooks/samples.ts';
import { EVENT_TYPES, eventData, eventEnvelope } from '../../../schema/api/webhook-events/schemas.ts';
import { compileClosed, type Json, readDocument } from '../../support/checks/openapi.ts';
import { webhooksOf } from '../../support/people/factories.ts';
import { bookable, hoursLater, pass } from '../../support/people/meetings.ts';
import { hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const document = readDocument();
const webhooks = Object.entries(document.webhooks);
const contentOf = (type: string) => document.webhooks[type]?.post.requestBody?.content?.['application/json'];

describe('the webhooks of the document', () => {
  test('there is one for each type of event, and the test', () => {
    expect(webhooks.map(([type]) => type)).toEqual([...EVENT_TYPES, 'webhook.test']);
  });

  test.each(EVENT_TYPES)('%s has an example with exactly the required fields, which both schemas take', (type) => {
    const { schema = {}, example } = contentOf(type) ?? {};
    const { required, properties } = (schema.properties as { data: Json }).data;
    const data = toSample(type, Date.UTC(2030, 0, 10, 9), 'plat_sample');
    expect(required).toEqual(Object.keys(data));
    expect(Object.keys(properties as Json)).toEqual(Object.keys(eventData[type].shape));
    expect(example).toMatchObject({ event_type: type, data });
    expect(compileClosed(schema).parse(example)).toEqual(example);
    expect(eventEnvelope.strict().extend({ data: eventData[type].strict() }).parse(example)).toEqual(example);
  });

  test.each(webhooks)('%s describes the headers of a delivery', (type, { post }) => {
    expect(post.parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['X-Service-Signature', true],
      ['X-Service-Timestamp', true],
      ['X-Service-Event', true],
      ['X-Service-Delivery', true],
      ['X-Service-Signature-Previous', false],
      ['Webhook-Id', true],
      ['Webhook-Timestamp', true],
      ['Webhook-Signature', true],
    ]);
    expect(post.parameters?.[2]?.schema).toEqual({ type: 'string', const: type });
  });
});

test('a delivered webhook matches the document, including its headers', async () => {
  const { platform, ada, body, start } = await bookable({ plan: 'developer' });
  const month = new Date(world.clock.now()).toISOString().slice(0, 7);
  await world.neon.query('insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, 19, 19, 25)', [
    platform.id,
    month,
  ]);
  const booked = (await platform.api.schedule(body)).body as { meeting_id: string };
  const path = `/v1/meetings/${booked.meeting_id}`;
  const [start_time, end_time] = [hoursLater(start, 3), hoursLater(start, 4)];
  await platform.api.send('PUT', path, { start_time, end_time });
  await platform.api.send('DELETE', path);
  await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
  await pass(70);
  await hookOf(platform).rotate();
  await hookOf(platform).test();
  await platform.api.disconnect(ada.email);
  await pass(70);

  const arrived = await webhooksOf(platform);
  for (const { body: event, headers } of arrived) {
    expect(compileClosed(contentOf(event.event_type)?.schema ?? {}).parse(event)).toEqual(event);
    const parameters = document.webhooks[event.event_type]?.post.parameters ?? [];
    for (const { name, required, schema } of parameters) {
      const value = new Headers(headers).get(name) ?? undefined;
      expect(required ? value : (value ?? 'none')).toBeDefined();
      if (value !== undefined) expect(compileClosed(schema).parse(value)).toBe(value);
    }
  }
  expect([...new Set(arrived.map(({ body: event }) => event.event_type))].toSorted()).toEqual([
    'meeting.cancelled',
    'meeting.scheduled',
    'meeting.scheduling.completed',
    'meeting.updated',
    'platform.usage_warning',
    'user.calendar.connected',
    'user.calendar.disconnected',
    'webhook.test',
  ]);
  expect(arrived.some(({ headers }) => new Headers(headers).has('x-service-signature-previous'))).toBe(true);
});
