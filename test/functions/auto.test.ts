import { describe, expect, test } from 'vitest';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform, webhooksOf } from '../support/factories.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

type Body = Record<string, unknown>;

async function pair({ plan = 'enterprise', timezone = 'UTC' } = {}) {
  const platform = await freshPlatform({ plan });
  const ada = await connectedPerson(platform, { name: 'ada', timezone });
  const bob = await connectedPerson(platform, { name: 'bob', timezone });
  return { platform, ada, bob, body: { attendees: [ada.email, bob.email] } };
}

const auto = (platform: TestPlatform, body: unknown, headers: Record<string, string> = {}) =>
  platform.api.send('POST', '/v1/schedule/auto', body, { headers });

const job = (platform: TestPlatform, id: string) => platform.api.send('GET', `/v1/jobs/${id}`);

/** Plays queue and time until the job has ended; answers it with the one event that told so. */
async function ended(platform: TestPlatform, jobId: string) {
  for (let turn = 0; turn < 12; turn++) {
    await world.qstash.deliverDue();
    const read = (await job(platform, jobId)).body as Body;
    if (read.status !== 'processing') {
      const told = (await webhooksOf(platform)).filter(
        ({ body }) => body.event_type.startsWith('meeting.scheduling.') && body.data.job_id === jobId,
      );
      expect(told).toHaveLength(1);
      expect(told[0]?.body.data).toEqual(read.result);
      return { read, event: told[0]?.body, result: read.result as Body & { error_code?: string } };
    }
    await world.advance(70_000);
    await world.worker.ready();
    await world.worker.runScheduled(world.clock.now());
  }
  throw new Error('the job never ended');
}

async function accepted(platform: TestPlatform, body: unknown): Promise<string> {
  const answer = await auto(platform, body);
  expect(answer.status).toBe(202);
  return (answer.body as { job_id: string }).job_id;
}

const liveEvents = (email: string) => world.google.events(email).filter(({ status }) => status !== 'cancelled');

describe('POST /v1/schedule/auto', () => {
  test('accepts at once, books the best time and says why, the same to the webhook and to GET', async () => {
    const { platform, ada, bob, body } = await pair();
    const answer = await auto(platform, { ...body, context: 'investor_call', auto: true });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      job_id: expect.stringMatching(/^sched_/),
      status: 'processing',
      message: expect.any(String),
      estimated_completion_seconds: 10,
      webhook_event: 'meeting.scheduling.completed',
    });
    const id = (answer.body as { job_id: string }).job_id;
    const { read, result, event } = await ended(platform, id);
    expect(read).toEqual({
      job_id: id,
      status: 'completed',
      created_at: expect.any(String),
      completed_at: expect.any(String),
      result: expect.any(Object),
    });
    expect(event.event_type).toBe('meeting.scheduling.completed');
    const [stored] = liveEvents(ada.email);
    expect(result).toEqual({
      job_id: id,
      success: true,
      meeting_id: expect.stringMatching(/^meet_/),
      provider_event_id: stored?.id,
      meet_link: stored?.hangoutLink,
      chosen_slot: {
        start_time: expect.any(String),
        end_time: expect.any(String),
        score: expect.any(Number),
        match_quality: 'excellent',
      },
      attendees: [ada.email, bob.email],
      agent_reasoning: expect.stringContaining('investor call'),
      processing_time_ms: expect.any(Number),
    });
    expect(stored?.summary).toMatch(/^Investor call: Ada .* and Bob/);
    const slot = result.chosen_slot as { start_time: string };
    expect(Date.parse(stored?.start?.dateTime ?? '')).toBe(Date.parse(slot.start_time));
    expect(new Date(slot.start_time).getUTCHours()).toBe(10);
    const types = (await webhooksOf(platform)).map(({ body: told }) => told.event_type);
    expect(types.filter((type) => type === 'meeting.scheduled')).toHaveLength(1);
  });

  test('the same key answers the same 202 and makes one job', async () => {
    const { platform, body, ada } = await pair();
    const key = { 'Idempotency-Key': 'auto-1' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => auto(platform, body, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await ended(platform, JSON.parse(answers[0]?.text ?? '').job_id);
    expect(liveEvents(ada.email)).toHaveLength(1);
    expect((await auto(platform, { ...body, duration_minutes: 45 }, key)).status).toBe(422);
  });

  test('a lost message is made good by the sweep, a doubled one does nothing', async () => {
    const { platform, body, ada } = await pair();
    world.qstash.setKnobs({ loseNext: 1 });
    const lost = await accepted(platform, body);
    await ended(platform, lost);
    world.qstash.setKnobs({ duplicates: 3 });
    await ended(platform, await accepted(platform, body));
    expect(liveEvents(ada.email)).toHaveLength(2);
  });

  test('a calendar that fails for a while delays the job only', async () => {
    const { platform, body } = await pair();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 503, times: 1 });
    const { result } = await ended(platform, await accepted(platform, body));
    expect(result.success).toBe(true);
  });

  test.each([
    [{ context: 'party' }, 'context', 'invalid_request'],
    [{ auto: false }, 'auto', 'invalid_request'],
    [{ title: '' }, 'title', 'invalid_request'],
    [{ duration_minutes: 10 }, 'duration_minutes', 'invalid_duration'],
    [{ attendees: ['a@example.com'] }, 'attendees', 'invalid_attendees'],
  ])('%j is refused with its field', async (wrong, field, code) => {
    const { platform, body } = await pair();
    const answer = await auto(platform, { ...body, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: { code, field, message: expect.stringContaining(field) } });
  });

  test('a stranger is 404 at once and a spent quota 429', async () => {
    const { platform, body, ada } = await pair({ plan: 'developer' });
    const stranger = freshPerson();
    const missing = await auto(platform, { attendees: [ada.email, stranger.email] });
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({ error: { code: 'user_not_found', email: stranger.email } });
    await world.neon.query('insert into usage (platform_id, month, used, settled, quota) values ($1, $2, 25, 25, 25)', [
      platform.id,
      new Date(world.clock.now()).toISOString().slice(0, 7),
    ]);
    const spent = await auto(platform, body);
    expect(spent.status).toBe(429);
    expect(spent.body).toMatchObject({ limit: 25, used: 25, resets_at: expect.stringMatching(/-01T00:00:00.000Z$/) });
  });
});

