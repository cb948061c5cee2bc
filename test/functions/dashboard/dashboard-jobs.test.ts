import { expect, test } from 'vitest';
import { HOSTILE } from '../../support/checks/forms.ts';
import { accepted, ended, pair } from '../../support/people/batches.ts';
import { atDashboard, visit, withoutScript, wordsOf } from '../../support/people/dashboard.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
  const calls = world.traffic.list().filter(({ request_id }) => request_id === page.requestId);
  expect(calls.map(({ target }) => target).sort()).toEqual(['neon', 'neon', 'redis']);
  const failures = wordsOf(await visit(browser, `${PATH}?status=failed`));
  expect([/Failed one/, /Booked <one>/, /Waiting one/].map((title) => title.test(failures))).toEqual([
    true,
    false,
    false,
  ]);
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
  const why = /href="(\/dashboard\/why\?[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(Object.fromEntries(new URL(why, world.baseUrl).searchParams)).toEqual({
    ...{ first: ada.email, second: bob.email, minutes: '30' },
  });
  const good = await visit(browser, `${PATH}/${booked}`);
  expect(good.html).toContain('Booked &lt;one&gt;');
  const meeting = /href="(\/dashboard\/meetings\/meet_\w+)"/.exec(good.html)?.[1] ?? '';
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
  const next = /href="(\/dashboard\/jobs\?cursor=[^"]+)"/.exec(first.html)?.[1] ?? '';
  const second = wordsOf(await visit(browser, next));
  expect([second.includes('Copy'), second.includes('Waiting one'), second.includes('Failed one')]).toEqual([
    true,
    false,
    false,
  ]);
  for (const query of ['status=odd', 'cursor=nonsense'])
    expect([query, (await visit(browser, `${PATH}?${query}`)).status]).toEqual([query, 400]);
});

test('another platform’s job, no job and hostile text are not found', async () => {
  const { failed } = await threeJobs();
  const { browser } = await atDashboard(await freshPlatform());
  expect(wordsOf(await visit(browser, PATH))).toContain('No automatic jobs so far');
  for (const id of [failed, 'sched_none', ...HOSTILE]) {
    const page = await visit(browser, `${PATH}/${encodeURIComponent(id)}`);
    expect(page.status, id.slice(0, 40)).toBe(404);
    expect(withoutScript(page)).not.toMatch(/<script|<img|No free time/);
  }
});
