import { expect, test } from 'vitest';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { inHours, iso } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });

test('a user sees their meetings counted and nothing made up', async () => {
  const { email } = freshPerson({ name: 'ada' });
  const { api_key } = await world.connect(platform, email);
  const client = createClient(world.baseUrl, api_key);
  const none = {
    total_meetings_scheduled: 0,
    meetings_this_month: 0,
    average_acceptance_time_hours: 0,
    reschedule_rate: 0,
    fast_acceptance_rate: 0,
    preferred_times: { morning: 0, afternoon: 0, evening: 0 },
  };
  const first = await client.send('GET', '/v1/user/info');
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    email,
    preferences: expect.objectContaining({ timezone: 'UTC' }),
    stats: none,
    onboarding_completed: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });

  const bob = await connectedPerson(platform, { name: 'bob' });
  const booking = { start_time: iso(inHours(99)), duration_minutes: 30, title: 'Intro' };
  await platform.api.schedule({ attendees: [bob.email, email], ...booking });
  await client.send('PUT', '/v1/user/preferences', { buffer_minutes: 15 });
  const second = await client.send('GET', '/v1/user/info');
  expect(second.body).toMatchObject({
    stats: { ...none, total_meetings_scheduled: 1, meetings_this_month: 1, preferred_times: expect.anything() },
    onboarding_completed: true,
  });
});

test('a platform key has no access', async () => {
  expect((await platform.api.send('GET', '/v1/user/info')).status).toBe(403);
});
