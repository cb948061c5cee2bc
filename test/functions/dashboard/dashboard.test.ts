import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../../support/checks/forms.ts';
import { accepted, batchIs, ended, mentoring, pair, readBatch, sendBatch } from '../../support/people/batches.ts';
import { noteLostGrant } from '../../support/people/calendars.ts';
import {
  atDashboard,
  callsFor,
  expectSaid,
  fieldOf,
  freshDashboard,
  linkIn,
  scene,
  visit,
  withoutScript,
  wordsOf,
} from '../../support/people/dashboard.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked, freshPair, liveEvents, type Pair, useQuota } from '../../support/people/meetings.ts';
import { personWith } from '../../support/people/why.ts';
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

  test('says when the quota is used up, and that an unlimited one never is', async () => {
    const poor = await freshPlatform({ plan: 'developer' });
    await useQuota(poor, 25);
    expect(await read(poor)).toMatchObject({ usage: { this_month: 25, limit: 25, remaining: 0, can_schedule: false } });
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

const pathOf = (email: string) => `/dashboard/people/${encodeURIComponent(email)}`;

test('a person’s page shows their calendar, zone, hours, meetings, events and link, in one call for its data', async () => {
  const { platform, ada, bob, id, browser } = await scene();
  const page = await visit(browser, pathOf(ada.email));
  expect(callsFor(page)).toEqual(['neon', 'neon', 'redis']);
  expect(wordsOf(page)).toMatch(/Calendar Connected .* Time zone Europe\/London/);
  expect(wordsOf(page)).toMatch(/Monday to Friday 08:00 to 18:00 Saturday and Sunday off/);
  expect(wordsOf(page)).toMatch(new RegExp(`Upcoming meetings .* Intro .* ${bob.email} Scheduled`));
  expect(page.html).toContain(`href="/dashboard/meetings/${id}"`);
  expect(wordsOf(page)).toContain('user.calendar.connected');
  const { body } = await platform.api.oauthUrl(ada.email);
  expect(fieldOf(page, 'link')?.replaceAll('&amp;', '&')).toBe((body as { oauth_url: string }).oauth_url);
  expect(page.html).toContain(`/dashboard/people/disconnect?user_email=${encodeURIComponent(ada.email)}`);
});

test('a person’s rules are quoted, and a grant that has ended is told', async () => {
  const platform = await freshPlatform();
  const ada = await personWith(platform, { preferences: { scheduling_context: 'Never before 10. <b>bold</b>' } });
  const { browser } = await atDashboard(platform);
  await noteLostGrant(ada.email);
  const page = await visit(browser, pathOf(ada.email));
  expect(wordsOf(page)).toContain('Needs to reconnect');
  expect(wordsOf(page)).toMatch(/Rules in their own words .*Never before 10/);
  expect(page.html).not.toContain('<b>bold');
});

test('a stranger, another platform’s person and hostile text are told as what they are', async () => {
  const { ada } = await scene();
  const { browser } = await freshDashboard();
  const page = await visit(browser, pathOf(ada.email));
  expectSaid(page, 404, 'Nobody with this address is connected');
  expect(page.html).not.toContain('Europe/London');
  for (const text of HOSTILE) {
    const answer = await visit(browser, pathOf(text));
    expect([400, 404]).toContain(answer.status);
    expect(withoutScript(answer)).not.toMatch(/<script|<img/);
  }
});

const PATH = '/dashboard/jobs';

/** Runs a job that books, one that finds no time, and one that is still waiting. */
async function threeJobs() {
  const { platform, ada, bob, body } = await pair();
  const request = { ...body, duration_minutes: 30 };
  const booked = await accepted(platform, { ...request, title: 'Booked <one>' });
  await ended(platform, booked);
  const now = world.clock.now();
  const [start, end] = [now - 86_400_000, now + 120 * 86_400_000].map((at) => new Date(at).toISOString());
  world.google.addBusy({ email: bob.email, start: start ?? '', end: end ?? '' });
  const failed = await accepted(platform, { ...request, title: 'Failed one' });
  const { result } = await ended(platform, failed);
  const waiting = await accepted(platform, { ...request, title: 'Waiting one' });
  await accepted(platform, { ...request, context: 'interview' });
  return { platform, ada, bob, booked, failed, waiting, result, ...(await atDashboard(platform)) };
}

test('the list shows jobs in progress first, and failures with their reason, in one call for its data', async () => {
  const { browser } = await threeJobs();
  const page = await visit(browser, PATH);
  // The one without a title has that of its meeting.
  expect(wordsOf(page)).toMatch(
    /Interview: Ada \S+ and Bob \S+ .* Waiting one .* Choosing a time .*Failed one .* Failed No free time .*Booked <one>/,
  );
  expect(callsFor(page)).toEqual(['neon', 'neon', 'redis']);
  const failures = wordsOf(await visit(browser, `${PATH}?status=failed`));
  expect(failures).toContain('Failed one');
  expect(failures).not.toMatch(/Booked <one>|Waiting one/);
  const running = wordsOf(await visit(browser, `${PATH}?status=processing`));
  expect([running.includes('Waiting one'), running.includes('Failed one')]).toEqual([true, false]);
});

test('a job that the platform cancelled did not fail', async () => {
  const { platform, body } = await pair();
  const job = await accepted(platform, { ...body, duration_minutes: 30, title: 'Not any more' });
  expect((await platform.api.send('DELETE', `/v1/jobs/${job}`)).status).toBe(200);
  const { browser } = await atDashboard(platform);
  expect(wordsOf(await visit(browser, `${PATH}?status=failed`))).toContain('No jobs match');
  const list = wordsOf(await visit(browser, `${PATH}?status=cancelled`));
  expect(list).toMatch(/Not any more .* Cancelled Cancelled by your platform/);
  const own = await visit(browser, `${PATH}/${job}`);
  expect([own.html.includes('class="notice info"'), own.html.includes('notice bad')]).toEqual([true, false]);
});

test('a job’s page says why it failed and what to do, and leads to its meeting, its people and “Why not?”', async () => {
  const { browser, booked, failed, result, ada, bob } = await threeJobs();
  const page = await visit(browser, `${PATH}/${failed}`);
  expect(result.error_code).toBe('NO_AVAILABILITY');
  for (const said of [result.error_message, ...(result.suggestions as string[])])
    expect(wordsOf(page).replaceAll('&#39;', "'")).toContain(String(said));
  expect(page.html).toContain(`href="/dashboard/people/${encodeURIComponent(ada.email)}"`);
  const why = linkIn(page, /href="(\/dashboard\/why\?[^"]+)"/);
  expect(Object.fromEntries(new URL(why, world.baseUrl).searchParams)).toEqual({
    ...{ first: ada.email, second: bob.email, minutes: '30' },
  });
  const good = await visit(browser, `${PATH}/${booked}`);
  expect(good.html).toContain('Booked &lt;one&gt;');
  const meeting = linkIn(good, /href="(\/dashboard\/meetings\/meet_\w+)"/);
  const life = await visit(browser, meeting);
  expect([life.status, life.html.includes(`${PATH}/${booked}`)]).toEqual([200, true]);
});

test('the list comes in pages, and a filter that is wrong is named', async () => {
  const { platform, browser, failed } = await threeJobs();
  for (let copy = 0; copy < 25; copy += 1)
    await world.neon.query(
      `insert into jobs (id, platform_id, status, request, result, created_at, completed_at)
       select $3, platform_id, status, request || jsonb_build_object('title', $4::text), result, created_at,
         completed_at - interval '1 day' from jobs where id = $1 and platform_id = $2`,
      [failed, platform.id, `sched_${platform.id.slice(-8)}${copy}`, `Copy ${copy}.`],
    );
  const first = await visit(browser, PATH);
  const next = linkIn(first, /href="(\/dashboard\/jobs\?cursor=[^"]+)"/);
  const second = wordsOf(await visit(browser, next));
  expect(second).toContain('Copy');
  expect(second).not.toMatch(/Waiting one|Failed one/);
  for (const query of ['status=odd', 'cursor=nonsense'])
    expect([query, (await visit(browser, `${PATH}?${query}`)).status]).toEqual([query, 400]);
});

