import { client } from '../made/hey/client.gen.ts';
import { cancelMeeting, findAvailability, getMeeting, rescheduleMeeting, scheduleMeeting } from '../made/hey/index.ts';

declare const process: { env: Record<string, string> };

const { BASE_URL: baseUrl = '', KEY = '', ATTENDEES = '' } = process.env;
const [requester = '', other = ''] = ATTENDEES.split(',');
const attendees: [string, string] = [requester, other];
client.setConfig({ baseUrl, auth: () => KEY, throwOnError: true });

const throwOnError = true as const;
const { slots } = (await findAvailability({ throwOnError, body: { attendees } })).data;
const start_time = slots[0]?.start_time ?? '';
const body = { attendees, start_time, duration_minutes: 30, title: 'Intro', require_free: true };
const headers = { 'Idempotency-Key': 'play-hey-api' };
const { meeting_id } = (await scheduleMeeting({ throwOnError, headers, body })).data;
const again = (await scheduleMeeting({ throwOnError, headers, body })).data;
if (again.meeting_id !== meeting_id) throw new Error('a retry booked twice');
const moved = (
  await rescheduleMeeting({
    throwOnError,
    path: { meeting_id },
    body: { requested_by: requester, reason: 'That is too early for me' },
  })
).data;
if (!('new_meeting_id' in moved)) throw new Error('the meeting was not moved');
const meeting = (await getMeeting({ throwOnError, path: { meeting_id: moved.new_meeting_id } })).data;
const cancelled = (await cancelMeeting({ throwOnError, path: { meeting_id: meeting.meeting_id } })).data;
console.log('@hey-api/openapi-ts', slots.length, 'slots;', meeting.status, 'then', cancelled.status);
