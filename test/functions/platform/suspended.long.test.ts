import { describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { tick } from '../../support/people/calendars.ts';
import { atDashboard, headingOf, linkFor, newBrowser, visit } from '../../support/people/dashboard.ts';
import { freshPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { bookable } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Suspends or resumes a platform, as the operator's command does. */
const setSuspended = ({ id }: Pick<TestPlatform, 'id'>, isSuspended: boolean) =>
  world.neon.query(`update platforms set suspended_at = ${isSuspended ? 'now()' : 'null'} where id = $1`, [id]);

interface Ready {
  oldest_unfinished_booking_age_seconds: number | null;
}

const TWO_DAYS_SECONDS = 2 * 86_400;

const SUSPENDED = wholeError({
  error: 'Platform suspended',
  message:
    'This platform is suspended, so its API keys do not work. Ask the operator of this service to resume the platform.',
});

describe('a suspended platform', () => {
  test.each(['known', 'new'])(
    'is refused with 403 at every call, with a key that is %s to the Worker',
    async (seen) => {
      const { platform, body } = await bookable();
      const auto = { attendees: body.attendees };
      if (seen === 'known') expect((await platform.api.calendars()).status).toBe(200);
      await setSuspended(platform, true);
      for (const answer of [
        await platform.api.calendars(),
        await platform.api.schedule(body),
        await platform.api.send('POST', '/v1/schedule/auto', auto),
        await platform.api.send('POST', '/v1/schedule/auto', auto, { headers: { 'Idempotency-Key': 'suspended' } }),
        await platform.api.send('POST', '/v1/meetings/mtg_1/reschedule', {
          requested_by: auto.attendees[0],
          reason: 'x',
        }),
        await platform.api.send('POST', '/v1/platform/regenerate-key'),
        await platform.api.send('POST', '/v1/platform/dashboard-link'),
      ])
        expect([answer.status, answer.body]).toEqual([403, SUSPENDED]);
      await setSuspended(platform, false);
      expect((await platform.api.calendars()).status).toBe(200);
    },
  );

  test('has its jobs and webhooks wait, and then end as if nothing had been', async () => {
    const { platform, body } = await bookable();
    world.qstash.setKnobs({ hold: true });
    const accepted = await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
    const { job_id } = accepted.body as { job_id: string };
    expect((await platform.api.schedule(body)).status).toBe(200);
    await setSuspended(platform, true);
    world.qstash.setKnobs({ hold: false });
    const before = (await webhooksOf(platform)).length;
    await world.advance(10 * 60_000);
    await tick();
    expect((await webhooksOf(platform)).length).toBe(before);
    const [job] = await world.neon.query('select status, attempts from jobs where id = $1', [job_id]);
    expect(job).toEqual({ status: 'processing', attempts: 0 });

    await setSuspended(platform, false);
    await tick();
    await webhooksOf(platform);
    await tick();
    const told = (await webhooksOf(platform)).map(({ body: { event_type } }) => event_type);
    expect(told).toEqual(expect.arrayContaining(['meeting.scheduled', 'meeting.scheduling.completed']));
    expect((await platform.api.send('GET', `/v1/jobs/${job_id}`)).body).toMatchObject({ status: 'completed' });
  });

  test('has no dashboard, and its links connect nobody, while people keep their own pages', async () => {
    const { platform, ada } = await bookable();
    const link = await linkFor(platform);
    const { browser } = await atDashboard(platform);
    const me = await world.signIn(ada.email);
    await setSuspended(platform, true);
    expect(headingOf(await visit(browser, '/dashboard'))).toBe('You are not signed in');
    expect(headingOf(await newBrowser().open(link))).toBe('This link does not open the dashboard');
    const query = new URLSearchParams({ platform_key: platform.publishable_key, user_email: freshPerson().email });
    const connect = await newBrowser().open(`${world.baseUrl}/v1/auth/calendar/authorize?${query}`);
    expect(connect.status).toBe(400);
    expect(connect.html).toContain('is suspended, so it cannot connect calendars until the operator resumes it');
    expect((await me.browser.open(`${world.baseUrl}/me`)).html).toContain('Who has access to your calendar');
    expect((await world.signIn(ada.email)).page.html).toContain('Test platform');
  });

  test('is no reason to alarm: what waits for it is not the oldest work', async () => {
    const platform = await freshPlatform();
    await world.neon.query(
      `insert into jobs (id, platform_id, status, request, created_at, next_run_at)
       values ('sched_suspended', $1, 'processing', '{}', now() - interval '3 days', null)`,
      [platform.id],
    );
    const ready = async () => {
      const headers = { authorization: `Bearer ${world.secrets.HEALTH_TOKEN}` };
      const answer = await fetch(`${world.baseUrl}/health/ready`, { headers });
      return ((await answer.json()) as Ready).oldest_unfinished_booking_age_seconds ?? 0;
    };
    expect(await ready()).toBeGreaterThan(TWO_DAYS_SECONDS);
    await setSuspended(platform, true);
    expect(await ready()).toBeLessThan(TWO_DAYS_SECONDS);
    await world.neon.query("delete from jobs where id = 'sched_suspended'");
  });
});
