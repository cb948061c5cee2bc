import { expect, test } from 'vitest';
import { connectAgent, onClocks } from '../../support/agents.ts';
import { freshPair, iso, MINUTE } from '../../support/meetings.ts';
import { healAfterEach } from '../../support/world.ts';

healAfterEach();

const { platform, ada, bob } = await freshPair();
const attendees = [ada.email, bob.email];

test('a free time has its rank, another the rules of whom stand against it', async () => {
  const agent = await connectAgent(platform.secret_key);
  const found = await agent.call('check_availability', { attendees });
  const start = Date.parse(found.data.slots[0].start_utc);
  const free = await agent.call('explain_time', { attendees, start_time: iso(start) });
  expect(free.data).toEqual({
    ...onClocks(start, start + 30 * MINUTE, [ada, bob]),
    free: true,
    offered: true,
    against: [],
    rank: 1,
    candidates: expect.any(Number),
    reason: found.data.slots[0].reason,
  });
  expect(free.text).toContain('Free for both, number 1 of ');

  // Three days on, so that no notice stands against it as well.
  const night = `${iso(start + 72 * 60 * MINUTE).slice(0, 10)}T03:00:00+00:00`;
  const refused = await agent.call('explain_time', { attendees, start_time: night });
  expect(refused.data).toMatchObject({ free: false, offered: false });
  expect(refused.data.against.map(({ email, rule }: { email: string; rule: string }) => [email, rule])).toEqual([
    [ada.email, 'work_hours'],
    [bob.email, 'work_hours'],
  ]);
  for (const { email, detail } of refused.data.against) expect(refused.text).toContain(`${email}: ${detail}`);
});

test('a duration out of bounds is refused by name', async () => {
  const agent = await connectAgent(platform.secret_key);
  const { text, isError } = await agent.call('explain_time', {
    attendees,
    start_time: '2030-01-01T10:00:00Z',
    duration_minutes: 5,
  });
  expect([isError, text]).toEqual([true, 'invalid_duration: duration_minutes must be a whole number from 15 to 120.']);
});
