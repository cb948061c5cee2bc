import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { sayDate } from '../../../lib/engine/time/dates.ts';
import type { Page } from '../../local/browser.ts';
import { atDashboard, expectSaid, lookingAt, visit, wordsOf } from '../../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import {
  answerWith,
  arrived,
  arrivedEvents,
  copyFailed,
  drain,
  emitMany,
  emitOne,
  hookOf,
  type LogPage,
} from '../../support/people/webhooks.ts';
import { callsEnded } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const LOG = '/dashboard/webhooks';

/** Opens the dashboard of a platform whose first event arrived, and whose receiver then refused as many as given. */
async function withFailed(count: number) {
  const platform = await freshPlatform();
  await emitMany(platform, 1);
  await hookOf(platform).put({ max_retries: 1, redeliver_hours: 0 });
  answerWith(platform, { status: 503 });
  await emitMany(platform, count);
  answerWith(platform, { status: 200 });
  const { browser } = await atDashboard(platform);
  return { platform, browser, open: (query = '') => visit(browser, LOG + query) };
}

const selectable = ({ html }: Page) => [...html.matchAll(/name="id" value="(wh_del_\w+)"/g)].map(([, id = '']) => id);
const listed = ({ html }: Page) =>
  [...html.matchAll(/<a href="\/dashboard\/webhooks\/(wh_del_\w+)">/g)].map(([, id]) => id);
const notice = (page: Page) => /role="(?:status|alert)">(.*?)<\/div>/.exec(page.html)?.[1];
const logOf = async (platform: TestPlatform) => ((await hookOf(platform).logs()).body as LogPage).deliveries;
const today = () => new Date(world.clock.now()).toISOString().slice(0, 10);

/** A platform that no test changes. */
let unchanged: Awaited<ReturnType<typeof withFailed>>;
beforeAll(async () => {
  unchanged = await withFailed(1);
});

describe('the list of deliveries', () => {
  test('counts by status under its other filters, and each number leads to its deliveries', async () => {
    const { open } = await withFailed(2);
    expect(wordsOf(await open())).toContain('Failed 2 Pending 0 Delivered 1');
    for (const page of [await open(), await open('/endpoint')])
      expect(wordsOf(page)).toMatch(/Your webhook has been failing since .* Tandem plans no further try by itself\./);
    const failed = await open('?status=failed');
    expect([listed(failed).length, wordsOf(failed)]).toEqual([
      2,
      expect.stringContaining('All Failed 2 Pending 0 Delivered 1'),
    ]);
    expect(failed.html).toContain(`href="${LOG}?status=success"`);
    expect(wordsOf(await open('?event=meeting.updated'))).toContain('Failed 0 Pending 0 Delivered 0');
  });

  test('counts a thousand and says that there are more', async () => {
    const { platform, open } = await withFailed(1);
    await world.neon.query('delete from deliveries where platform_id = $1 and status <> $2', [platform.id, 'failed']);
    await copyFailed(platform, 1_000);
    const page = await open();
    expect(wordsOf(page)).toContain('Failed over 1,000');
    expect(wordsOf(page)).toContain('Over 1,000 events did not arrive Resend the oldest 500');
  });

  test('is filtered by the URL that the events went to', async () => {
    const { platform, open } = await withFailed(1);
    const unfiltered = await open();
    expect(unfiltered.html).not.toContain('name="url"');
    expect(unfiltered.html).toContain('<details class="filters"><summary>');
    await hookOf(platform).put({ url: `${platform.webhookUrl}-new` });
    await emitMany(platform, 2);
    const page = await open(`?${new URLSearchParams({ url: `${platform.webhookUrl}-new` })}`);
    expect(listed(page)).toHaveLength(2);
    expect(page.html).toContain('<details class="filters" open="">');
    expect(page.html).toContain(`<option value="${platform.webhookUrl}">`);
    expect(listed(await open(`?${new URLSearchParams({ url: platform.webhookUrl, status: 'failed' })}`))).toHaveLength(
      1,
    );
  });

  test('is filtered by days, both inclusive', async () => {
    const { platform, open } = await withFailed(1);
    const all = await logOf(platform);
    await world.neon.query(
      `update deliveries set created_at = date_trunc('day', created_at) - interval '1 ms' where id = $1`,
      [all[0]?.id],
    );
    const yesterday = new Date(world.clock.now() - 86_400_000).toISOString().slice(0, 10);
    expect(listed(await open(`?from=${today()}`))).toEqual([all[1]?.id]);
    expect(listed(await open(`?to=${yesterday}`))).toEqual([all[0]?.id]);
    expect(listed(await open(`?from=${yesterday}&to=${today()}`))).toHaveLength(2);
    expect(listed(await open(`?from=${yesterday}&to=${yesterday}`))).toEqual([all[0]?.id]);
  });

  test('takes its days on the clock of the page', async () => {
    const { platform, browser, open } = await withFailed(1);
    const [failed] = await logOf(platform);
    await world.neon.query("update deliveries set created_at = '2026-11-20T20:00Z' where id = $1", [failed?.id]);
    const zones = await visit(browser, '/dashboard/zone');
    await browser.submit(zones, '/dashboard/zone', { zone: 'Asia/Tokyo' });
    expect(listed(await open('?from=2026-11-21&to=2026-11-21'))).toEqual([failed?.id]);
    expect(listed(await open('?to=2026-11-20'))).toEqual([]);
  });

  test.each([
    ['from=yesterday', '`from` must be a day, such as 2026-12-02.'],
    ['from=0000-01-01', '`from` must be a day of the years 1970 to 9998.'],
    ['to=9999-12-31', '`to` must be a day of the years 1970 to 9998.'],
    ['from=2026-12-02&to=2026-12-01', '`to` must not be before the first day.'],
    ['url=a%00b', '`url` must be a URL to which events were sent.'],
  ])('refuses %s, says why and lists everything', async (query, message) => {
    const { open } = unchanged;
    const page = await open(`?${query}`);
    expect([page.status, notice(page), listed(page).length]).toEqual([400, message, 2]);
  });

  test('says why it is empty, and offers the list without filters', async () => {
    const { open } = unchanged;
    const page = await open(`?event=meeting.updated&status=pending&from=${today()}`);
    expect(wordsOf(page)).toContain(
      `The log has no delivery of meeting.updated, with the status Pending, from ${sayDate(today())} on. It keeps deliveries for 30 days. Clear the filters`,
    );
    expect(page.html).toContain(`<a href="${LOG}">Clear the filters</a>`);
  });

  test('keeps its filters from page to page', async () => {
    const { platform, open, browser } = await withFailed(1);
    await world.neon.query('delete from deliveries where platform_id = $1 and status <> $2', [platform.id, 'failed']);
    await copyFailed(platform, 30);
    const first = await open(`?status=failed&from=${today()}`);
    const next = /href="([^"]+)">Next page/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visit(browser, next);
    expect([listed(first).length, listed(second).length]).toEqual([25, 6]);
    expect(new URL(next, world.baseUrl).searchParams.get('from')).toBe(today());
  });

  test('of a session that only reads has no form that sends', async () => {
    const { platform } = unchanged;
    const { browser } = await lookingAt(platform);
    const page = await visit(browser, LOG);
    expect(wordsOf(page)).toContain('1 event did not arrive');
    expect(page.html).not.toContain('/resend');
  });
});

