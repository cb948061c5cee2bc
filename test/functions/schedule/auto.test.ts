import { describe, expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { refusal, wholeError } from '../../support/checks/errors.ts';
import { accepted, auto, type Body, ended, job, pair } from '../../support/people/batches.ts';
import { freshPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { liveEvents, seen, usageOf, useQuota } from '../../support/people/meetings.ts';
import { hold, losing, met, quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
        comfort: expect.any(Number),
        match_quality: 'excellent',
      },
      attendees: [ada.email, bob.email],
      metadata: {},
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

  test('a calendar that fails for a while delays the job only', async () => {
    const { platform, body } = await pair();
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 503, times: 1 });
    const { result } = await ended(platform, await accepted(platform, body));
    expect(result.success).toBe(true);
  });

  test.each([
    [{ context: 'party' }, 'context', 'invalid_request'],
    [{ auto: false }, 'auto', 'invalid_request'],
    [{ duration_minutes: 10 }, 'duration_minutes', 'invalid_duration'],
  ])('%j is refused with its field', async (wrong, field, code) => {
    const { platform, body } = await pair();
    const answer = await auto(platform, { ...body, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(wholeError({ error: { code, field, message: expect.stringContaining(field) } }));
  });

  test('a stranger is 404 at once and a spent quota 429', async () => {
    const { platform, body, ada } = await pair({ plan: 'developer' });
    const stranger = freshPerson();
    const missing = await auto(platform, { attendees: [ada.email, stranger.email] });
    expect(missing).toMatchObject(refusal(404, 'user_not_found', { email: stranger.email }));
    await useQuota(platform, 25);
    const spent = await auto(platform, body);
    expect(spent.status).toBe(429);
    expect(spent.body).toMatchObject({ limit: 25, used: 25, resets_at: expect.stringMatching(/-01T00:00:00.000Z$/) });
  });
});

test('another platform’s job and an unknown one are 404', async () => {
  const { platform, body } = await pair();
  const id = await accepted(platform, body);
  const stranger = await freshPlatform();
  for (const path of [id, 'sched_unknown', '%00', 'a'.repeat(500)]) {
    const answer = await stranger.api.send('GET', `/v1/jobs/${path}`);
    expect(seen(answer)).toEqual(
      refusal(404, 'job_not_found', {
        message:
          'No scheduling job has the ID in the request. Use a job ID that POST /v1/schedule/auto returned, at most 30 days after the job ended.',
      }),
    );
  }
});

const dateIn = (days: number) => new Date(world.clock.now() + days * DAY);
/** The first weekday from two days ahead on, as people say it. */
function weekdayAhead() {
  const date = [2, 3, 4].map(dateIn).find((day) => day.getUTCDay() % 6 !== 0) ?? dateIn(2);
  const said = date.toLocaleString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return { date: date.toISOString().slice(0, 10), said };
}

test('a job books a time that its words ask for, and its answer says how they were read', async () => {
  const { platform, body } = await pair();
  const { date, said } = weekdayAhead();
  const answer = await auto(platform, { ...body, when: `${said} after 3pm, an hour later` });
  expect(answer).toMatchObject({
    status: 202,
    body: {
      understood: [{ quote: `${said} after 3pm`, kind: 'wanted' }],
      not_understood: ['an hour later'],
      warnings: [expect.stringContaining('“an hour later”')],
    },
  });
  const { result } = await ended(platform, (answer.body as { job_id: string }).job_id);
  const { start_time, end_time } = result.chosen_slot as Body as { start_time: string; end_time: string };
  expect(start_time >= `${date}T15:00` && end_time <= `${date}T18:00:00+00:00`).toBe(true);
  const stored = await world.neon.query('select request from jobs where platform_id = $1', [platform.id]);
  expect(JSON.stringify(stored)).not.toContain('an hour later');
});

test('a job that no time meets quotes nobody when it fails', async () => {
  const { platform, body } = await pair();
  const { said } = weekdayAhead();
  const { result } = await ended(platform, await accepted(platform, { ...body, when: `${said} after 20:00` }));
  expect(result).toMatchObject({ success: false, error_code: 'NO_AVAILABILITY' });
  expect(result.error_message).toMatch(/ at the times asked for\.$/);
  expect(result.suggestions).toContainEqual(expect.stringContaining('Without the wish, '));
});

test('a job keeps to the ranges, and its request without words has no reading', async () => {
  const { platform, body } = await pair();
  const { date } = weekdayAhead();
  const range = { start: `${date}T11:30:00Z`, end: `${date}T12:00:00Z` };
  const answer = await auto(platform, { ...body, time_ranges: [range] });
  expect(answer.body).not.toHaveProperty('understood');
  const { result } = await ended(platform, (answer.body as { job_id: string }).job_id);
  expect((result.chosen_slot as Body).start_time).toBe(`${date}T11:30:00+00:00`);
});

type Pair = Awaited<ReturnType<typeof pair>>;
const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;
const cancelJob = ({ platform }: Pair, id: string) => platform.api.send('DELETE', `/v1/jobs/${id}`);

