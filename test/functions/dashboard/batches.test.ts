import { expect, test } from 'vitest';
import { batchIs, mentoring, readBatch, sendBatch } from '../../support/people/batches.ts';
import { atDashboard, newBrowser, visit, wordsOf } from '../../support/people/dashboard.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { liveEvents } from '../../support/people/meetings.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

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

test('a dry run is booked by its button, which does nothing the second time', async () => {
  const { browser, path, platform, mentor, id } = await planned();
  const page = await visit(browser, path);
  expect(wordsOf(page)).toContain('3 Provisional time');
  const sent = await browser.submit(page, `${path}/commit`);
  expect(sent.status).toBe(200);
  expect(wordsOf(sent)).toContain('The meetings are being booked.');
  expect(liveEvents(mentor.email)).toEqual([]);
  await batchIs(platform, id, 'completed');
  expect(liveEvents(mentor.email)).toHaveLength(3);
  expect((await browser.submit(page, `${path}/commit`)).status).toBe(200);
  expect(liveEvents(mentor.email)).toHaveLength(3);
  const ended = await visit(browser, `${path}?meetings=booked`);
  const { meetings } = await readBatch(platform, id);
  for (const { meeting_id } of meetings) expect(ended.html).toContain(`href="/dashboard/meetings/${meeting_id}"`);
  expect(ended.html).not.toContain(`action="${path}/`);
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

test('a read-only session sees no buttons, and its form is refused', async () => {
  const { platform, path, id } = await planned();
  const { body } = await platform.api.send('POST', '/v1/platform/dashboard-link', { read_only: true });
  const browser = newBrowser();
  await browser.submit(await browser.open((body as { url: string }).url), '/dashboard/enter');
  const page = await visit(browser, path);
  expect(page.html).not.toContain(`action="${path}/`);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.html) ?? [];
  const form = `<form method="post" action="${path}/commit"><input type="hidden" name="csrf" value="${csrf}"></form>`;
  const refused = await browser.submit({ ...page, html: form }, `${path}/commit`);
  expect([refused.status, wordsOf(refused)]).toEqual([403, expect.stringContaining('a read-only link')]);
  expect((await readBatch(platform, id)).status).toBe('planned');
});

test('a form without the token of the session is refused', async () => {
  const { browser, path, platform, id } = await planned();
  const page = await visit(browser, path);
  const refused = await browser.submit(page, `${path}/commit`, { csrf: 'made-up' });
  expect([refused.status, wordsOf(refused)]).toEqual([403, expect.stringContaining('This form has expired')]);
  expect((await readBatch(platform, id)).status).toBe('planned');
});

test("another platform's batch is not found, and a wrong cursor or filter is named", async () => {
  const { path } = await planned();
  const { browser } = await atDashboard(await freshPlatform());
  expect((await visit(browser, path)).status).toBe(404);
  for (const list of ['batches', 'deliveries', 'jobs', 'meetings'])
    expect((await visit(browser, `/dashboard/${list}/%00`)).status).toBe(404);
  expect(wordsOf(await visit(browser, '/dashboard/batches'))).toContain('No batches so far');
  expect((await visit(browser, '/dashboard/batches?cursor=x')).status).toBe(400);
  expect((await visit(browser, `${path}?meetings=some`)).status).toBe(400);
});
