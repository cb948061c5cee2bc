import { describe, expect, test } from 'vitest';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked, freshPair, hoursLater, inHours, type Pair, toNextMonth } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const read = async ({ api }: Pair['platform']) => {
  const answer = await api.send('GET', '/v1/platform/dashboard');
  expect(answer.status).toBe(200);
  return answer.body;
};

const NOTHING = {
  total_meetings_scheduled: 0,
  meetings_this_month: 0,
  meetings_last_month: 0,
  average_acceptance_time_hours: 0,
  reschedule_rate: 0,
  cancellation_rate: 0,
};

describe('GET /v1/platform/dashboard', () => {
  test('of a platform that has done nothing yet has no figure made up', async () => {
    const platform = await freshPlatform({ plan: 'growth' });
    expect(await read(platform)).toEqual({
      platform: { id: platform.id, name: 'Test platform', email: 'owner@platform.test', plan: 'growth' },
      usage: { this_month: 0, limit: 1_000, remaining: 1_000, can_schedule: true },
      connected_users: 0,
      stats: NOTHING,
      api_key_masked: `sk_live_…${platform.secret_key.slice(-4)}`,
    });
  });

  test('adds up a month made by hand, and the month after it', async () => {
    await toNextMonth();
    const pair = await freshPair('pro');
    const { platform, ada } = pair;
    const start = new Date(inHours(48));
    const meetings = [];
    for (const days of [0, 1, 2, 3])
      meetings.push(await booked({ pair, start: Date.parse(hoursLater(start, 24 * days)) }));
    const [, off, moved, twice] = meetings.map(({ id }) => id);
    await platform.api.send('DELETE', `/v1/meetings/${off}`);
    const reschedule = async (meeting_id = '') => {
      const body = { meeting_id, requested_by: ada.email, reason: 'Another day is better.' };
      const answer = await platform.api.send('POST', `/v1/meetings/${meeting_id}/reschedule`, body);
      expect(answer.status, answer.text).toBe(200);
      return (answer.body as { new_meeting_id: string }).new_meeting_id;
    };
    await reschedule(moved);
    await platform.api.send('DELETE', `/v1/meetings/${await reschedule(await reschedule(twice))}`);
    const stats = {
      total_meetings_scheduled: 4,
      meetings_this_month: 4,
      meetings_last_month: 0,
      average_acceptance_time_hours: 0,
      reschedule_rate: 0.5,
      cancellation_rate: 0.5,
    };
    const usage = { this_month: 4, limit: 1_000, remaining: 996, can_schedule: true };
    expect(await read(platform)).toMatchObject({ usage, connected_users: 2, stats });

    await toNextMonth();
    await booked({ pair, start: inHours(48) });
    expect(await read(platform)).toMatchObject({
      usage: { this_month: 1, limit: 1_000, remaining: 999, can_schedule: true },
      stats: {
        ...stats,
        total_meetings_scheduled: 5,
        meetings_this_month: 1,
        meetings_last_month: 4,
        reschedule_rate: 0.4,
        cancellation_rate: 0.4,
      },
    });
  });

  test('says when the quota is used up, and that an unlimited one never is', async () => {
    const poor = await freshPlatform({ plan: 'developer' });
    const month = new Date(world.clock.now()).toISOString().slice(0, 7);
    await world.neon.query('insert into usage (platform_id, month, used, confirmed) values ($1, $2, 25, 24)', [
      poor.id,
      month,
    ]);
    expect(await read(poor)).toMatchObject({
      usage: { this_month: 25, limit: 25, remaining: 0, can_schedule: false },
    });
    const pair = await freshPair('enterprise');
    await booked({ pair });
    expect(await read(pair.platform)).toMatchObject({
      usage: { this_month: 1, limit: null, remaining: null, can_schedule: true },
    });
  });

  test('of a plan that was made smaller owes nothing', async () => {
    const platform = await freshPlatform({ plan: 'pro' });
    const month = new Date(world.clock.now()).toISOString().slice(0, 7);
    await world.neon.query('insert into usage (platform_id, month, used, confirmed) values ($1, $2, 300, 300)', [
      platform.id,
      month,
    ]);
    await world.neon.query("update platforms set plan = 'starter' where id = $1", [platform.id]);
    expect(await read(platform)).toMatchObject({
      usage: { this_month: 300, limit: 250, remaining: 0, can_schedule: false },
    });
  });

  test('counts nothing of other platforms, and shows the key in force', async () => {
    const pair = await freshPair();
    const other = await freshPlatform();
    await world.connectCalendar(other, pair.ada.email);
    await booked({ pair });
    expect(await read(other)).toMatchObject({ usage: { this_month: 0 }, connected_users: 1, stats: NOTHING });
  });
});