/** Checks that the job ended as cancelled, with one event, and that nothing stays of a booking, in any view. */
async function expectCancelled(made: Pair, id: string, booking: 'none' | 'withdrawn'): Promise<void> {
  const { platform, ada, bob } = made;
  await quiet([platform]);
  const { body } = await job(platform, id);
  const { result, status } = body as Body & { result: Body };
  expect(status).toBe('failed');
  expect(result).toMatchObject({ success: false, error_code: 'CANCELLED', booking, attendees: [ada.email, bob.email] });
  const told = (await webhooksOf(platform)).filter(({ body: event }) => event.data.job_id === id);
  expect(told.map(({ body: event }) => [event.event_type, event.data])).toEqual([
    ['meeting.scheduling.failed', result],
  ]);
  expect([...liveEvents(ada.email), ...liveEvents(bob.email)]).toEqual([]);
  expect((await platform.api.send('GET', '/v1/meetings')).body).toMatchObject({ meetings: [] });
  expect(await usageOf(platform)).toEqual(booking === 'none' ? [] : [{ used: 0, confirmed: 0 }]);
  expect(await violations({ platforms: [platform] })).toEqual([]);
}

test('a cancellation that loses against the job each time it tries is 409 meeting_busy', async () => {
  const made = await pair();
  const id = await accepted(made.platform, made.body);
  const lost = await losing('jobs', id, () => cancelJob(made, id));
  expect([lost.status, lost.headers.get('retry-after')]).toEqual([409, '5']);
  expect(lost.body).toMatchObject({ error: { code: 'meeting_busy' } });
  expect((await cancelJob(made, id)).body).toMatchObject({ booking: 'none' });
  await expectCancelled(made, id, 'none');
});

describe('a job is cancelled', () => {
  test('before its first run, and again with the same answer', async () => {
    const made = await pair();
    const id = await accepted(made.platform, made.body);
    const answer = await cancelJob(made, id);
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, job_id: id, status: 'failed', booking: 'none', completed_at: expect.any(String) },
    });
    expect((await cancelJob(made, id)).text).toBe(answer.text);
    await expectCancelled(made, id, 'none');
  });

  test('while its run searches: the run books nothing', async () => {
    const made = await pair();
    const id = await accepted(made.platform, made.body);
    const searching = hold({ target: 'google', match: 'POST /calendar/v3/freeBusy' });
    const running = world.qstash.deliverDue();
    await met(searching);
    expect((await cancelJob(made, id)).body).toMatchObject({ booking: 'none' });
    searching.release();
    await running;
    await expectCancelled(made, id, 'none');
  });

  test.each([
    ['before the calendar has its event', { ...INSERT, mode: 'hold' as const }],
    [
      'before the booking is committed',
      { target: 'neon' as const, body_match: 'scheduling\\.completed', mode: 'hold' as const },
    ],
  ])('while its run books, %s: the booking goes with it', async (_when, fault) => {
    const made = await pair();
    const id = await accepted(made.platform, made.body);
    const booking = world.faults.add({ ...fault, times: 1 });
    const running = world.qstash.deliverDue();
    await met(booking);
    expect(await cancelJob(made, id)).toMatchObject({ status: 200, body: { booking: 'withdrawn' } });
    booking.release();
    await running;
    await expectCancelled(made, id, 'withdrawn');
  });

  test('and its event, which comes minutes later, is deleted', async () => {
    const made = await pair();
    const id = await accepted(made.platform, made.body);
    world.faults.add({ ...INSERT, mode: 'late', delay_ms: 4 * 60_000, times: 1 });
    world.faults.add({ ...INSERT, mode: 'reset' });
    await world.qstash.deliverDue();
    expect((await cancelJob(made, id)).body).toMatchObject({ booking: 'withdrawn' });
    world.faults.clear();
    await world.advance(5 * 60_000);
    await expectCancelled(made, id, 'withdrawn');
  });
});

describe('a job that has ended', () => {
  test('keeps its meeting, and the error names it', async () => {
    const made = await pair();
    const id = await accepted(made.platform, made.body);
    await world.qstash.deliverDue();
    const { result } = (await job(made.platform, id)).body as { result: { meeting_id: string } };
    expect(await cancelJob(made, id)).toMatchObject(
      refusal(409, 'job_ended', { message: expect.stringContaining(`${result.meeting_id} stays`) }),
    );
    expect((await made.platform.api.send('GET', `/v1/meetings/${result.meeting_id}`)).body).toMatchObject({
      status: 'scheduled',
    });
  });

  test('without a meeting says so', async () => {
    const made = await pair();
    await world.neon.query('update users set preferences = \'{"timezone":"Nowhere/Land"}\' where email = $1', [
      made.bob.email,
    ]);
    const id = await accepted(made.platform, made.body);
    await world.qstash.deliverDue();
    expect((await job(made.platform, id)).body).toMatchObject({ status: 'failed' });
    expect(await cancelJob(made, id)).toMatchObject(
      refusal(409, 'job_ended', {
        message:
          'This job has already failed, so it can no longer be cancelled. It booked nothing, so there is nothing to cancel.',
      }),
    );
  });
});
