/** Only `npm run types` checks this file. Each line marked as an error must fail to compile. */
import { Hono } from 'hono';
import type { AppEnv } from '../../functions/http/env.ts';
import { serve, serveOnce } from '../../functions/http/serve.ts';
import { getOauthUrl, getUserAvailability } from '../../schema/api/calendars.ts';
import { cancelMeeting } from '../../schema/api/meetings.ts';
import { getJob } from '../../schema/api/schedule.ts';

const app = new Hono<AppEnv>();
const link = { oauth_url: 'https://a.test', instructions: 'Open it.' };

serve(app, getOauthUrl, async () => link);
serve(app, getOauthUrl, async () => ({ oauth_url: 'https://a.test', instructions: 'Open it.' }));
// @ts-expect-error a field of the contract is missing
serve(app, getOauthUrl, async () => ({ oauth_url: 'https://a.test' }));
// @ts-expect-error a field is of another type
serve(app, getOauthUrl, async () => ({ ...link, instructions: 1 }));
// @ts-expect-error a field is not in the contract
serve(app, getOauthUrl, async () => ({ oauth_url: 'https://a.test', instructions: 'Open it.', expires: 1 }));
const wider = { ...link, expires: 1 };
// @ts-expect-error nor when the value was made elsewhere
serve(app, getOauthUrl, async () => wider);

const found = {
  email: 'ada@people.test',
  timezone: 'UTC',
  duration_minutes: 30,
  search_window: { start: '2030-01-01', end: '2030-01-02', days: 2 },
  intervals: [{ start_time: '2030-01-01T09:00:00Z', end_time: '2030-01-01T10:00:00Z' }],
  calendars: [],
};
serve(app, getUserAvailability, async () => found);
const inList = { ...found, intervals: found.intervals.map((interval) => ({ ...interval, busy: false })) };
// @ts-expect-error not in the contract, in an item of a list
serve(app, getUserAvailability, async () => inList);
const inObject = { ...found, search_window: { ...found.search_window, weeks: 1 } };
// @ts-expect-error not in the contract, in an object within
serve(app, getUserAvailability, async () => inObject);

const job = { job_id: 'sched_1', status: 'failed' as const, created_at: '2030-01-01T09:00:00Z', completed_at: null };
const failure = {
  job_id: 'sched_1',
  success: false as const,
  error_code: 'NO_AVAILABILITY' as const,
  error_message: 'Nothing is free.',
  attendees: [],
  metadata: {},
  suggestions: [],
  processing_time_ms: 1,
};
serve(app, getJob, async () => ({ ...job, result: failure }));
// @ts-expect-error a field of one member of a union is no field of the other
serve(app, getJob, async () => ({ ...job, result: { ...failure, meet_link: null } }));

serveOnce(app, cancelMeeting, { name: 'cancel' }, async ({ params }) => ({
  success: true,
  meeting_id: params.meeting_id,
  status: 'cancelled',
  calendar_event: 'deleted',
}));
// @ts-expect-error another status than the contract's
serveOnce(app, cancelMeeting, { name: 'cancel' }, async ({ params }) => ({
  success: true,
  meeting_id: params.meeting_id,
  status: 'gone',
  calendar_event: 'deleted',
}));
// @ts-expect-error the operation keeps no answers under a key
serveOnce(app, getOauthUrl, { name: 'link' }, async () => link);
