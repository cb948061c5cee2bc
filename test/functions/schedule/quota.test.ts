import { expect, test } from 'vitest';
import { flatRefusal, wholeError } from '../../support/checks/errors.ts';
import { connectedPerson, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { bookable, hoursLater, pass, seen, usageOf, useQuota } from '../../support/people/meetings.ts';
import { dying } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

async function usageEvents(platform: TestPlatform) {
  return (await webhooksOf(platform))
    .map(({ body }) => body)
    .filter(({ event_type }) => event_type.startsWith('platform.usage'));
}

test('80 % and 100 % are told once, on the crossing, and the next meeting is 429', async () => {
  const { platform, body, start } = await bookable({ plan: 'developer' });
  await useQuota(platform, 18);
  const book = (hours: number) => platform.api.schedule({ ...body, start_time: hoursLater(start, hours) });
  expect((await book(0)).status).toBe(200);
  expect(await usageEvents(platform)).toEqual([]);
  expect((await book(1)).status).toBe(200);
  expect((await usageEvents(platform)).map(({ event_type, data }) => [event_type, data])).toEqual([
    [
      'platform.usage_warning',
      {
        current_usage: 20,
        limit: 25,
        percentage: 80,
        warned_at: expect.any(String),
        plan: 'developer',
        message: 'You have used 20 of the 25 meetings of your plan for this month.',
      },
    ],
  ]);
  for (const hours of [2, 3, 4, 5, 6]) expect((await book(hours)).status).toBe(200);
  const told = await usageEvents(platform);
  expect(told.map(({ event_type }) => event_type)).toEqual(['platform.usage_warning', 'platform.usage_limit_reached']);
  expect(told[1]?.data).toEqual({
    current_usage: 25,
    limit: 25,
    reached_at: expect.any(String),
    plan: 'developer',
    message: expect.stringContaining('25'),
  });
  const refused = await book(7);
  expect(refused.status).toBe(429);
  const next = new Date(world.clock.now());
  expect(refused.body).toEqual(
    wholeError({
      error: 'Monthly meeting limit reached',
      message: expect.any(String),
      limit: 25,
      used: 25,
      resets_at: new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 1)).toISOString(),
    }),
  );
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await usageEvents(platform)).toHaveLength(2);
});

test('a place that a booking reserved and died with is asked for again when its reservation ends', async () => {
  const { platform, body, start } = await bookable({ plan: 'developer' });
  await useQuota(platform, 24);
  const call = { target: 'google', match: 'POST /calendar/v3/calendars', mode: 'kill' } as const;
  await dying(call, () => platform.api.schedule(body));
  const next = { ...body, start_time: hoursLater(start, 1) };
  const refused = await platform.api.schedule(next);
  expect(refused.body).toEqual(
    wholeError({
      error: 'Monthly meeting limit reached',
      message: expect.stringContaining('used or reserved by requests in progress'),
      limit: 25,
      used: 25,
      resets_at: expect.any(String),
    }),
  );
  const { resets_at } = refused.body as { resets_at: string };
  const wait = Date.parse(resets_at) - world.clock.now();
  expect(wait).toBeLessThanOrEqual(120_000);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(wait / 1_000));
  const job = await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
  expect([job.status, job.body]).toEqual([429, { ...(refused.body as object), request_id: expect.any(String) }]);
  await world.advance(wait);
  await world.worker.runScheduled(world.clock.now());
  expect((await platform.api.schedule(next)).status).toBe(200);
  const spent = await platform.api.schedule({ ...body, start_time: hoursLater(start, 2) });
  expect(spent.body).toMatchObject({ resets_at: expect.stringMatching(/-01T00:00/) });
});

test('a changed pair counts like a meeting, the same pair does not, and an undone change counts nothing', async () => {
  const { platform, body, start } = await bookable({ plan: 'developer' });
  await useQuota(platform, 19);
  const { email } = await connectedPerson(platform);
  const [ada, bob] = body.attendees;
  const booked = (await platform.api.schedule(body)).body as { meeting_id: string };
  const times = { start_time: body.start_time, end_time: hoursLater(start, 1) };
  const put = (attendees: unknown[]) =>
    platform.api.send('PUT', `/v1/meetings/${booked.meeting_id}`, { ...times, attendees });
  expect((await put([bob, ada])).status).toBe(200);
  expect(await usageOf(platform)).toEqual([{ used: 20, confirmed: 20 }]);
  for (const [n, other] of [email, bob, email, bob].entries()) {
    expect((await put([ada, other])).status).toBe(200);
    expect(await usageOf(platform)).toEqual([{ used: 21 + n, confirmed: 21 + n }]);
  }
  world.faults.add({ target: 'google', match: 'PATCH /calendar/v3', mode: 'status', status: 400 });
  expect((await put([ada, email])).status).toBe(409);
  expect(await usageOf(platform)).toEqual([{ used: 24, confirmed: 24 }]);
  world.faults.clear();
  world.faults.add({ target: 'google', match: 'PATCH /calendar/v3', mode: 'reset' });
  expect((await put([ada, email])).status).toBe(500);
  expect(await usageOf(platform)).toEqual([{ used: 25, confirmed: 24 }]);
  const refused = await platform.api.schedule({ ...body, start_time: hoursLater(start, 5) });
  expect(refused.body).toMatchObject({ code: 'quota_exceeded', resets_at: expect.not.stringContaining('-01T00:00') });
  world.faults.clear();
  await pass(120);
  expect(await usageOf(platform)).toEqual([{ used: 24, confirmed: 24 }]);
  expect((await put([ada, email])).status).toBe(200);
  expect((await usageEvents(platform)).map(({ event_type }) => event_type)).toEqual([
    'platform.usage_warning',
    'platform.usage_limit_reached',
  ]);
  const spent = await put([ada, bob]);
  expect(seen(spent)).toEqual(
    flatRefusal(429, 'Monthly meeting limit reached', {
      message: expect.stringContaining('You have used all 25 meetings of your plan for this month. Wait until'),
      limit: 25,
      used: 25,
      resets_at: expect.stringMatching(/-01T00:00/),
    }),
  );
  expect((await put([ada, email])).status).toBe(200);
  await platform.api.send('DELETE', `/v1/meetings/${booked.meeting_id}`);
  await expectPeace({ platforms: [platform], usedBefore: 19 });
});

test('a replay takes no quota, even when it is spent', async () => {
  const { platform, body } = await bookable({ plan: 'developer' });
  await useQuota(platform, 24);
  const headers = { 'Idempotency-Key': 'last' };
  const first = await platform.api.schedule(body, { headers });
  const again = await platform.api.schedule(body, { headers });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.text).toBe(first.text);
  expect((await platform.api.schedule(body, { headers: { 'Idempotency-Key': 'new' } })).status).toBe(429);
});

test('enterprise has no limit and no usage events', async () => {
  const { platform, body } = await bookable();
  expect((await platform.api.schedule(body)).status).toBe(200);
  expect(await usageEvents(platform)).toEqual([]);
  expect(await usageOf(platform)).toEqual([{ used: 1, confirmed: 1 }]);
});
