import { describe, expect, test } from 'vitest';
import { bookable } from '../support/bookings.ts';
import type { Answer } from '../support/client.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

/** Each outbound call a request caused, work after the answer included, by target. */
async function callsOf(answer: Answer) {
  const id = answer.headers.get('x-request-id');
  const own = () => world.traffic.list().filter(({ request_id }) => request_id === id);
  await expect.poll(() => own().every(({ end }) => end !== null)).toBe(true);
  const count = (target: string) => own().filter((call) => call.target === target).length;
  return { neon: count('neon'), redis: count('redis'), google: count('google'), qstash: count('qstash') };
}

describe('round trips stay within the budget', () => {
  test('POST /v1/availability with fresh tokens: Postgres 2, Redis 1, Google 2', async () => {
    const { platform, body } = await bookable({ plan: 'pro' });
    const answer = await platform.api.availability({ attendees: body.attendees });
    expect(answer.status).toBe(200);
    expect(await callsOf(answer)).toEqual({ neon: 2, redis: 1, google: 2, qstash: 0 });
  });

  test('POST /v1/schedule with a key: Postgres 3, Redis 2, Google 1, and one message for its event', async () => {
    const { platform, body } = await bookable({ plan: 'pro' });
    const answer = await platform.api.schedule(body, { headers: { 'Idempotency-Key': 'budget' } });
    expect(answer.status).toBe(200);
    await expect.poll(() => callsOf(answer)).toEqual({ neon: 3, redis: 2, google: 1, qstash: 1 });
  });

  test('POST /v1/schedule/auto accepts with Postgres 2, Redis 2, and one message for its job', async () => {
    const { platform, body } = await bookable({ plan: 'pro' });
    const headers = { 'Idempotency-Key': 'budget-auto' };
    const answer = await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees }, { headers });
    expect(answer.status).toBe(202);
    await expect.poll(() => callsOf(answer)).toEqual({ neon: 2, redis: 2, google: 0, qstash: 1 });
  });

  test('authenticated reads: Postgres 2, Redis 1', async () => {
    const { platform, ada, body } = await bookable({ plan: 'pro' });
    const { meeting_id: meeting } = (await platform.api.schedule(body)).body as { meeting_id: string };
    const auto = await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
    const { job_id: job } = auto.body as { job_id: string };
    for (const path of [
      `/v1/meetings/${meeting}`,
      `/v1/users/${ada.email}/meetings`,
      `/v1/users/${ada.email}/status`,
      `/v1/jobs/${job}`,
      '/v1/calendars',
      '/v1/platform/dashboard',
      '/v1/platform/users',
      `/v1/platform/users/status?email=${ada.email}`,
      '/v1/platform/settings',
      '/v1/platform/webhook',
      '/v1/platform/webhook/logs',
    ]) {
      const answer = await platform.api.send('GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      const { neon, redis, google } = await callsOf(answer);
      expect([path, neon <= 2, redis <= 1, google]).toEqual([path, true, true, 0]);
    }
  });
});
