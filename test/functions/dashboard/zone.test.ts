import { expect, test } from 'vitest';
import { atOf, spanOf } from '../../../functions/pages/clock.tsx';
import { formatInZone } from '../../../lib/engine/time/zone.ts';
import {
  atDashboard,
  expectSaid,
  freshDashboard,
  lookingAt,
  type newBrowser,
  scene,
  visit,
  withoutScript,
  wordsOf,
} from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { booked, freshPair } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Browser = ReturnType<typeof newBrowser>;

async function choose(browser: Browser, zone: string, back = '/dashboard') {
  const asked = await visit(browser, `/dashboard/zone?${new URLSearchParams({ back })}`);
  return browser.submit(asked, '/dashboard/zone', { zone });
}

/** Returns an instant on a day two weeks ahead at this time of day in UTC. */
const inTwoWeeks = (time: string) =>
  Date.parse(`${new Date(world.clock.now() + 14 * 86_400_000).toISOString().slice(0, 10)}T${time}Z`);

test('a chosen zone holds on every page, is said there, and leads back to the page with its filters', async () => {
  const pair = await freshPair('pro');
  const start = inTwoWeeks('20:00');
  const { id } = await booked({ pair, start });
  const { browser } = await atDashboard(pair.platform);
  expect(wordsOf(await visit(browser, `/dashboard/meetings/${id}`))).toMatch(
    /Times are in UTC \. Change .* 20:00 to 20:30/,
  );
  const back = await choose(browser, 'Asia/Tokyo', '/dashboard/meetings?status=scheduled');
  expect(new URL(back.url).pathname + new URL(back.url).search).toBe('/dashboard/meetings?status=scheduled');
  expect(wordsOf(back)).toMatch(/Times are in Asia\/Tokyo \. Change .* 05:00 to 05:30/);
  const page = await visit(browser, `/dashboard/meetings/${id}`);
  expect(wordsOf(page)).toMatch(
    /Times are in Asia\/Tokyo \. .* When \w+ \d+ \w+(?: \d{4})?, 05:00 to 05:30 .* 2[01]:00 to 2[01]:30 \(Europe\/London\)/,
  );
  expect(page.html).toContain(`datetime="${new Date(start).toISOString()}"`);
  for (const path of ['', '/people', '/proposals', '/jobs', '/batches', '/webhooks', '/keys', '/audit-log'])
    expect([path, wordsOf(await visit(browser, `/dashboard${path}`)).includes('Times are in Asia/Tokyo .')]).toEqual([
      path,
      true,
    ]);
  // These pages show no time on the page's clock.
  for (const path of ['/why', '/settings', '/zone'])
    expect(wordsOf(await visit(browser, `/dashboard${path}`))).not.toContain('Times are in');
  expect(wordsOf((await atDashboard(pair.platform)).page)).toContain('Times are in UTC .');
});

test('the days of the list of meetings are days in the chosen zone', async () => {
  const pair = await freshPair('pro');
  const start = inTwoWeeks('20:00');
  const { id } = await booked({ pair, start });
  const { browser } = await atDashboard(pair.platform);
  const [day, next] = [start, start + 86_400_000].map((at) => new Date(at).toISOString().slice(0, 10));
  const isOn = async (date = '') =>
    (await visit(browser, `/dashboard/meetings?from=${date}&to=${date}`)).html.includes(id);
  expect([await isOn(day), await isOn(next)]).toEqual([true, false]);
  await choose(browser, 'Asia/Tokyo');
  expect([await isOn(day), await isOn(next)]).toEqual([false, true]);
});

test('a read-only session chooses a zone too, and a zone that does not exist is refused', async () => {
  const platform = await freshPlatform();
  const { browser } = await lookingAt(platform);
  const refused = await choose(browser, 'Europe/Atlantis');
  expectSaid(refused, 400, 'Choose a time zone from the list.');
  expect(wordsOf(await choose(browser, 'Europe/Lisbon'))).toContain('Times are in Europe/Lisbon .');
});