test('another platform’s job, no job and hostile text are not found', async () => {
  const { failed } = await threeJobs();
  const { browser } = await freshDashboard();
  expect(wordsOf(await visit(browser, PATH))).toContain('No automatic jobs so far');
  for (const id of [failed, 'sched_none', ...HOSTILE]) {
    const page = await visit(browser, `${PATH}/${encodeURIComponent(id)}`);
    expect(page.status, id.slice(0, 40)).toBe(404);
    expect(withoutScript(page)).not.toMatch(/<script|<img|No free time/);
  }
});

/** Sends a dry run of a mentor with three people, and opens the dashboard. */
async function planned() {
  const made = await mentoring();
  const { body } = await sendBatch(made.platform, { ...made.body, dry_run: true });
  const { batch_id: id } = body as { batch_id: string };
  await batchIs(made.platform, id, 'planned');
  const { browser } = await atDashboard(made.platform);
  return { ...made, id, browser, path: `/dashboard/batches/${id}` };
}

test('the list has each batch with its counts, and leads to its page', async () => {
  const { browser, id } = await planned();
  const page = await visit(browser, '/dashboard/batches');
  expect(page.html).toContain(`href="/dashboard/batches/${id}"`);
  expect(wordsOf(page)).toContain('Planned, not booked');
  expect(wordsOf(page)).toContain('3 provisional times');
});

