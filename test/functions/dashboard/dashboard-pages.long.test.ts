import { describe, expect, test } from 'vitest';
import type { Page } from '../../local/browser.ts';
import { accepted, ended, pair } from '../../support/people/batches.ts';
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
  wordsOf,
} from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, webhooksOf } from '../../support/people/factories.ts';
import { booked, freshPair, inHours, iso, toMonday } from '../../support/people/meetings.ts';
import { answerWith, drain, emitOne, hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const EVERY_PAGE = [
  '/dashboard',
  '/dashboard/people',
  '/dashboard/people/link?user_email=new@people.test',
  '/dashboard/people/disconnect?user_email=new@people.test',
  '/dashboard/meetings',
  '/dashboard/proposals',
  '/dashboard/webhooks',
  '/dashboard/webhooks/endpoint',
  '/dashboard/webhooks/endpoint/rotate',
  '/dashboard/keys',
  '/dashboard/keys/regenerate',
  '/dashboard/settings',
  '/dashboard/zone',
];

describe('every page', () => {
  test('makes two calls to Postgres, one of them for the key, and calls nobody else except for the rate limit', async () => {
    const { platform, browser, id } = await scene();
    await webhooksOf(platform);
    const { body } = await hookOf(platform).logs();
    const [delivery] = (body as { deliveries: { id: string }[] }).deliveries;
    const pages = [...EVERY_PAGE, `/dashboard/meetings/${id}`, `/dashboard/webhooks/${delivery?.id}`];
    for (const path of pages) {
      const page = await visit(browser, path);

      // The page that asks before it rotates, and the choice of a zone, show nothing of the database.
      const shown = /\/(rotate|zone)$/.test(path) ? [] : ['neon'];
      expect([path, page.status, callsFor(page)]).toEqual([
        path,
        200,
        // The first page also reads the platform's hourly counts, beside Postgres.
        ['neon', ...shown, 'redis', ...(path === '/dashboard' ? ['redis'] : [])],
      ]);
    }
  });

  test('of another platform shows nothing of it', async () => {
    const { platform, ada, id } = await scene();
    await webhooksOf(platform);
    const { body } = await hookOf(platform).logs();
    const [delivery] = (body as { deliveries: { id: string }[] }).deliveries;
    const { browser } = await freshDashboard();
    for (const path of EVERY_PAGE.slice(0, 4)) {
      const { html } = await visit(browser, path);
      for (const secret of [ada.email, id, platform.id, delivery?.id ?? '']) expect(html).not.toContain(secret);
    }
    const meeting = await visit(browser, `/dashboard/meetings/${id}`);
    expectSaid(meeting, 404, `Your platform has no meeting with the ID ${id} .`);
    const log = await visit(browser, `/dashboard/webhooks/${delivery?.id}`);
    expectSaid(log, 404, 'The log has no delivery with this ID');
  });

  test('of a platform that has nothing yet says what to do next', async () => {
    const { browser, page } = await freshDashboard({ plan: 'developer' });
    expect(wordsOf(page)).toMatch(/To do Nobody has connected a calendar yet\. Create links for the first two people/);
    expect(wordsOf(page)).toMatch(/0 of 25 meetings on the developer plan; 25 left\./);
    expect(page.html).not.toContain('role="img"');
    expect(wordsOf(await visit(browser, '/dashboard/people'))).toContain('Nobody has connected a calendar yet');
    expect(wordsOf(await visit(browser, '/dashboard/meetings'))).toContain('No upcoming meetings');
    expect(wordsOf(await visit(browser, '/dashboard/webhooks'))).toContain('Nothing has been sent yet');
  });
});

describe('people', () => {
  test('are found by a part of their address', async () => {
    const { ada, bob, browser } = await scene();
    const all = await visit(browser, '/dashboard/people');
    expect(wordsOf(all)).toContain('2 people are connected.');
    const found = await visit(browser, `/dashboard/people?search=${ada.email.toUpperCase().slice(0, 8)}`);
    expect([found.html.includes(ada.email), found.html.includes(bob.email)]).toEqual([true, false]);
    const none = await visit(browser, '/dashboard/people?search=%25_');
    expect(wordsOf(none)).toContain('No connected address contains %_ .');
  });

  test('whose grant has ended are told apart, and told of on the first page', async () => {
    const { platform, ada, bob, browser } = await scene();
    await noteLostGrant(ada.email);
    expect(wordsOf(await visit(browser, `/dashboard/people?search=${ada.email}`))).toContain('Needs to reconnect');
    const first = await visit(browser, '/dashboard');
    expect(wordsOf(first)).toContain('1 person needs to reconnect their calendar.');
    const path = '/dashboard/people?calendar=needs_reauthorization';
    expect(first.html).toContain(`href="${path}">Copy their link<`);
    const listed = await visit(browser, path);
    expect([listed.html.includes(ada.email), listed.html.includes(bob.email)]).toEqual([true, false]);
    const { body } = await platform.api.oauthUrl(ada.email);
    expect(fieldOf(listed, 'link-0')?.replaceAll('&amp;', '&')).toBe((body as { oauth_url: string }).oauth_url);
    const others = await visit(browser, '/dashboard/people?calendar=connected');
    expect([others.html.includes(ada.email), others.html.includes(bob.email)]).toEqual([false, true]);
  });

  test('stand on pages of twenty-five', async () => {
    const platform = await freshPlatform();
    for (let count = 0; count < 26; count += 1) await connectedPerson(platform);
    const { browser } = await atDashboard(platform);
    const first = await visit(browser, '/dashboard/people');
    const next = linkIn(first, /href="(\/dashboard\/people\?cursor=[^"]+)"/);
    const second = await visit(browser, next);
    const rows = ({ html }: Page) => html.match(/<tr/g)?.length ?? 0;
    expect([rows(first), rows(second)]).toEqual([26, 2]);
    expect((await visit(browser, '/dashboard/people?cursor=nonsense')).status).toBe(400);
  });

  test('get a link by any address, and what is none is given back', async () => {
    const { browser } = await freshDashboard();
    const made = await visit(browser, '/dashboard/people/link?user_email=New@People.test');
    expect(fieldOf(made, 'link')).toContain('user_email=new%40people.test');
    const refused = await visit(browser, '/dashboard/people/link?user_email=%3Cb%3E');
    expect([refused.status, fieldOf(refused, 'email')]).toEqual([400, '&lt;b&gt;']);
    expect(wordsOf(refused)).toContain('`user_email` must be an email address, such as ada@example.com.');
  });
});