test('the way back never leads out of the dashboard', async () => {
  const { browser } = await freshDashboard();
  const outside = ['https://evil.test/', '//evil.test/dashboard', '/me', '/dashboards', 'javascript:alert(1)'];
  for (const back of [...outside, '/dashboard/../me', 'http://[']) {
    const { status, url } = await choose(browser, 'Europe/Lisbon', back);
    expect({ back, status, url }).toEqual({ back, status: 200, url: `${world.baseUrl}/dashboard` });
  }
});

test('an answer to a form leads back to the list of its section', async () => {
  const { browser, id } = await scene();
  const page = await visit(browser, `/dashboard/meetings/${id}`);
  const refused = await browser.submit(page, `/dashboard/meetings/${id}/reschedule`, { reason: '' });
  expect(withoutScript(refused)).toContain('href="/dashboard/zone?back=%2Fdashboard%2Fmeetings"');
});

test('a person’s work hours stay on their own clock', async () => {
  const platform = await freshPlatform();
  const { email } = await connectedPerson(platform);
  const { browser } = await atDashboard(platform);
  await choose(browser, 'Asia/Tokyo');
  const words = wordsOf(await visit(browser, `/dashboard/people/${encodeURIComponent(email)}`));
  expect(words).toMatch(
    /Work hours On their own clock, in UTC\. .* Monday to Friday 08:00 to 18:00 Saturday and Sunday off/,
  );
});

test('the time since which events are resent is a time in the chosen zone', async () => {
  const { browser, platform } = await scene();
  await webhooksOf(platform);
  await choose(browser, 'Asia/Tokyo');
  const log = await visit(browser, '/dashboard/webhooks');
  const since = formatInZone('Asia/Tokyo', world.clock.now() - 3_600_000).slice(0, 16);
  const answer = await browser.submit(log, '/dashboard/webhooks/resend', { since, status: '' });
  expect(wordsOf(answer)).not.toContain('Since (UTC)');
  expect(wordsOf(answer)).toContain('being resent.');
});

const clock = { zone: 'UTC', now: Date.parse('2026-11-27T10:00Z') };
const lisbon = { ...clock, zone: 'Europe/Lisbon' };
const auckland = { ...clock, zone: 'Pacific/Auckland' };

test.each([
  ['2026-12-02T15:00Z', clock, false, 'Wed 2 Dec, 15:00'],
  ['2026-12-02T15:00:07Z', clock, true, 'Wed 2 Dec, 15:00:07'],
  ['2025-12-02T15:00Z', clock, false, 'Tue 2 Dec 2025, 15:00'],
  ['2027-01-01T00:00Z', clock, false, 'Fri 1 Jan 2027, 00:00'],
  ['2026-07-01T15:00Z', lisbon, false, 'Wed 1 Jul, 16:00'],
  ['2026-12-31T12:00Z', auckland, false, 'Fri 1 Jan 2027, 01:00'],
])('the instant %s is shown as people say it', (iso, on, isExact, said) => {
  expect(atOf(Date.parse(iso), on, { isExact })).toBe(said);
});

test.each([
  ['2026-12-02T15:00Z', '2026-12-02T15:30Z', undefined, 'Wed 2 Dec, 15:00 to 15:30'],
  ['2026-12-02T23:45Z', '2026-12-03T00:15Z', undefined, 'Wed 2 Dec, 23:45 to Thu 3 Dec, 00:15'],
  ['2026-12-02T15:00Z', '2026-12-02T15:30Z', 'America/New_York', 'Wed 2 Dec, 10:00 to 10:30 (America/New_York)'],
  ['2026-12-02T15:00Z', '2026-12-02T15:30Z', 'UTC', 'Wed 2 Dec, 15:00 to 15:30'],
])('the span from %s to %s in %s is shown as people say it', (start, end, zone, said) => {
  expect(spanOf(Date.parse(start), Date.parse(end), clock, { zone })).toBe(said);
});

test('a page says the zone once, and gives the exact instant of each time', async () => {
  const { browser, id, start } = await scene();
  const page = await visit(browser, `/dashboard/meetings/${id}`);
  expect(withoutScript(page).match(/\bUTC\b/g)).toEqual(['UTC']);
  const iso = new Date(start).toISOString();
  expect(page.html).toContain(
    `<time datetime="${iso}" title="${iso}">${atOf(start, { ...clock, now: world.clock.now() })} to `,
  );
});