describe('a failed job says why', () => {
  const causes: [string, (made: Awaited<ReturnType<typeof pair>>) => Promise<void> | void, RegExp][] = [
    [
      'NO_AVAILABILITY',
      ({ ada }) => {
        const now = world.clock.now();
        const [start, end] = [now - 86_400_000, now + 40 * 86_400_000].map((at) => new Date(at).toISOString());
        world.google.addBusy({ email: ada.email, start: start ?? '', end: end ?? '' });
      },
      /busy/,
    ],
    [
      'CALENDAR_NOT_FOUND',
      async ({ platform, bob }) => {
        const gone = await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(bob.email)}`);
        expect(gone.status).toBe(200);
      },
      /has not connected/,
    ],
    [
      'TOKEN_EXPIRED',
      async ({ bob }) => {
        world.google.revoke(bob.email);
        await world.advance(2 * 3_600_000);
      },
      /connect their calendar again/,
    ],
    [
      'TIMEZONE_ERROR',
      async ({ platform, bob }) => {
        world.google.addUser({ email: bob.email, timezone: 'Mars/Olympus' });
        await world.connectCalendar(platform, bob.email);
      },
      /time zone/,
    ],
    [
      'GOOGLE_API_ERROR',
      () => world.faults.add({ target: 'google', match: 'POST /calendar/v3', mode: 'status', status: 503 }),
      /could not be reached/,
    ],
    [
      'USAGE_LIMIT_EXCEEDED',
      ({ platform }) =>
        world.neon
          .query('insert into usage (platform_id, month, used, settled, quota) values ($1, $2, 25, 25, 25)', [
            platform.id,
            new Date(world.clock.now()).toISOString().slice(0, 7),
          ])
          .then(() => undefined),
      /25 meetings/,
    ],
    [
      'INTERNAL_ERROR',
      ({ bob }) =>
        world.neon
          .query(
            "update calendar_accounts set access_token = 'gone:AAAA' where user_id = (select id from users where email = $1)",
            [bob.email],
          )
          .then(() => undefined),
      /on our side/,
    ],
  ];

  test.each(causes)('%s', async (code, cause, message) => {
    const made = await pair({ plan: 'developer' });
    world.qstash.setKnobs({ hold: true });
    const id = await accepted(made.platform, made.body);
    await cause(made);
    world.qstash.setKnobs({ hold: false });
    const { result, read } = await ended(made.platform, id);
    expect(read.status).toBe('failed');
    expect(result).toEqual({
      job_id: id,
      success: false,
      error_code: code,
      error_message: expect.stringMatching(message),
      attendees: made.body.attendees,
      suggestions: expect.arrayContaining([expect.any(String)]),
      processing_time_ms: expect.any(Number),
    });
    expect(liveEvents(made.ada.email).filter(({ summary }) => summary !== 'Busy')).toEqual([]);
    const holds = await world.neon.query(
      'select 1 from holds h join meetings m on m.id = h.meeting_id where m.platform_id = $1',
      [made.platform.id],
    );
    expect(holds).toEqual([]);
  });
});

describe('GET /v1/jobs/{job_id}', () => {
  test('another platform’s job and an unknown one are 404', async () => {
    const { platform, body } = await pair();
    const id = await accepted(platform, body);
    const stranger = await freshPlatform();
    for (const path of [id, 'sched_unknown', '%00', 'a'.repeat(500)]) {
      const answer = await stranger.api.send('GET', `/v1/jobs/${path}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: { code: 'job_not_found', message: 'There is no such job.' } });
    }
  });
});
