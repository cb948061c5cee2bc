import { expect, test } from 'vitest';
import { createTandem, type Tandem } from '../../lib/client/tandem.ts';
import { pair } from '../support/people/batches.ts';
import { pass, toMonday } from '../support/people/meetings.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const clientOf = (apiKey: string) => createTandem({ apiKey, baseUrl: world.baseUrl });

async function clients() {
  await toMonday();
  const { platform, bob, body } = await pair();
  const { api_key: key } = await world.connect(platform, bob.email);
  return { tandem: clientOf(platform.secret_key), bobsOwn: clientOf(key), bob, ...body };
}

async function pick(tandem: Tandem, attendees: string[]) {
  const { job_id: id } = await tandem.scheduleAutomatically({ attendees });
  await pass(1);
  const { result } = await tandem.getJob(id);
  if (!result?.success) throw new Error(`the job came to nothing: ${JSON.stringify(result)}`);
  return { id: result.meeting_id, hour: new Date(result.chosen_slot.start_time).getUTCHours() };
}

test('the reasons people give for moving meetings move the next pick', async () => {
  const { tandem, bobsOwn, bob, attendees } = await clients();
  // One reason is enough: 0.8 × the mid-morning bonus of 1.2 is less than an afternoon's 1.
  let isFirst = true;
  for (const reason of ["that's too early for me", 'still too early', 'too early again']) {
    const { id, hour } = await pick(tandem, attendees);
    if (isFirst) expect(hour).toBe(10);
    else expect(hour).toBeGreaterThanOrEqual(12);
    isFirst = false;
    const moved = await tandem.rescheduleMeeting(id, { requested_by: bob.email, reason });
    expect(moved.learned_from).toContain('time_of_day_preference.morning');
    await tandem.cancelMeeting(moved.new_meeting_id);
  }
  const { learned_weights: weights, entries } = await bobsOwn.getLearning();
  expect(weights.time_of_day_preference.morning).toBeCloseTo(0.512, 6);
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [expect.closeTo(0.64), expect.closeTo(0.512)],
    [0.8, expect.closeTo(0.64)],
    [1, 0.8],
  ]);
  expect((await pick(tandem, attendees)).hour).toBeGreaterThanOrEqual(12);
});
