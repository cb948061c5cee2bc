import { describe, expect, test } from 'vitest';
import { accepted, ended, pair } from '../../support/people/batches.ts';
import { liveEvents } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
      /has no calendar connected to this platform\.$/,
    ],
    [
      'TOKEN_EXPIRED',
      async ({ bob }) => {
        world.google.revoke(bob.email);
        await world.advance(2 * 3_600_000);
      },
      /connect their calendar again, because access to it was revoked or has expired\.$/,
    ],
    [
      'TIMEZONE_ERROR',
      async ({ bob }) => {
        world.google.addUser({ email: bob.email, timezone: 'Mars/Olympus' });
        await world.neon.query("update users set calendar_time_zone = '' where email = $1", [bob.email]);
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
          .query('insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, 25, 25, 25)', [
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
      metadata: {},
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

test('a job that a calendar refuses for good does not suggest to call again later', async () => {
  const { platform, body, ada } = await pair({ plan: 'developer' });
  const error = { code: 403, message: '-', errors: [{ domain: 'calendar', reason: 'notACalendarUser', message: '-' }] };
  const match = 'POST /calendar/v3/calendars/primary/events';
  world.faults.add({ target: 'google', match, mode: 'status', status: 403, body: { error } });
  const { result } = await ended(platform, await accepted(platform, body));
  expect(result).toMatchObject({
    error_code: 'GOOGLE_API_ERROR',
    error_message: expect.stringMatching(/^The calendar of .* refused the request\. Check that .* may still change/),
    suggestions: [
      'Ask the person to check that their Google account still has a calendar and that they may change it.',
      'Then call POST /v1/schedule/auto again.',
      'If it has none, put the other person first in `attendees`, because the event is made on the calendar of the first.',
    ],
  });
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a job whose Worker died three times says that it was us, not the calendar', async () => {
  const { platform, body } = await pair();
  const id = await accepted(platform, body);
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'kill' });
  const attempts = async () =>
    Number((await world.neon.query('select attempts from jobs where id = $1', [id]))[0]?.attempts);
  // A read of a calendar outside the job may also kill the Worker, so the loop counts the attempts.
  while ((await attempts()) < 3) {
    await world.qstash.deliverDue().catch(() => undefined);
    await world.worker.ready();
    await world.advance(120_000);
    await world.worker.runScheduled(world.clock.now());
  }
  world.faults.clear();
  const { result } = await ended(platform, id);
  expect(result).toMatchObject({ error_code: 'INTERNAL_ERROR', error_message: expect.stringMatching(/on our side/) });
  expect(await attempts()).toBe(4);
});
