import { expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { connectAgent, onClocks } from '../../support/people/agents.ts';
import { liveEvents } from '../../support/people/bookings.ts';
import { freshPair } from '../../support/people/meetings.ts';
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
