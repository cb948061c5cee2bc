import { describe, expect, test } from 'vitest';
import { violations } from '../../support/checks/checker.ts';
import { refusal } from '../../support/checks/errors.ts';
import { accepted, type Body, job, pair } from '../../support/people/batches.ts';
import { webhooksOf } from '../../support/people/factories.ts';
import { liveEvents } from '../../support/people/meetings.ts';
import { hold, losing, met } from '../../support/worlds/held.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
  expect(await world.neon.query('select used, confirmed from usage where platform_id = $1', [platform.id])).toEqual(
    booking === 'none' ? [] : [{ used: 0, confirmed: 0 }],
  );
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

  test('after its run died with the event made: the event goes too', async () => {
    const made = await pair();
    const id = await accepted(made.platform, made.body);
    world.faults.add({ ...INSERT, mode: 'kill_after', times: 1 });
    await world.qstash.deliverDue().catch(() => undefined);
    await world.worker.ready();
    world.faults.clear();
    expect(liveEvents(made.ada.email)).toHaveLength(1);
    expect((await cancelJob(made, id)).body).toMatchObject({ booking: 'withdrawn' });
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

  test('is unknown to other platforms, as one that never was', async () => {
    const [made, other] = [await pair(), await pair()];
    const id = await accepted(made.platform, made.body);
    for (const [whose, which] of [
      [other, id],
      [made, 'sched_none'],
    ] as const)
      expect(await cancelJob(whose, which)).toMatchObject(
        refusal(404, 'job_not_found', {
          message:
            'No scheduling job has the ID in the request. Use a job ID that POST /v1/schedule/auto returned, at most 30 days after the job ended.',
        }),
      );
    expect((await job(made.platform, id)).body).toMatchObject({ status: 'processing' });
  });
});