describe('resend selected', () => {
  test('sends each selected event once, and says how many', async () => {
    const { platform, browser, open } = await withFailed(3);
    const before = arrivedEvents(platform);
    const page = await open('?status=failed');
    const [one = '', two = ''] = selectable(page);
    const answer = await browser.submit(page, '/resend-selected', { id: [one, two, two] });
    expect([answer.status, notice(answer)]).toEqual([200, '2 events are being sent again.']);
    await drain(platform);
    const after = arrivedEvents(platform).slice(before.length);
    expect([after.length, new Set(after).size, after.every((id) => before.includes(id))]).toEqual([2, 2, true]);
    expect(wordsOf(await open())).toContain('1 event did not arrive');
  });

  test('from a stale page skips what was sent again meanwhile, is under way, is a test or is gone, and says so', async () => {
    const { platform, browser, open } = await withFailed(6);
    const page = await open();
    const failed = selectable(page).slice(0, 6);
    const [replayed = '', again = '', pending = '', gone = ''] = failed;
    for (const id of [replayed, again]) await hookOf(platform).replay(id);
    await drain(platform);
    await world.neon.query("update deliveries set status = 'pending', finished_at = null where id = $1", [pending]);
    await world.neon.query('delete from deliveries where id = $1', [gone]);
    const tested = ((await hookOf(platform).test()).body as { id: string }).id;
    const answer = await browser.submit(page, '/resend-selected', { id: [...failed, tested] });
    expect(notice(answer)).toBe(
      '2 of 7 are being sent again; 2 have a newer delivery, 1 is still being sent, 1 is a test, 1 is not in the log any more.',
    );
  });

  test('says what exceeds the events that an hour allows, which is not being sent', async () => {
    const { platform, browser, open } = await withFailed(2);
    const page = await open('?status=failed');
    // One of an hour's 10,000 is left. Postgres runs in this process, so the world learns only between two statements
    // which of its connections have ended.
    for (let part = 0; part < 99; part += 1) {
      await world.neon.query(
        `insert into deliveries (id, event_id, platform_id, event_type, body, url, status, attempts, max_attempts,
           created_at, finished_at, replay_of)
         select id || $2 || n, event_id || $2 || n, platform_id, event_type, body, url, 'failed', 1, 1,
           created_at, finished_at, id
         from deliveries, generate_series(1, 101) n where id = $1`,
        [selectable(page)[0] ?? '', `_${part}_`],
      );
      await setImmediate();
    }
    const answer = await browser.submit(page, '/resend-selected', { id: selectable(page) });
    expect(notice(answer)).toBe('1 of 2 is being sent again; 1 exceeds your 10,000 an hour.');
    await world.neon.query('delete from deliveries where platform_id = $1', [platform.id]);
  });

  test('offers no checkbox for what it would skip', async () => {
    const { platform, open } = await withFailed(2);
    const [first = ''] = selectable(await open());
    await hookOf(platform).replay(first);
    await hookOf(platform).test();
    const page = await open();
    const newest = (await logOf(platform)).find(({ status }) => status === 'pending');
    expect([selectable(page).length, listed(page).length]).toEqual([2, 5]);
    expect(selectable(page)).not.toContain(first);
    expect(selectable(page)).not.toContain(newest?.id);
  });

  test.each([
    ['nothing', [], 'Select at least one delivery. Nothing was sent.'],
    ['what is no ID', ['<img>'], 'The selection has an ID that no delivery can have. Nothing was sent.'],
    [
      'too much',
      Array.from({ length: 101 }, (_, n) => `wh_del_${n}`),
      'Select at most 100 deliveries. Nothing was sent.',
    ],
  ])('refuses %s', async (_name, id, message) => {
    const { browser, open } = unchanged;
    const answer = await browser.submit(await open(), '/resend-selected', { id });
    expect([answer.status, notice(answer)]).toEqual([400, message]);
  });

  test('sends nothing of another platform', async () => {
    const { browser, open } = await withFailed(1);
    const other = await withFailed(1);
    const id = selectable(await other.open());
    const answer = await browser.submit(await open(), '/resend-selected', { id });
    expect(notice(answer)).toBe('0 of 2 are being sent again; 2 are not in the log any more.');
    expect(await logOf(other.platform)).toHaveLength(2);
  });

  test('says that sending is off', async () => {
    const { platform, browser, open } = await withFailed(1);
    const page = await open();
    await hookOf(platform).put({ enabled: false });
    const answer = await browser.submit(page, '/resend-selected', { id: selectable(page) });
    expectSaid(answer, 409, 'Sending is off.');
  });
});