test('a batch is stopped by its button, and a form of its former page books nothing any more', async () => {
  const { browser, path, platform, mentor, id } = await planned();
  const page = await visit(browser, path);
  const sent = await browser.submit(page, `${path}/stop`);
  expect(wordsOf(sent)).toContain('The batch is stopped. Booked meetings stay.');
  const late = await browser.submit(page, `${path}/commit`);
  expect([late.status, wordsOf(late).includes('The meetings are being booked.')]).toEqual([409, false]);
  await batchIs(platform, id, 'cancelled');
  expect((await readBatch(platform, id)).counts).toMatchObject({ cancelled: 3, booked: 0 });
  expect(liveEvents(mentor.email)).toEqual([]);
});

test('the reasons of meetings without a time stand beside them, and the list shows those alone if asked', async () => {
  const made = await mentoring({ mentees: 2 });
  const [first, second] = made.meetings;
  const whole = { ...second, attendees: [made.mentor.email, 'nobody@people.test'] };
  const { body } = await sendBatch(made.platform, { meetings: [first, whole], dry_run: true });
  const { batch_id: id } = body as { batch_id: string };
  const { meetings } = await batchIs(made.platform, id, 'planned');
  const { browser } = await atDashboard(made.platform);
  const page = await visit(browser, `/dashboard/batches/${id}?meetings=without`);
  const without = meetings.filter(({ reason }) => reason !== null);
  for (const { reference, reason } of without) {
    expect(wordsOf(page)).toContain(reference);
    for (const suggestion of reason?.suggestions ?? []) expect(wordsOf(page)).toContain(suggestion);
  }
  for (const { reference } of meetings.filter((one) => one.reason === null))
    expect(wordsOf(page)).not.toContain(` ${reference} `);
});

test("another platform's batch is not found, and a wrong cursor or filter is named", async () => {
  const { path } = await planned();
  const { browser } = await freshDashboard();
  expect((await visit(browser, path)).status).toBe(404);
  for (const list of ['batches', 'deliveries', 'jobs', 'meetings'])
    expect((await visit(browser, `/dashboard/${list}/%00`)).status).toBe(404);
  expect(wordsOf(await visit(browser, '/dashboard/batches'))).toContain('No batches so far');
  expect((await visit(browser, '/dashboard/batches?cursor=x')).status).toBe(400);
  expect((await visit(browser, `${path}?meetings=some`)).status).toBe(400);
});
