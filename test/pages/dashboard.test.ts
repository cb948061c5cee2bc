import { expect, test } from 'vitest';
import { COPY_SCRIPT } from '../../functions/pages/dashboard/parts.tsx';
import { DAY, formatDate, mondayOf } from '../../lib/engine/time/dates.ts';
import { accepted, batchIs, sendBatch } from '../support/people/batches.ts';
import { linkFor } from '../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform, webhooksOf } from '../support/people/factories.ts';
import { booked, freshPair, inHours, iso } from '../support/people/meetings.ts';
import { decline, proposed, strangersAddress } from '../support/people/proposing.ts';
import { answerWith, copyFailed, emitMany, hookOf, type LogPage } from '../support/people/webhooks.ts';
import { inspect, openTab, pagesSuite, settled, strangeParts, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Start of the script that copies ids, as `strangeParts` cuts it. */
const OWN_SCRIPT = `<script>${COPY_SCRIPT}`.slice(0, 200);

const openDashboard = (tab: Tab) =>
  settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());

async function enter(platform: TestPlatform, options: Parameters<typeof openTab>[1] = {}): Promise<Tab> {
  const tab = await openTab(await linkFor(platform), options);
  await openDashboard(tab);
  return tab;
}

test('each page can be read by everybody, also where strangers wrote in it', async () => {
  const pair = await freshPair('pro');
  const { platform, ada, bob } = pair;
  const { id } = await booked({ pair });
  const title = '<img src=x onerror=alert(1)> "quoted" & a title that goes on for longer than a phone is wide';
  const body = { attendees: [ada.email, bob.email], start_time: iso(inHours(72)), duration_minutes: 30, title };
  await platform.api.schedule({ ...body, description: '<script>alert(1)</script>', metadata: { '<b>': '"><i>' } });
  const { proposal_id } = await proposed(platform, {
    ...{ attendees: [ada.email, strangersAddress()], duration_minutes: 30, title },
    ...{ description: '<script>alert(1)</script>', metadata: { '<b>': '"><i>' } },
  });
  const declined = await proposed(platform, { ...body, start_time: undefined, count: 1 });
  await decline(platform, declined.proposal_id, { reason: '<img src=x onerror=alert(1)>' });
  const { planned, weekend, completed } = await batchesOf(pair, title);
  const job = await failedJob(pair, title);
  await webhooksOf(platform);
  const { deliveries } = (await hookOf(platform).logs()).body as { deliveries: { id: string }[] };
  const tab = await openTab(await linkFor(platform));
  await inspect(tab, 'dashboard-enter');
  await openDashboard(tab);
  const pages = {
    overview: '/dashboard',
    people: '/dashboard/people',
    person: `/dashboard/people/${encodeURIComponent(ada.email)}`,
    'no-person': '/dashboard/people/no.one@people.test',
    jobs: '/dashboard/jobs',
    'failed-job': `/dashboard/jobs/${job}`,
    'no-job': '/dashboard/jobs/%3Cscript%3E',
    meetings: '/dashboard/meetings',
    meeting: `/dashboard/meetings/${id}`,
    'no-meeting': '/dashboard/meetings/%3Cscript%3E',
    proposals: '/dashboard/proposals',
    'all-proposals': '/dashboard/proposals?status=any',
    proposal: `/dashboard/proposals/${proposal_id}`,
    'declined-proposal': `/dashboard/proposals/${declined.proposal_id}`,
    'no-proposal': '/dashboard/proposals/%3Cscript%3E',
    batches: '/dashboard/batches',
    'planned-batch': `/dashboard/batches/${planned}`,
    'completed-batch': `/dashboard/batches/${completed}`,
    'without-a-time': `/dashboard/batches/${completed}?meetings=without`,
    'unplaced-batch': `/dashboard/batches/${weekend}`,
    'no-batch': '/dashboard/batches/%3Cscript%3E',
    webhooks: '/dashboard/webhooks',
    delivery: `/dashboard/webhooks/${deliveries[0]?.id}`,
    endpoint: '/dashboard/webhooks/endpoint',
    rotate: '/dashboard/webhooks/endpoint/rotate',
    keys: '/dashboard/keys',
    regenerate: '/dashboard/keys/regenerate',
    'audit-log': '/dashboard/audit-log',
    settings: '/dashboard/settings',
    zone: '/dashboard/zone',
  };
  for (const [name, path] of Object.entries(pages)) {
    await tab.page.goto(world.baseUrl + path);
    const strange = (await strangeParts(tab)).filter((part) => part !== OWN_SCRIPT);
    expect([name, strange]).toEqual([name, []]);
    await inspect(tab, `dashboard-${name}`);
  }
});