describe('resend all that did not arrive', () => {
  test('sends what matches the filter of the list, oldest first, and each event once', async () => {
    const { platform, browser, open } = await withFailed(3);
    const { deliveries } = (await hookOf(platform).logs('?status=failed')).body as LogPage;
    await world.neon.query("update deliveries set created_at = created_at - interval '2 days' where id = $1", [
      deliveries[2]?.id,
    ]);
    const query = `?from=${today()}`;
    const page = await open(query);
    expect(wordsOf(page)).toContain('2 events of this list did not arrive');
    const answer = await browser.submit(page, '/resend-failed');
    expect(notice(answer)).toBe('2 events are being sent again.');
    await drain(platform);
    expect(wordsOf(await open(query))).not.toContain('did not arrive');
    expect(wordsOf(await open())).toContain('1 event did not arrive');
    const overview = wordsOf(await visit(browser, '/dashboard'));
    expect(overview).toMatch(/ 1 event did not arrive\. .* 1 Events not delivered/);
    expect(notice(await browser.submit(page, '/resend-failed'))).toContain('You already sent this form');
  });

  test('from a page on which others have pressed it meanwhile sends nothing', async () => {
    const { platform, browser, open } = await withFailed(2);
    const [mine, theirs] = [await open(), await open()];
    await browser.submit(theirs, '/resend-failed');
    await drain(platform);
    expect(notice(await browser.submit(mine, '/resend-failed'))).toBe(
      'Nothing was sent, because each of these events has been sent again already.',
    );
    expect(await logOf(platform)).toHaveLength(5);
  });

  test('sends 500 at once, the oldest, and says so', async () => {
    const { platform, browser, open } = await withFailed(1);
    await world.neon.query('delete from deliveries where platform_id = $1 and status <> $2', [platform.id, 'failed']);
    await copyFailed(platform, 501);
    const answer = await browser.submit(await open(), '/resend-failed');
    expect(notice(answer)).toBe(
      '500 events are being sent again. These are the oldest 500. If others are left, resend them next.',
    );
    expect(wordsOf(answer)).toContain('2 events did not arrive Resend all of them');
    expect(wordsOf(await visit(browser, '/dashboard'))).toContain('2 events did not arrive.');
    // Otherwise the next test would deliver the 500.
    await callsEnded();
  });

  test('is not offered in a list of what arrived', async () => {
    const { open } = unchanged;
    expect((await open('?status=success')).html).not.toContain('resend-failed');
  });
});

