import { expect, test } from 'vitest';
import { pass } from '../support/bookings.ts';
import { createClient } from '../support/client.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/factories.ts';
import { toMonday } from '../support/meetings.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

async function pair() {
  await toMonday();
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  const { api_key: key } = await world.connect(platform, bob.email);
  return { platform, ada, bob, bobsOwn: createClient(world.baseUrl, key) };
}

/** What auto-scheduling picks for the two now, and why; the meeting is cancelled again. */
async function pick(platform: TestPlatform, attendees: string[]) {
  const accepted = await platform.api.send('POST', '/v1/schedule/auto', { attendees });
  const { job_id: id } = accepted.body as { job_id: string };
  await pass(1);
  const { result } = (await platform.api.send('GET', `/v1/jobs/${id}`)).body as {
    result: { meeting_id: string; chosen_slot: { start_time: string }; agent_reasoning: string };
  };
  return { id: result.meeting_id, at: new Date(result.chosen_slot.start_time), why: result.agent_reasoning };
}

const cancel = (platform: TestPlatform, id: string) => platform.api.send('DELETE', `/v1/meetings/${id}`);

test('what a person writes about themselves moves the next pick, and undoing it moves it back', async () => {
  const { platform, ada, bob, bobsOwn } = await pair();
  const attendees = [ada.email, bob.email];
  const before = await pick(platform, attendees);
  expect(before.at.getUTCHours()).toBe(10);
  await cancel(platform, before.id);

  const text = 'No meetings in the mornings please, I focus then. Afternoons are best.';
  expect((await bobsOwn.send('PUT', '/v1/user/preferences', { scheduling_context: text })).status).toBe(200);
  const after = await pick(platform, attendees);
  expect(after.at.getUTCHours()).toBeGreaterThanOrEqual(12);
  await cancel(platform, after.id);

  expect((await bobsOwn.send('DELETE', '/v1/user/learning')).status).toBe(200);
  expect((await pick(platform, attendees)).at.getUTCHours()).toBe(10);
});

test('the reasons people give for moving meetings move the next pick', async () => {
  const { platform, ada, bob, bobsOwn } = await pair();
  const attendees = [ada.email, bob.email];
  // The first reason is enough: 0.8 × the mid-morning bonus of 1.2 is less than an afternoon's 1.
  let isFirst = true;
  for (const reason of ["that's too early for me", 'still too early', 'too early again']) {
    const { id, at } = await pick(platform, attendees);
    if (isFirst) expect(at.getUTCHours()).toBe(10);
    else expect(at.getUTCHours()).toBeGreaterThanOrEqual(12);
    isFirst = false;
    const moved = await platform.api.send('POST', `/v1/meetings/${id}/reschedule`, {
      meeting_id: id,
      requested_by: bob.email,
      reason,
    });
    expect(moved.status).toBe(200);
    const { new_meeting_id: next, learned_from: learned } = moved.body as Record<string, string>;
    expect(learned).toContain('time_of_day_preference.morning');
    await cancel(platform, next ?? '');
  }
  const learning = (await bobsOwn.send('GET', '/v1/user/learning')).body as {
    learned_weights: { time_of_day_preference: { morning: number } };
    entries: { before: number; after: number; meeting_id: string }[];
  };
  expect(learning.learned_weights.time_of_day_preference.morning).toBeCloseTo(0.512, 6);
  expect(learning.entries.map(({ before, after }) => [before, after])).toEqual([
    [expect.closeTo(0.64), expect.closeTo(0.512)],
    [0.8, expect.closeTo(0.64)],
    [1, 0.8],
  ]);
  expect((await pick(platform, attendees)).at.getUTCHours()).toBeGreaterThanOrEqual(12);
});
