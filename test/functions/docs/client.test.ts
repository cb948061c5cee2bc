import { expect, test } from 'vitest';
import { createTandem, type TandemError, verifyWebhook } from '../../../lib/client/tandem.ts';
import { connectedPerson, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { bookable, liveEvents } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const clientOf = ({ secret_key: apiKey }: TestPlatform) => createTandem({ apiKey, baseUrl: world.baseUrl });

const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('nothing was thrown'),
    (error: TandemError) => error,
  );

test('a time is found, booked, moved for a reason and called off', async () => {
  const { platform, ada, bob } = await bookable();
  const tandem = clientOf(platform);
  const attendees = [ada.email, bob.email];
  const { slots } = await tandem.findAvailability({ attendees });
  const start_time = slots[0]?.start_time ?? '';
  const wanted = { attendees, start_time, duration_minutes: 30, title: 'Intro', require_free: true };
  const meeting = await tandem.scheduleMeeting(wanted);
  expect(await tandem.explainAvailability({ attendees, start_time })).toMatchObject({ free: false });
  const moved = await tandem.rescheduleMeeting(meeting.meeting_id, {
    requested_by: ada.email,
    reason: 'too early for me',
  });
  expect(Date.parse(moved.new_meeting_time)).not.toBe(Date.parse(start_time));
  expect(await tandem.cancelMeeting(moved.new_meeting_id)).toMatchObject({ status: 'cancelled' });
  const { meetings } = await tandem.listUserMeetings(ada.email);
  expect(meetings.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'rescheduled']);
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a booking whose answer is lost is made once', async () => {
  const { platform, body, ada } = await bookable();
  const send: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    calls += 1;
    if (calls > 1) return response;
    throw new TypeError('fetch failed');
  };
  let calls = 0;
  const tandem = createTandem({ apiKey: platform.secret_key, baseUrl: world.baseUrl, fetch: send });
  const { meeting_id } = await tandem.scheduleMeeting(body);
  expect(calls).toBe(2);
  expect(liveEvents(ada.email)).toHaveLength(1);
  expect((await tandem.getMeeting(meeting_id)).status).toBe('scheduled');
});

test('scheduleAutomatically starts a job, and waitForJob returns its result', async () => {
  const { platform, ada, bob } = await bookable();
  const tandem = clientOf(platform);
  const { job_id } = await tandem.scheduleAutomatically({ attendees: [ada.email, bob.email], context: 'interview' });
  const delivering = world.qstash.deliverDue();
  const { status, result } = await tandem.waitForJob(job_id);
  await delivering;
  expect(status).toBe('completed');
  expect(result?.success && liveEvents(ada.email)[0]?.start).toMatchObject({
    dateTime: expect.stringContaining(result?.success ? result.chosen_slot.start_time.slice(0, 10) : ''),
  });
});

test('a refusal is thrown with its code and what goes with it', async () => {
  const { platform, body } = await bookable();
  const tandem = clientOf(platform);
  await tandem.scheduleMeeting(body);
  const taken = await thrown(tandem.scheduleMeeting({ ...body, require_free: true }));
  expect(taken).toMatchObject({ name: 'TandemError', status: 409, code: 'slot_unavailable' });
  expect(taken.facts.alternatives?.length).toBeGreaterThan(0);
  expect(taken.facts.docs).toContain('/docs/errors#slot_unavailable');
  const wrong = await thrown(tandem.scheduleMeeting({ ...body, start_time: 'soon' }));
  expect(wrong).toMatchObject({ status: 400, code: 'invalid_time', facts: { field: 'start_time' } });
  const stranger = await thrown(tandem.getMeeting('meet_unknown'));
  expect(stranger).toMatchObject({ status: 404, code: 'meeting_not_found' });
  const keyless = createTandem({ apiKey: 'sk_live_made_up', baseUrl: world.baseUrl });
  expect(await thrown(keyless.getDashboard())).toMatchObject({ status: 401, code: 'unauthorized' });
});

test('a list is read page by page with its cursor', async () => {
  const { platform } = await bookable();
  await connectedPerson(platform);
  const tandem = clientOf(platform);
  const first = await tandem.listCalendars({ limit: 2 });
  const second = await tandem.listCalendars({ limit: 2, cursor: first.pagination.next_cursor });
  expect([first.connections.length, second.connections.length, second.pagination.has_more]).toEqual([2, 1, false]);
});

test('a webhook is verified by what comes with the client, and its body is in the log', async () => {
  const { platform, body } = await bookable();
  const tandem = clientOf(platform);
  await tandem.scheduleMeeting(body);
  const arrived = (await webhooksOf(platform)).find(({ body: event }) => event.event_type === 'meeting.scheduled');
  const { headers = {}, body_text = '' } = arrived ?? {};
  const secret = platform.webhook_secret ?? '';
  const now = world.clock.now();
  expect(await verifyWebhook({ secret, headers, body: body_text, now })).toMatchObject({ ok: true });
  const { deliveries } = await tandem.listDeliveries({ event: 'meeting.scheduled' });
  expect((await tandem.getDelivery(deliveries[0]?.id ?? '')).body).toBe(body_text);
});
