import createClient from 'openapi-fetch';
import type { paths } from '../made/schema.ts';

declare const process: { env: Record<string, string> };

const { BASE_URL: baseUrl = '', KEY = '', ATTENDEES = '' } = process.env;
const [requester = '', other = ''] = ATTENDEES.split(',');
const attendees: [string, string] = [requester, other];
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${KEY}` } });

function whole<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const { slots } = whole(await api.POST('/v1/availability', { body: { attendees } }));
const start_time = slots[0]?.start_time ?? '';
const body = { attendees, start_time, duration_minutes: 30, title: 'Intro', require_free: true };
const params = { header: { 'Idempotency-Key': 'play-fetch' } };
const { meeting_id } = whole(await api.POST('/v1/schedule', { params, body }));
const again = whole(await api.POST('/v1/schedule', { params, body }));
if (again.meeting_id !== meeting_id) throw new Error('a retry booked twice');
const refused = await api.POST('/v1/schedule', { body: { ...body, title: '' } });
if (refused.error === undefined) throw new Error('an empty title was taken');
const path = { meeting_id };
const reason = 'That is too early for me';
const moved = whole(
  await api.POST('/v1/meetings/{meeting_id}/reschedule', {
    params: { path },
    body: { requested_by: requester, reason },
  }),
);
if (!('new_meeting_id' in moved)) throw new Error('the meeting was not moved');
const meeting = whole(
  await api.GET('/v1/meetings/{meeting_id}', { params: { path: { meeting_id: moved.new_meeting_id } } }),
);
const cancelled = whole(
  await api.DELETE('/v1/meetings/{meeting_id}', { params: { path: { meeting_id: meeting.meeting_id } } }),
);
console.log('openapi-fetch', slots.length, 'slots;', meeting.status, 'then', cancelled.status);
