import { expect, test } from 'vitest';
import { DEFAULT_EVENTS } from '../../../schema/api/webhook-events/names.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked, inHours, iso } from '../../support/people/meetings.ts';
import { post } from '../../support/people/rescheduling.ts';
import { arrived, drain, emitOne, hookOf, type LogPage } from '../../support/people/webhooks.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

test('only what the platform subscribed to is delivered', async () => {
  const platform = await freshPlatform();
  await hookOf(platform).put({ events: ['meeting.scheduled'] });
  await emitOne(platform);
  await hookOf(platform).put({ events: ['user.calendar_connected'] });
  await emitOne(platform);
  await drain(platform);
  expect(arrived(platform)).toHaveLength(1);
});

test('no event goes where the list of them is empty, and all go where none was ever set', async () => {
  const [none, all] = [await freshPlatform(), await freshPlatform()];
  await hookOf(none).put({ events: [] });
  for (const platform of [none, all]) {
    await emitOne(platform);
    await drain(platform);
  }
  expect([arrived(none).length, arrived(all).length]).toEqual([0, 1]);
  expect((await hookOf(all).get()).body).toMatchObject({ events: DEFAULT_EVENTS });
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