/** Runs a scheduling job that is cancelled before it chooses a time, with a title that a stranger chose. */
async function failedJob({ platform, ada, bob }: Awaited<ReturnType<typeof freshPair>>, title: string) {
  const job = await accepted(platform, { attendees: [ada.email, bob.email], duration_minutes: 30, title });
  expect((await platform.api.send('DELETE', `/v1/jobs/${job}`)).status).toBe(200);
  return job;
}

test('the forms on a meeting’s page can be read by everybody, and one of them is sent by keyboard alone', async () => {
  const { platform, id } = await booked();
  const tab = await enter(platform);
  const { keyboard } = tab.page;
  await tab.page.goto(`${world.baseUrl}/dashboard/meetings/${id}`);
  for (const name of ['Reschedule', 'Propose times', 'Cancel']) {
    await tab.page.locator('summary', { hasText: name }).first().click();
    await inspect(tab, `dashboard-meeting-${name.toLowerCase().replace(' ', '-')}`);
  }
  await tabTo(tab, 'Cancel the meeting now');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toContain('The meeting is cancelled');
  await inspect(tab, 'dashboard-meeting-cancelled');
});

/** Sends a dry run and a batch that books, both with people who cannot meet and names that strangers chose. */
async function batchesOf({ platform, ada, bob }: Awaited<ReturnType<typeof freshPair>>, title: string) {
  const without = { reference: '<img src=x onerror=alert(1)>', attendees: [ada.email, strangersAddress()], title };
  const pair = { reference: 'R'.repeat(100), attendees: [ada.email, bob.email], title };
  const busy = { reference: 'long', attendees: [bob.email, ada.email], duration_minutes: 120 };
  const send = async (more: object, status: string) => {
    const { body } = await sendBatch(platform, { meetings: [pair, without, busy], ...more });
    return (await batchIs(platform, (body as { batch_id: string }).batch_id, status)).batch_id;
  };
  const saturday = formatDate(mondayOf(Math.floor(world.clock.now() / DAY)) + 12);
  return {
    planned: await send({ dry_run: true }, 'planned'),
    weekend: await send({ date_range: { start_date: saturday, end_date: saturday } }, 'completed'),
    completed: await send({}, 'completed'),
  };
}

test('a dry run is booked, and a batch stopped, by keyboard alone', async () => {
  const pair = await freshPair('pro');
  const { platform, ada, bob } = pair;
  const meetings = [{ reference: 'one', attendees: [ada.email, bob.email] }];
  const { body } = await sendBatch(platform, { meetings, dry_run: true });
  const { batch_id } = await batchIs(platform, (body as { batch_id: string }).batch_id, 'planned');
  const tab = await enter(platform);
  const { keyboard } = tab.page;
  await tab.page.goto(`${world.baseUrl}/dashboard/batches/${batch_id}`);
  await tabTo(tab, 'Book 1 meeting');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toContain('The meetings are being booked.');
  await inspect(tab, 'dashboard-batch-in-progress');
  await tabTo(tab, 'Stop what is not booked yet');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toContain('The batch is stopped.');
  await inspect(tab, 'dashboard-batch-stopped');
});

