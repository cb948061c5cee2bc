import { describe, expect, test } from 'vitest';
import type { Page } from '../local/browser.ts';
import type { TrafficEntry } from '../local/traffic.ts';
import { hopsOf } from '../local/traffic.ts';
import { PLATFORM_READS } from '../support/checks/plain-reads.ts';
import { atDashboard, visit } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { bookable, hoursLater } from '../support/people/meetings.ts';
import { visit as openLink } from '../support/people/proposal-pages.ts';
import { accept, proposed } from '../support/people/proposing.ts';
import { type Answer, createClient } from '../support/worlds/client.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

/** Latencies long enough that calls sent together overlap. */
const SLOW = { neon: 200, redis: 200, google: 200, llm: 200 };
const FAST = { neon: 0, redis: 0, google: 0, llm: 0 };

/** Sends a request and returns its answer and its outbound calls, including those made after the answer. */
async function measure(send: () => Promise<Answer>) {
  world.latency.set(SLOW);
  const answer = await send();
  const id = answer.headers.get('x-request-id');
  const own = () => world.traffic.list().filter(({ request_id }) => request_id === id);
  await expect.poll(() => own().every(({ end }) => end !== null), { timeout: 10_000 }).toBe(true);
  world.latency.set(FAST);
  return { answer, calls: own };
}

function figuresOf(calls: readonly TrafficEntry[]) {
  const count = (target: string) => calls.filter((call) => call.target === target).length;
  return {
    neon: count('neon'),
    redis: count('redis'),
    google: count('google'),
    qstash: count('qstash'),
    hops: hopsOf(calls),
  };
}

/** Returns a bookable platform with two people. The Worker has already cached the platform's key. */
async function known() {
  const made = await bookable({ plan: 'pro' });
  await made.platform.api.calendars();
  return made;
}

