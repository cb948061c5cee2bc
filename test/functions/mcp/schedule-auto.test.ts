import { expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { connectAgent, onClocks } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { freshPair, liveEvents } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOL = 'schedule_auto';

test('accepts a job at once, once under its key', async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  const args = { attendees: [ada.email, bob.email], context: 'review', auto: true, idempotency_key: 'auto' };
  const first = await agent.call(TOOL, args);
  expect(first.data).toEqual({ status: 'processing', job_id: expect.stringMatching(/^sched_/) });
  expect(first.text).toContain('Call get_job with this job_id');
  expect(await agent.call(TOOL, args)).toEqual(first);
  await world.qstash.deliverDue();
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a confirmed preview books the previewed time, even if a better time became free', async () => {
  const { platform, ada, bob } = await freshPair();
  const { api_key } = await world.connect(platform, ada.email);
  const liked = { scheduling_context: 'I prefer afternoons' };
  await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', liked);
  const agent = await connectAgent(platform.secret_key);
  const args = { attendees: [ada.email, bob.email], context: 'client_demo' };
  const preview = await agent.call(TOOL, { ...args, preview: true });
  expect(preview.data).toMatchObject({ status: 'preview', reasoning: expect.stringMatching(/^The reason: /) });
  expect(liveEvents(ada.email)).toEqual([]);
  const { confirm_token } = preview.data;
  const booked = await agent.call(TOOL, { ...args, confirm_token });
  const start = Date.parse(preview.data.start_utc);
  expect(booked.data).toMatchObject({
    status: 'scheduled',
    title: preview.data.title,
    ...onClocks(start, start + 30 * MINUTE, [ada, bob]),
  });
  expect(await agent.call(TOOL, { ...args, confirm_token })).toEqual(booked);
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a previewed time that was taken meanwhile is refused, with others', async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  const args = { attendees: [ada.email, bob.email] };
  const { data } = await agent.call(TOOL, { ...args, preview: true });
  world.google.addBusy({ email: bob.email, start: data.start_utc, end: data.end_utc });
  const { text } = await agent.call(TOOL, { ...args, confirm_token: data.confirm_token });
  expect(text).toMatch(/^slot_unavailable: .*\n1\. /);
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a calendar that cannot be read is never free', async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  world.faults.add({ target: 'google', mode: 'status', status: 503 });
  const { text, isError } = await agent.call(TOOL, { attendees: [ada.email, bob.email], preview: true });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(
      /^calendar_unavailable: The calendar of \S+ could not be reached\. Try again in (?:a minute|\d+ seconds)\. The request ID is [\w-]{36}\.$/,
    ),
  ]);
});

test('a context that is none is refused with those there are', async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  const { text } = await agent.call(TOOL, { attendees: [ada.email, bob.email], context: 'party' });
  expect(text).toMatch(/^invalid_request: `context` must be one of warm_intro, /);
});

test('a job is under way, then has its meeting on both clocks, as the API has it', async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  world.qstash.setKnobs({ hold: true });
  const { data } = await agent.call('schedule_auto', { attendees: [ada.email, bob.email] });
  const waiting = await agent.call('get_job', { job_id: data.job_id });
  expect(waiting.data).toEqual({ job_id: data.job_id, status: 'processing' });
  world.qstash.setKnobs({ hold: false });
  await world.qstash.deliverDue();
  const done = await agent.call('get_job', { job_id: data.job_id });
  const { body } = await platform.api.send('GET', `/v1/jobs/${data.job_id}`);
  const { result } = body as {
    result: Record<'meeting_id' | 'meet_link' | 'agent_reasoning', string> & {
      chosen_slot: { start_time: string; end_time: string };
    };
  };
  const { start_time, end_time } = result.chosen_slot;
  expect(done.data).toEqual({
    job_id: data.job_id,
    status: 'completed',
    meeting_id: result.meeting_id,
    ...onClocks(Date.parse(start_time), Date.parse(end_time), [ada, bob]),
    meet_link: result.meet_link,
    reasoning: result.agent_reasoning,
  });
  expect(done.text).toContain(`booked ${result.meeting_id} on `);
});

test('a failed job says why and what would help', async () => {
  const { platform, ada } = await freshPair();
  const day = 86_400_000;
  const all: [string, string] = [
    new Date(world.clock.now() - day).toISOString(),
    new Date(world.clock.now() + 30 * day).toISOString(),
  ];
  const busy = await connectedPerson(platform, { name: 'cyd', busy: [all] });
  const agent = await connectAgent(platform.secret_key);
  const { data } = await agent.call('schedule_auto', { attendees: [ada.email, busy.email] });
  await world.qstash.deliverDue();
  const failed = await agent.call('get_job', { job_id: data.job_id });
  expect(failed).toMatchObject({ isError: false, data: { status: 'failed', error_code: 'NO_AVAILABILITY' } });
  expect(failed.text).toContain('failed with NO_AVAILABILITY, and nothing was booked. ');
});

test("another platform's job is not found", async () => {
  const { platform, ada, bob } = await freshPair();
  const agent = await connectAgent(platform.secret_key);
  const { data } = await agent.call('schedule_auto', { attendees: [ada.email, bob.email] });
  const stranger = await connectAgent((await freshPlatform()).secret_key);
  const { text, isError } = await stranger.call('get_job', { job_id: data.job_id });
  expect([isError, text]).toEqual([
    true,
    'job_not_found: No scheduling job has the ID in the request. Use a job ID that schedule_auto returned, at most 30 days after the job ended.',
  ]);
});