test('by keyboard alone a link is made, the settings are saved and the dashboard is left', async () => {
  const { platform } = await freshPair('pro');
  const tab = await enter(platform);
  const { keyboard } = tab.page;
  await tabTo(tab, 'People');
  await settled(tab, () => keyboard.press('Enter'));
  await tabTo(tab, 'Their email address');
  await keyboard.type('new@people.test');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByLabel('Link for new@people.test').inputValue()).toContain('user_email=new%40people.test');
  await tabTo(tab, 'Settings');
  await settled(tab, () => keyboard.press('Enter'));
  await tabTo(tab, 'Redirect URIs, one per line');
  await keyboard.type('https://app.test/in');
  await tabTo(tab, 'Save');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toBe('Your settings are saved.');
  await tabTo(tab, 'Sign out');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('heading', { level: 1 }).textContent()).toBe('You are signed out');
});

test('what a form comes to can be read by everybody', async () => {
  const { platform } = await freshPair('pro');
  const tab = await enter(platform);
  const press = (name: string) => settled(tab, () => tab.page.getByRole('button', { name, exact: true }).click());
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks/endpoint`);
  await tab.page.fill('#url', 'https://10.0.0.1/in');
  await press('Save');
  expect(await tab.page.locator('.error').textContent()).toContain('The webhook URL');
  expect(await tab.page.evaluate('document.activeElement.getAttribute("href")')).toBe('#url');
  await inspect(tab, 'dashboard-endpoint-refused');
  await press('Send a test');
  await inspect(tab, 'dashboard-tested');
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks/endpoint/rotate`);
  await press('Replace the secret');
  await inspect(tab, 'dashboard-new-secret');
  await tab.page.goto(`${world.baseUrl}/dashboard/keys/regenerate`);
  await press('Replace the key now');
  await inspect(tab, 'dashboard-new-key');
  await press('Sign out');
  await inspect(tab, 'dashboard-signed-out');
  await tab.page.goto(`${world.baseUrl}/dashboard`);
  await inspect(tab, 'dashboard-closed');
  await tab.page.goto(`${world.baseUrl}/dashboard/nowhere`);
  await inspect(tab, 'dashboard-nowhere');
  expect(await tab.page.getByRole('link', { name: 'Back to the dashboard' }).count()).toBe(1);
});

test('a platform’s long name keeps the bar on one line, and is whole in its title', async () => {
  const heights: number[] = [];
  for (const name of ['Acme', `The Very Long Name of a Platform ${'W'.repeat(27)}`]) {
    const tab = await enter(await freshPlatform({ name }));
    await tab.page.setViewportSize({ width: 1280, height: 900 });
    const bar = await tab.page.locator('.top').boundingBox();
    heights.push(bar?.height ?? 0);
    expect(await tab.page.locator('.who bdi').getAttribute('title')).toBe(name);
    await inspect(tab, `dashboard-named-${name.length}`);
  }
  expect(heights[0]).toBeGreaterThan(0);
  expect(heights[1]).toBe(heights[0]);
});

async function openAt(platform: TestPlatform, path: string, javaScript = true) {
  const tab = await enter(platform, { javaScript });
  await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab.page.goto(world.baseUrl + path);
  return tab;
}

test('by keyboard alone an id is copied, and screen readers hear it', async () => {
  const { platform, id } = await booked();
  const tab = await openAt(platform, `/dashboard/meetings/${id}`);
  await tabTo(tab, 'Copy the meeting ID');
  await tab.page.keyboard.press('Enter');
  await expect.poll(() => tab.page.locator('main [aria-live=polite]').textContent()).toBe('Copied');
  expect(await tab.page.locator('.copy').textContent()).toBe('Copied the meeting ID');
  expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(id);
  await expect.poll(() => tab.page.locator('main [aria-live=polite]').textContent()).toBe('');
});