describe('round trips stay within the budget', () => {
  test('a search from the snapshots: the limit, then Postgres; the key is checked beside both, and the source noted after the answer', async () => {
    const { platform, body } = await known();
    await world.worker.runScheduled(world.clock.now());
    await world.qstash.deliverDue();
    const { answer, calls } = await measure(() => platform.api.availability({ attendees: body.attendees }));
    expect(answer.body).toMatchObject({ calendars: [{ source: 'snapshot' }, { source: 'snapshot' }] });
    await expect.poll(() => figuresOf(calls())).toEqual({ neon: 2, redis: 2, google: 0, qstash: 0, hops: 2 });
  });

  test('a search with fresh tokens: the limit, Postgres, then both calendars and their lists side by side', async () => {
    const { platform, body } = await known();
    const path = '/v1/availability?fresh=true';
    const { answer, calls } = await measure(() => platform.api.send('POST', path, { attendees: body.attendees }));
    expect(answer.status).toBe(200);
    expect(figuresOf(calls())).toEqual({ neon: 2, redis: 1, google: 4, qstash: 0, hops: 3 });
  });

  test('a booking with a key: the check of the API key beside the limit, and Postgres before and after the calendar', async () => {
    const { platform, body } = await known();
    const headers = { 'Idempotency-Key': 'budget' };
    const { answer, calls } = await measure(() => platform.api.schedule(body, { headers }));
    expect(answer.status).toBe(200);
    await expect.poll(() => figuresOf(calls())).toEqual({ neon: 3, redis: 2, google: 1, qstash: 1, hops: 4 });
  });

  test('a job is accepted with the limit, one batch that checks the key too, and one message', async () => {
    const { platform, body } = await known();
    const headers = { 'Idempotency-Key': 'budget-auto' };
    const asked = { attendees: body.attendees };
    const { answer, calls } = await measure(() => platform.api.send('POST', '/v1/schedule/auto', asked, { headers }));
    expect(answer.status).toBe(202);
    await expect.poll(() => figuresOf(calls())).toEqual({ neon: 1, redis: 2, google: 0, qstash: 1, hops: 2 });
  });

  test('an update of an event that Tandem has seen: Postgres before and after the one call of the calendar', async () => {
    const { platform, body } = await known();
    const { meeting_id: id } = (await platform.api.schedule(body)).body as { meeting_id: string };
    const start_time = hoursLater(new Date(body.start_time), 3);
    const times = { start_time, end_time: hoursLater(new Date(start_time), 1) };
    const { answer, calls } = await measure(() => platform.api.send('PUT', `/v1/meetings/${id}`, times));
    expect(answer.status).toBe(200);
    await expect.poll(() => figuresOf(calls())).toEqual({ neon: 3, redis: 1, google: 1, qstash: 1, hops: 4 });
  });

  test('a reschedule that teaches: one read of Postgres beside the check of the key, the calendars beside the event, and the lesson in the reservation', async () => {
    const { platform, body } = await known();
    const { meeting_id: id } = (await platform.api.schedule(body)).body as { meeting_id: string };
    const asked = { meeting_id: id, requested_by: body.attendees[1], reason: 'Too early, rather on a Friday.' };
    const { answer, calls } = await measure(() => platform.api.send('POST', `/v1/meetings/${id}/reschedule`, asked));
    expect(answer.body).toMatchObject({ learned_from: expect.stringContaining('too early') });
    await expect.poll(() => figuresOf(calls())).toEqual({ neon: 4, redis: 1, google: 6, qstash: 1, hops: 5 });
  });

  test.each([
    ['whose times Tandem picks', () => ({})],
    ['with given times', (start: string) => ({ times: [start] })],
  ])('a proposal %s: Postgres before and after both calendars', async (_which, given) => {
    const { platform, body } = await known();
    const asked = { attendees: body.attendees, duration_minutes: 30, title: 'Budget', ...given(body.start_time) };
    const { answer, calls } = await measure(() => platform.api.send('POST', '/v1/proposals', asked));
    expect(answer.status).toBe(201);
    expect(figuresOf(calls())).toEqual({ neon: 3, redis: 1, google: 4, qstash: 0, hops: 4 });
  });

  test('accepting a time: the calls of a booking that must be free', async () => {
    const { platform, body } = await known();
    const { attendees, start_time: start } = body;
    const asked = { attendees, duration_minutes: 30, title: 'Budget' };
    // A tick writes the count of calendar calls, which otherwise a request writes beside its own work now and then.
    await world.worker.runScheduled(world.clock.now());
    const booking = await measure(() =>
      platform.api.send('POST', '/v1/schedule', {
        ...asked,
        start_time: hoursLater(new Date(start), 5),
        require_free: true,
      }),
    );
    const { proposal_id: id, times } = await proposed(platform, { ...asked, times: [start] });
    const { answer, calls } = await measure(() => accept(platform, id, times[0]?.id));
    expect([booking.answer.status, answer.status]).toEqual([200, 200]);
    await expect.poll(() => figuresOf(booking.calls())).toEqual({ neon: 4, redis: 1, google: 5, qstash: 1, hops: 6 });
    await expect.poll(() => figuresOf(calls())).toEqual({ neon: 4, redis: 1, google: 5, qstash: 1, hops: 6 });
  });

  test('the page of a proposal: the limits, then one read of Postgres', async () => {
    const { platform, body } = await known();
    const { attendees, start_time: start } = body;
    const asked = { attendees, duration_minutes: 30, title: 'Budget', times: [start] };
    const { url } = await proposed(platform, asked);
    const { answer, calls } = await measure(() => openLink(url));
    expect(answer.status).toBe(200);
    expect(figuresOf(calls())).toEqual({ neon: 1, redis: 2, google: 0, qstash: 0, hops: 2 });
  });

  test('the first run of a job: the lease loads its people, and each calendar is read once', async () => {
    const { platform, body } = await known();
    await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
    await expect.poll(() => world.traffic.list().every(({ end }) => end !== null)).toBe(true);
    world.traffic.clear();
    world.latency.set(SLOW);
    await world.qstash.deliverDue();
    world.latency.set(FAST);
    const read = world.traffic.list().find(({ target }) => target === 'google');
    // The queue passes the request's id on to the requests that deliver its events; those come after the commit.
    const calls = world.traffic.list().filter(({ request_id }) => request_id === read?.request_id);
    const inserted = calls.findLastIndex(({ target }) => target === 'google');
    expect(figuresOf(calls.slice(0, inserted + 2))).toEqual({ neon: 3, redis: 0, google: 5, qstash: 0, hops: 5 });
  });

  test('an authenticated read: the limit, then one hop to Postgres, and the key is checked beside both', async () => {
    const { platform, ada, body } = await known();
    const { meeting_id: meeting } = (await platform.api.schedule(body)).body as { meeting_id: string };
    const auto = await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
    const { job_id: job } = auto.body as { job_id: string };
    const { api_key: key } = await world.connect(platform, ada.email);
    const user = createClient(world.baseUrl, key);
    await user.send('GET', '/v1/user/preferences');
    for (const path of [
      `/v1/meetings/${meeting}`,
      ...PLATFORM_READS,
      `/v1/meetings?attendee=${ada.email}`,
      `/v1/users/${ada.email}/meetings`,
      `/v1/users/${ada.email}/status`,
      `/v1/jobs/${job}`,
      '/v1/platform/oauth-url?user_email=someone@people.test',
      `/v1/platform/users/status?email=${ada.email}`,
      '/v1/user/preferences',
      '/v1/user/learning',
    ]) {
      const { answer, calls } = await measure(() =>
        (path.startsWith('/v1/user/') ? user : platform.api).send('GET', path),
      );
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, figuresOf(calls())]).toEqual([path, { neon: 2, redis: 1, google: 0, qstash: 0, hops: 2 }]);
    }
    for (const path of ['/v1/user/info', '/v1/user/export']) {
      const { answer, calls } = await measure(() => user.send('GET', path));
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, figuresOf(calls())]).toMatchObject([path, { redis: 1, google: 0, hops: 2 }]);
    }
  });
});

describe('a page waits for Postgres once, its session included', () => {
  const hopsTo = async (open: () => Promise<Pick<Page, 'requestId' | 'status'>>) => {
    world.latency.set({ neon: 100 });
    const { requestId, status } = await open();
    world.latency.set(FAST);
    const calls = world.traffic.list().filter((call) => call.request_id === requestId && call.target === 'neon');
    return { status, hops: hopsOf(calls) };
  };

  test.each([
    '/dashboard',
    '/dashboard/people',
    '/dashboard/meetings',
    '/dashboard/jobs',
    '/dashboard/proposals',
    '/dashboard/webhooks',
    '/dashboard/webhooks/endpoint',
    '/dashboard/keys',
    '/dashboard/keys/regenerate',
    '/dashboard/audit-log',
    '/dashboard/settings',
  ])('%s', async (path) => {
    const { browser } = await atDashboard(await freshPlatform());
    expect(await hopsTo(() => visit(browser, path))).toEqual({ status: 200, hops: 1 });
  });

  test.each(['/me/preferences', '/me/learning', '/me/delete'])('%s', async (path) => {
    const { email } = await connectedPerson(await freshPlatform(), { name: 'ada' });
    const { browser } = await world.signIn(email);
    expect(await hopsTo(() => browser.open(`${world.baseUrl}${path}`))).toEqual({ status: 200, hops: 1 });
  });
});