/** Sends one event to a platform whose endpoint answers like this. Opens the delivery's page. */
async function delivered(answer: Parameters<typeof answerWith>[1], platform?: TestPlatform) {
  const of = platform ?? (await freshPlatform());
  answerWith(of, answer);
  await emitOne(of);
  await drain(of);
  const { deliveries } = (await hookOf(of).logs()).body as LogPage;
  const id = deliveries[0]?.id ?? '';
  const { browser } = await atDashboard(of);
  const open = () => visit(browser, `/dashboard/webhooks/${id}`);
  return { platform: of, id, open, page: await open() };
}

describe('the answer of a receiver', () => {
  test('is on the page of the delivery, for each attempt, and in no answer of the API, row or log line', async () => {
    const platform = await freshPlatform();
    for (const body of ['first private-7f3', 'second private-7f3', 'third private-7f3'])
      answerWith(platform, { status: 500, body, times: 1 });
    const { id, page } = await delivered({ status: 200 }, platform);
    expect(wordsOf(page)).toMatch(
      /Attempt 3.*third private-7f3.*Attempt 2.*second private-7f3.*Attempt 1.*first private-7f3/,
    );
    const told = [await hookOf(platform).log(id), await hookOf(platform).logs()];
    expect(JSON.stringify(told)).not.toContain('private-7f3');
    expect(JSON.stringify(await world.neon.query('select * from delivery_attempts'))).not.toContain('private-7f3');
    expect(world.logs().join('\n')).not.toContain('private-7f3');
  });

  test('is text alone, whoever wrote it', async () => {
    const { page } = await delivered({ status: 500, body: '</code></pre><script>alert(1)</script>\u202Eevil\u0000' });
    expect(page.html).toContain('&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\uFFFDevil\uFFFD');
    expect(page.html).not.toContain('<script>alert');
  });

  test('without a body is said to have none', async () => {
    expect(wordsOf((await delivered({ status: 204 })).page)).toContain('The answer had no body.');
  });

  test('under a key that is gone is not shown, and the page still opens', async () => {
    const { id, open } = await delivered({ status: 500, body: 'no more' });
    await world.neon.query(
      `update delivery_attempts set answer = 'gone.' || split_part(answer, '.', 2) || '.' || split_part(answer, '.', 3)
       where delivery_id = $1`,
      [id],
    );
    const page = await open();
    expectSaid(page, 200, 'The answer can no longer be decrypted.');
  });

  test('of one attempt is not shown for another', async () => {
    const { id, open } = await delivered({ status: 500, body: 'mine' });
    await world.neon.query(
      `update delivery_attempts set answer = (select answer from delivery_attempts where delivery_id = $1 and number = 1)
       where delivery_id = $1 and number = 2`,
      [id],
    );
    expect(wordsOf(await open()).match(/can no longer be decrypted/g)).toHaveLength(1);
  });
});

test('the headers of a request are shown as they were sent, and its signatures are not', async () => {
  const { platform, page } = await delivered({ status: 200 });
  const [request] = arrived(platform);
  const shown = Object.fromEntries(
    [...page.html.matchAll(/<dt>([\w-]+)<\/dt><dd><code>([^<]*)<\/code><\/dd>/g)].map(([, name = '', value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const ours = Object.entries(request?.headers ?? {}).filter(([name]) =>
    /^(?:x-service|webhook)-|^user-agent|^content-type/.test(name),
  );
  const signatures = ours.filter(([name]) => name.includes('signature'));
  expect(shown).toEqual(Object.fromEntries(ours.filter((header) => !signatures.includes(header))));
  expect(signatures.map(([name]) => name).sort()).toEqual(['webhook-signature', 'x-service-signature']);
  for (const [name, value] of signatures) {
    expect(page.html.toLowerCase()).toContain(`<dt>${name}</dt>`);
    expect(page.html).not.toContain(value);
  }
  expect(page.html).not.toContain(platform.webhook_secret);
});

test('a delivery of which nothing was sent shows no headers', async () => {
  const platform = await freshPlatform();
  await world.neon.query("update webhook_endpoints set url = 'https://10.0.0.1/' where platform_id = $1", [
    platform.id,
  ]);
  const { page } = await delivered({ status: 200 }, platform);
  expect(wordsOf(page)).toContain('not sent: the URL must have a host whose IP addresses are all public');
  expect(wordsOf(page)).not.toContain('Request headers');
});