test('if the browser forbids copying, the button says so', async () => {
  const { platform, id } = await booked();
  const tab = await openAt(platform, `/dashboard/meetings/${id}`);
  await tab.page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))`);
  await tab.page.locator('.copy').click();
  await expect.poll(() => tab.page.locator('main [aria-live=polite]').textContent()).toBe('Not copied');
});

test('a delivery, its event and a person can be copied, and a link to connect is copied whole', async () => {
  const { platform, ada } = await booked();
  await webhooksOf(platform);
  const { deliveries } = (await hookOf(platform).logs()).body as { deliveries: { id: string }[] };
  const tab = await openAt(platform, `/dashboard/webhooks/${deliveries[0]?.id}`);
  const buttons = () => tab.page.locator('.copy').allTextContents();
  expect(await buttons()).toEqual(['Copy the meeting ID', 'Copy the URL', 'Copy the delivery ID', 'Copy the event ID']);
  await tab.page.goto(`${world.baseUrl}/dashboard/people/${encodeURIComponent(ada.email)}`);
  expect(await buttons()).toEqual(['Copy the email address', 'Copy the link']);
  await tab.page.locator('summary', { hasText: 'Link to connect again' }).click();
  await tab.page.locator('.copy').last().click();
  await expect.poll(() => tab.page.evaluate('navigator.clipboard.readText()')).toContain('user_email=');
  expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(await tab.page.locator('#link').inputValue());
});

test('without JavaScript no button does nothing', async () => {
  const { platform, id } = await booked();
  const tab = await openAt(platform, `/dashboard/meetings/${id}`, false);
  expect(await tab.page.locator('[data-copy]').textContent()).toBe(id);
  expect(await tab.page.locator('.copy').count()).toBe(0);
});

test('the page of the time zone proposes the browser’s zone until one is chosen', async () => {
  const tab = await enter(await freshPlatform(), { timeZone: 'Europe/Lisbon' });
  await tab.page.goto(`${world.baseUrl}/dashboard/zone`);
  const [list, said] = [tab.page.locator('#zone'), tab.page.getByText('This is your browser’s time zone')];
  expect([await list.inputValue(), await said.isVisible()]).toEqual(['Europe/Lisbon', true]);
  await list.selectOption('Asia/Tokyo');
  await settled(tab, () => tab.page.getByRole('button', { name: 'Show times in this zone' }).click());
  await tab.page.goto(`${world.baseUrl}/dashboard/zone`);
  expect([await list.inputValue(), await said.count()]).toEqual(['Asia/Tokyo', 0]);
});

/** Opens the dashboard of a platform whose receiver refused an event with a long answer of strange text. */
async function withRefused() {
  const platform = await freshPlatform();
  await hookOf(platform).put({ redeliver_hours: 0 });
  answerWith(platform, { status: 503, body: `<script>alert(1)</script>\u202E${'no-space-in-this-answer'.repeat(60)}` });
  await emitMany(platform, 1);
  await copyFailed(platform, 30);
  answerWith(platform, { status: 200, body: '{"received":true}' });
  await hookOf(platform).put({ url: `${platform.webhookUrl}/${'a-long-path-'.repeat(12)}` });
  await emitMany(platform, 1);
  return { platform, tab: await enter(platform) };
}

test('the log and a delivery can be read by everybody, with a full page, filters and a long answer', async () => {
  const { platform, tab } = await withRefused();
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks`);
  expect(await tab.roundTrips()).toMatchObject({ neon: 2 });
  await inspect(tab, 'deliveries');
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks?event=meeting.updated&status=failed&from=2026-01-01`);
  await inspect(tab, 'deliveries-none');
  const { deliveries } = (await hookOf(platform).logs('?status=failed&limit=200')).body as LogPage;
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks/${deliveries.at(-1)?.id}`);
  await inspect(tab, 'delivery-refused');
  await tab.page.locator('summary', { hasText: 'Request headers' }).first().click();
  await inspect(tab, 'delivery-headers');
});

test('two deliveries are selected and sent again by keyboard alone', async () => {
  const { tab } = await withRefused();
  const { keyboard } = tab.page;
  await tab.page.goto(`${world.baseUrl}/dashboard/webhooks?status=failed`);
  for (let selected = 0; selected < 2; selected += 1) {
    await tabTo(tab, /^user\.calendar\.connected, /);
    await keyboard.press('Space');
  }
  await tabTo(tab, 'Resend selected');
  await settled(tab, () => keyboard.press('Enter'));
  expect(await tab.page.getByRole('status').textContent()).toBe('2 events are being sent again.');
  await inspect(tab, 'deliveries-resent');
});