describe('meetings', () => {
  test('are listed from today on, and found by person, status and day', async () => {
    const { ada, browser, start, platform, id } = await scene();
    expect((await visit(browser, '/dashboard/meetings')).html).toContain(`/dashboard/meetings/${id}`);
    const day = new Date(start).toISOString().slice(0, 10);
    const has = async (query: string) => (await visit(browser, `/dashboard/meetings?${query}`)).html.includes(id);
    expect(await has(`attendee=${ada.email}&from=${day}&to=${day}&status=scheduled`)).toBe(true);
    expect(await has(`from=${day}&to=${day}&status=cancelled`)).toBe(false);
    await platform.api.send('DELETE', `/v1/meetings/${id}`);
    expect(await has(`from=${day}&to=${day}&status=cancelled`)).toBe(true);
    const isOpen = async (query: string) =>
      (await visit(browser, `/dashboard/meetings${query}`)).html.includes('<details class="filters" open');
    expect([await isOpen(''), await isOpen('?status=cancelled')]).toEqual([false, true]);
    const strange = await visit(browser, '/dashboard/meetings?attendee=no.one@people.test');
    expectSaid(strange, 200, 'No meetings match');
    const wrong = await visit(browser, '/dashboard/meetings?from=soon&status=none');
    expect([wrong.status, fieldOf(wrong, 'from')]).toEqual([400, 'soon']);
    const found = await visit(browser, `/dashboard/meetings/find?id=%20${id}%20`);
    expect([found.status, new URL(found.url).pathname]).toEqual([200, `/dashboard/meetings/${id}`]);
    expect((await visit(browser, '/dashboard/meetings/find?id=..')).status).toBe(404);
  });

  test('are found by a part of the title among 92 days, and the page says which', async () => {
    const pair = await freshPair('pro');
    const { platform, ada, bob } = pair;
    const make = (title: string, hours: number) =>
      platform.api.schedule({
        ...{ attendees: [ada.email, bob.email], start_time: iso(inHours(hours)), duration_minutes: 30, title },
      });
    await make('Quarterly 100% REVIEW', 48);
    await make('Coffee', 72);
    await make('Another review', 24 * 120);
    const { browser } = await atDashboard(platform);
    const shown = async (query: Record<string, string>) => {
      const page = await visit(browser, `/dashboard/meetings?${new URLSearchParams(query)}`);
      return ['REVIEW', 'Coffee', 'Another'].filter(
        (title) => page.html.includes(`<bdi>${title}`) || page.html.includes(` ${title}</bdi>`),
      );
    };
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    expect(await shown({ title: 'review', from: day })).toEqual(['REVIEW']);
    expect(await shown({ title: 'Review' })).toEqual(['REVIEW']);
    expect(await shown({ title: '0% rev' })).toEqual(['REVIEW']);
    expect(await shown({ title: '_' })).toEqual([]);
    expect(await shown({ title: 'review', attendee: ada.email })).toEqual(['REVIEW', 'Another']);
    const later = new Date(inHours(24 * 100)).toISOString().slice(0, 10);
    expect(await shown({ title: 'review', from: later })).toEqual(['Another']);
    const page = await visit(browser, `/dashboard/meetings?title=review&from=2027-03-01&to=2027-12-31`);
    expect(wordsOf(page)).toContain('Searched: the titles of meetings from Monday, 1 March to Monday, 31 May.');
    expect([fieldOf(page, 'title'), fieldOf(page, 'to')]).toEqual(['review', '2027-12-31']);
    expect(callsFor(page)).toEqual(['neon', 'neon', 'redis']);
    expect((await visit(browser, `/dashboard/meetings?title=${'x'.repeat(201)}`)).status).toBe(400);
  });

  test('tell their life: booked, moved, answered, called off, and each webhook', async () => {
    const { platform, ada, id, start, eventId, browser } = await scene();
    await webhooksOf(platform);
    await world.advance(60_000);
    const moved = {
      start_time: iso(start + 7_200_000),
      end_time: iso(start + 9_000_000),
      reason: 'The <b>room</b> is taken',
    };
    await platform.api.send('PUT', `/v1/meetings/${id}`, moved);
    await webhooksOf(platform);
    await world.advance(60_000);
    answerWith(platform, { status: 503 });
    await platform.api.send('DELETE', `/v1/meetings/${id}`);
    await drain(platform);
    const page = await visit(browser, `/dashboard/meetings/${id}`);
    const words = wordsOf(page).split('What happened')[1] ?? '';
    const told = [
      'Booked.',
      'Delivered meeting.scheduled to',
      'Moved by the platform from',
      'with the reason “The <b>room</b> is taken”',
      'Delivered meeting.updated to',
      'Cancelled by the platform.',
      'Could not deliver meeting.cancelled to',
      'in 3 attempts: answered 503.',
    ].map((sentence) => words.indexOf(sentence));
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told[0]).toBeGreaterThan(-1);
    expect(page.html).not.toContain('<b>room');
    expect(wordsOf(page)).toContain('(Europe/London)');
    expect([ada.email, eventId].map((text) => page.html.includes(text))).toEqual([true, false]);
  });
});

