import { expect, test } from 'vitest';
import { connectAgent, onClocks } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { freshPair } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