test('figures: what was made, delivered and accepted stands on the first page and in its tables', async () => {
  // The figures are those of one month.
  await toMonday();
  const pair = await freshPair('starter');
  const { platform, bob } = pair;
  const first = await booked({ pair, start: inHours(48) });
  await booked({ pair, start: inHours(72) });
  await webhooksOf(platform);
  await world.advance(90 * 60_000);
  world.google.patchEvent({ email: bob.email, eventId: first.eventId, responseStatus: 'accepted' });
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  const { page } = await atDashboard(platform);
  expect(wordsOf(page)).toMatch(/2 of 250 meetings on the starter plan; 248 left\./);
  expect(wordsOf(page)).toMatch(/Meetings by day 2 meetings were booked in the last 30 days/);
  expect(wordsOf(page)).toMatch(/(\d+) events in the last 30 days: \1 delivered, none failed\./);
  expect(wordsOf(page)).toMatch(/within 1 hour 0 within 2 hours 1 within 8 hours 0/);
});

test('the last 24 hours: searches, bookings and errors by code stand on the first page', async () => {
  const { platform, ada, bob, browser } = await scene();
  const search = (body: object) => platform.api.send('POST', '/v1/availability', { duration_minutes: 30, ...body });
  expect((await search({ attendees: [ada.email] })).status).toBe(400);
  expect((await platform.api.send('GET', '/v1/meetings/meet_none')).status).toBe(404);
  expect((await search({ attendees: [ada.email, bob.email] })).status).toBe(200);
  await world.advance(3_600_000);
  const isShown = async (words: RegExp) => words.test(wordsOf(await visit(browser, '/dashboard')));
  await expect.poll(() => isShown(/ 1 Searches .* 1 Meetings booked 0 Automatic jobs failed/)).toBe(true);
  const page = await visit(browser, '/dashboard');
  expect(wordsOf(page)).toMatch(/Errors by code .*invalid_attendees API request 1/);
  expect(wordsOf(page)).toMatch(/meeting_not_found API request 1/);
  expect(wordsOf(page)).toContain('The counts of refused API requests can be a few too low');
  await world.advance(25 * 3_600_000);
  const later = await atDashboard(platform);
  expect(wordsOf(later.page)).toMatch(/ 0 Searches .* 0 Meetings booked/);
  expect(wordsOf(later.page)).not.toContain('Errors by code');
});

test('the last 24 hours: a failed automatic job and an event that was not delivered stand on the first page', async () => {
  const { platform, bob, body } = await pair();
  const now = world.clock.now();
  world.google.addBusy({ email: bob.email, start: iso(now - 86_400_000), end: iso(now + 120 * 86_400_000) });
  await ended(platform, await accepted(platform, { ...body, duration_minutes: 30 }));
  answerWith(platform, { status: 500 });
  await emitOne(platform);
  await drain(platform);
  const cancelled = await accepted(platform, { ...body, duration_minutes: 30 });
  expect((await platform.api.send('DELETE', `/v1/jobs/${cancelled}`)).status).toBe(200);
  const { page } = await atDashboard(platform);
  expect(wordsOf(page)).toContain('1 automatic job failed in the last 24 hours. See why, and what to change .');
  expect(wordsOf(page)).not.toContain('CANCELLED');
  expect(wordsOf(page)).toMatch(/ 1 Automatic jobs failed .*NO_AVAILABILITY Automatic job 1/);
  expect(wordsOf(page)).toMatch(/ [1-9]\d* Events not delivered/);
  const red = [...page.html.matchAll(/<b class="bad">[^<]*<\/b> <a href="([^"]*)">/g)].map(([, path]) => path);
  expect(red).toEqual(['/dashboard/jobs?status=failed', '/dashboard/webhooks?status=failed']);
});

test('the first page without Redis shows what Postgres has, and says what is missing', async () => {
  const { browser } = await scene();
  world.faults.add({ target: 'redis', body_match: 'figures:', mode: 'reset' });
  const page = await visit(browser, '/dashboard');
  expectSaid(page, 200, 'counts of searches and errors cannot be read');
  expect(wordsOf(page)).toMatch(/1 Meetings booked/);
});

test('a new platform gets the calls to its first meeting, with its address and its people filled in', async () => {
  const platform = await freshPlatform();
  const { page } = await atDashboard(platform);
  expect(wordsOf(page)).toContain(
    `curl -s &#39;${world.baseUrl}/v1/platform/oauth-url?user_email=bob%40example.com&#39;`,
  );
  const person = await connectedPerson(platform, { name: "o'hara" });
  const { page: next } = await atDashboard(platform);
  expect(wordsOf(next)).toContain(
    `"attendees":["${person.email.replace("'", String.raw`&#39;\&#39;&#39;`)}","bob@example.com"]`,
  );
  const { page: done } = await scene();
  expect(wordsOf(done)).not.toContain('First steps');
});
