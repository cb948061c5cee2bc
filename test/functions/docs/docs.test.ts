import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { describe, expect, test } from 'vitest';
import { ASSETS, sourcesOf } from '../../../functions/cli/assets.ts';
import { prerender } from '../../../functions/cli/prerender.ts';
import type { AppEnv } from '../../../functions/http/env.ts';
import { CLIENT_PATH } from '../../../functions/http/files.ts';
import { GROUPS } from '../../../functions/http/groups.ts';
import { DOCS_SCRIPT } from '../../../functions/pages/docs/frame.tsx';
import { CONNECT_ERRORS, TEST_PEOPLE } from '../../../functions/pages/docs/tables.ts';
import {
  createStyleReader,
  either,
  exampleDate,
  fillIn,
  placeholder,
  readPrerendered,
} from '../../../functions/pages/prerendered.ts';
import { OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from '../../../lib/client/cli/rounds.ts';
import { DOCS_REQUESTS_PER_MINUTE } from '../../../lib/kit/plans.ts';
import { BATCH_MEETING_STATES, BATCH_REASONS } from '../../../schema/api/states.ts';
import { EVENT_TYPES, eventData } from '../../../schema/api/webhook-events.ts';
import { CASES } from '../../local/cases.ts';
import { type Client, createClient } from '../../support/worlds/client.ts';
import { codeAt, isCall } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const OPERATIONS = GROUPS.flatMap(({ operations }) => operations);
const reader = () => createClient(world.baseUrl);
const asked = new Map<string, ReturnType<Client['send']>>();
/** Reads a page, once for all tests. */
const read = async (path: string) => {
  const asking = asked.get(path) ?? reader().send('GET', path);
  asked.set(path, asking);
  const { status, headers, text } = await asking;
  expect({ path, status }).toEqual({ path, status: 200 });
  return { headers, text };
};
const linksOf = (html: string) =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
/** Follows links from the first page and returns every page it reaches, by path. */
async function allPages() {
  const pages = new Map<string, string>();
  const toRead = ['/docs'];
  for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
    if (pages.has(path)) continue;
    const { text, headers } = await read(path);
    const isPage = headers.get('content-type')?.startsWith('text/html') === true;
    pages.set(path, isPage ? text : '');
    if (isPage)
      toRead.push(
        ...linksOf(text)
          .map((href) => href.replace(/#.*/, ''))
          // These pages ask who reads them.
          .filter((href) => href.startsWith('/') && !['/me', '/dashboard'].includes(href)),
      );
  }
  return pages;
}

test('the bare address says what this is, and leads to the docs', async () => {
  const { text } = await read('/');
  expect(text).toContain('finds the time that suits two people best');
  expect(linksOf(text)).toContain('/docs');
  expect(text).toMatch(/<meta name="description" content="[^"]+">|<meta name="description" content="[^"]+"\/>/);
});

test.each(['/', '/docs/concepts', '/docs/conventions'])(
  '%s draws two people’s clocks, and says them in words',
  async (path) => {
    const { text } = await read(path);
    expect(text).toContain('Ana: Work hours 8:00–18:00. Busy 14:00–15:00.');
    expect(text).toContain('<caption>Ana and Both: clock in Lisbon. Ben: clock in New York.</caption>');
  },
);

test('the docs say where to write', async () => {
  for (const path of ['/docs', '/docs/errors'])
    expect((await read(path)).text).toContain('<a href="mailto:support@tandem.test">support@tandem.test</a>');
});

test('the header leads to the dashboard and to support, where there is an address for it', async () => {
  const { text } = await read('/docs/webhooks');
  const [, header = ''] = /<header[^>]*>(.*?)<\/header>/s.exec(text) ?? [];
  expect(linksOf(header)).toEqual(['/docs', '/dashboard', 'mailto:support@tandem.test']);
});

test('the changelog is a feed too, an entry a row, with whole addresses and IDs that a new row leaves alone', async () => {
  const { text, headers } = await read('/docs/changelog.xml');
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=UTF-8');
  const page = await read('/docs/changelog');
  expect(page.text).toContain('<link rel="alternate" type="application/atom+xml"');
  const dates = [...page.text.matchAll(/<tr><td[^>]*>(\d{4}-\d\d-\d\d)</g)].map(([, date]) => date);
  const entries = text.split('<entry>').slice(1);
  expect(entries.map((entry) => /<updated>(.*?)T00:00:00Z</.exec(entry)?.[1])).toEqual(dates);
  const ids = entries.map((entry) => /<id>(.*?)<\/id>/.exec(entry)?.[1]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.at(-1)).toBe(`${world.baseUrl}/docs/changelog#2026-11-21.1`);
  expect(ids[0]).toMatch(new RegExp(`#${dates[0]}\\.${dates.filter((date) => date === dates[0]).length}$`));
  expect(text).toContain(`&lt;a href=&quot;${world.baseUrl}/docs/webhooks#what-if-my-server-was-down&quot;&gt;`);
  expect(text).not.toMatch(/href=&quot;\/|<title><|\{\{/);
});

test('the client is served as a package', async () => {
  const { headers } = await read(CLIENT_PATH);
  expect(headers.get('content-type')).toBe('application/gzip');
  for (const path of ['/client/tandem-api-client-0.0.0.tgz', '/client/..%2fopenapi.json'])
    expect((await reader().send('GET', path)).status).toBe(404);
});

test('every page has an icon, a description and a picture of the size it says', async () => {
  for (const path of ['/', '/docs', '/docs/reference/scheduling', '/docs/reference/findAvailability']) {
    const { text } = await read(path);
    const meta = (name: string) => new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`).exec(text)?.[1];
    expect(meta('description')?.length).toBeGreaterThan(40);
    expect(meta('og:url')).toBe(world.baseUrl + path);
    const icon = await fetch(new URL(/<link rel="icon" href="([^"]+)"/.exec(text)?.[1] ?? '', world.baseUrl));
    expect([icon.headers.get('content-type'), await icon.text()]).toEqual([
      'image/svg+xml',
      expect.stringContaining('<svg'),
    ]);
    const card = await fetch(meta('og:image') ?? '');
    const png = Buffer.from(await card.arrayBuffer());
    expect([card.headers.get('content-type'), png.toString('latin1', 1, 4)]).toEqual(['image/png', 'PNG']);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)].map(String)).toEqual([
      meta('og:image:width'),
      meta('og:image:height'),
    ]);
  }
});

test('a browser gets a page for an unknown address, a program JSON', async () => {
  const ask = (path: string, accept: string) => reader().send('GET', path, undefined, { headers: { accept } });
  expect((await ask('/nothing', 'text/html,*/*')).text).toContain('<h1>Page not found</h1>');
  expect((await ask('/nothing', '*/*')).body).toMatchObject({ code: 'not_found' });
  expect((await ask('/v1/nothing', 'text/html')).headers.get('content-type')).toContain('application/json');
});

test('every page is there as Markdown too, with its code, and says so in a header', async () => {
  const { headers } = await read('/docs/search');
  expect(headers.get('link')).toBe(
    '</docs/search.md>; rel="alternate"; type="text/markdown", </llms.txt>; rel="llms-txt"',
  );
  const { text } = await read('/docs/search.md');
  expect(text).toMatch(/^# Search and book\n\n/);
  const [call] = (await codeAt('/docs/search')).filter(isCall);
  expect([...(call?.codes.keys() ?? [])]).toEqual(['sh', 'js', 'python']);
  const limits = (await read('/docs/limits.md')).text;
  expect(limits).toContain('| Plan | Meetings per month | Requests per minute |\n| --- | --- | --- |\n| `developer` |');
  const { text: schedule } = await read('/docs/reference/scheduleMeeting.md');
  expect(schedule).toMatch(/^# Book a meeting at a given time\n\n`POST \/v1\/schedule`\n/);
  for (const each of [text, limits, schedule]) expect(each).not.toMatch(/<\/?[a-z]+[ >]|&(?:lt|gt|quot|amp);|\{\{/);
});

test('reading the docs leaves the requests of the consent page alone', async () => {
  const client = reader();
  const left = async (path: string) => Number((await client.send('GET', path)).headers.get('x-ratelimit-remaining'));
  const before = await left('/oauth/login?user_id=x');
  expect(await left('/docs')).toBe(DOCS_REQUESTS_PER_MINUTE - 1);
  expect(await left('/oauth/login?user_id=x')).toBe(before - 1);
});

test('an answer with two shapes is shown as two, and no operation lists an error twice', async () => {
  const shapes = async (id: string) => (await read(`/docs/reference/${id}`)).text.match(/>(?:Either|Or):</g);
  expect(await shapes('rescheduleMeeting')).toHaveLength(2);
  expect(await shapes('getPlatformUserStatus')).toHaveLength(2);
  expect(await shapes('getMeeting')).toBeNull();
  for (const { id } of OPERATIONS) {
    const { text } = await read(`/docs/reference/${id}`);
    const codes = [...text.matchAll(/href="\/docs\/errors#(\w+)">\d/g)].map(([, code]) => code);
    expect(codes.length, id).toBe(new Set(codes).size);
    expect(codes.length, id).toBeGreaterThan(0);
  }
});

test('every link leads to a page, every anchor to a place on it, and nothing comes from elsewhere', async () => {
  const pages = await allPages();
  expect([...pages.keys()].filter((path) => path.startsWith('/docs')).length).toBeGreaterThan(15);
  for (const [path, html] of pages) {
    if (!path.startsWith('/docs')) continue;
    expect(html.replace(`<script>${DOCS_SCRIPT}</script>`, ''), path).not.toMatch(
      /<script|<(?!a )[^>]*(?:src|href)="(?:https?:)?\/\//,
    );
    for (const href of linksOf(html)) {
      const [to = '', anchor] = href.split('#');
      if (anchor !== undefined && !/^\w+:/.test(href) && to !== '/me')
        expect(pages.get(to || path), href).toContain(`id="${anchor}"`);
    }
  }
});

test('each page has its own title, is small, and may load nothing but its style and its script', async () => {
  const pages = [...(await allPages())].filter(([path]) => path.startsWith('/docs'));
  const titles = pages.map(([, html]) => /<title>(.*?)<\/title>/.exec(html)?.[1]);
  expect(new Set(titles).size).toBe(pages.length);
  for (const [path, html] of pages) {
    expect(Buffer.byteLength(html), path).toBeLessThan(60_000);
    expect(gzipSync(html).length, path).toBeLessThan(30_000);
  }
  const { headers } = await read('/docs');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^;]+; script-src 'sha256-[^;]+; img-src 'self'; connect-src 'self'; form-action 'self';/,
  );
});

test('the reference has a page for every operation and event, to which its old address leads', async () => {
  for (const { tag, operations } of GROUPS) {
    const group = (await read(`/docs/reference/${tag.toLowerCase().replaceAll(' ', '-')}`)).text;
    for (const { id, method, path } of operations) {
      expect(group).toContain(`<tr id="${id}"><td><a href="/docs/reference/${id}"><code>${id}</code></a></td>`);
      expect((await read(`/docs/reference/${id}`)).text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    }
  }
  const events = (await read('/docs/events')).text;
  for (const type of EVENT_TYPES) {
    expect(events).toContain(`<tr id="${type}"><td><a href="/docs/events/${type}"><code>${type}</code></a></td>`);
    const { text } = await read(`/docs/events/${type}`);
    for (const field of Object.keys(eventData[type].shape)) expect(text).toContain(`<code>${field}</code>`);
  }
  for (const reason of ['cancelled_by_platform', 'cancelled_by_attendee', 'cancelled_in_calendar', 'outcome_unknown'])
    expect((await read('/docs/events/meeting.cancelled')).text).toContain(`<code>${reason}</code>`);
});

test('an address that moved leads to the new one', async () => {
  const answer = await fetch(`${world.baseUrl}/docs/time`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/docs/conventions']);
});

test('a field is told with where it stands, its type and what it is', async () => {
  const { text } = await read('/docs/reference/findAvailability');
  const row = (name: string) =>
    new RegExp(`<tr(?: id="[^"]*")?><td[^>]*><code>${name.replaceAll(/[[\].]/g, '\\$&')}</code>(.*?)</tr>`).exec(
      text,
    )?.[1];
  expect(row('attendees')).toMatch(/^\u00a0\*<\/td><td[^>]*>email\[\]</);
  expect(row('duration_minutes')).toMatch(/integer.*Length of the meeting in minutes, 15 to 120/);
  expect(row('slots[].attendees[].timezone')).toMatch(/string/);
  expect(row('relaxations[].focus_block.day')).toBeDefined();
});

test('the guide about rounds names every state and each column of the file', async () => {
  const { text } = await read('/docs/rounds');
  for (const state of BATCH_MEETING_STATES) expect(text).toContain(`<code>${state}</code>`);
  for (const column of [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS]) expect(text).toContain(`<code>${column}</code>`);
  for (const reason of BATCH_REASONS) expect(text).toContain(`<code>${reason}</code>`);
});

test('the page about proposals names every event about them', async () => {
  const { text } = await read('/docs/proposals');
  for (const type of EVENT_TYPES.filter((one) => one.startsWith('proposal.'))) expect(text).toContain(type);
});

test.each([
  ['a Monday', '2026-11-23T00:00:00Z', '2026-12-01'],
  ['the last minute of a Sunday', '2026-11-29T23:59:59Z', '2026-12-01'],
  ['the end of a year', '2027-12-31T12:00:00Z', '2028-01-04'],
  ['the day of the example before', '2028-01-04T09:00:00Z', '2028-01-11'],
])('the examples are on the Tuesday of the week after %s', (_, now, date) => {
  expect(exampleDate(Date.parse(now))).toBe(date);
});

test('llms.txt lists the pages and the operations, each at an address that answers', async () => {
  const { text, headers } = await read('/llms.txt');
  expect(headers.get('content-type')).toContain('text/plain');
  expect(text).toMatch(/^# Tandem\n\n> /);
  const links = [...text.matchAll(/\]\((\S+?)(?:#\w+)?\)/g)].map(([, url = '']) => new URL(url));
  expect(links.length).toBeGreaterThan(40);
  for (const path of new Set(links.map(({ pathname }) => pathname))) await read(path);
});

test('a page may be kept: a browser that has it gets 304 and no body', async () => {
  const { headers } = await read('/docs/concepts');
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  const tag = headers.get('etag') ?? '';
  const ask = (known: string) =>
    reader().send('GET', '/docs/concepts', undefined, { headers: { 'if-none-match': known } });
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`])
    expect(await ask(known)).toMatchObject({ status: 304, text: '' });
  expect((await ask('"other"')).status).toBe(200);
});

test('the page about testing names every person of the local world', () => {
  expect(TEST_PEOPLE).toEqual(Object.fromEntries(CASES.map(({ email, what }) => [email, what])));
});

test('the guide to connecting explains every error with which a person can return', async () => {
  const { text } = await read('/docs/connect');
  for (const code of Object.keys(CONNECT_ERRORS)) expect(text).toContain(`<tr id="${code}">`);
});

const kept = globSync('**/*.*', { cwd: join(ASSETS, 'pages') }).toSorted();

test('the assets are those that the sources make', async () => {
  const made = await prerender(sourcesOf());
  expect(['openapi.json', ...kept.map((file) => `pages/${file}`)].toSorted()).toEqual(Object.keys(made).toSorted());
  const differing = Object.keys(made).filter((path) => readFileSync(join(ASSETS, path), 'utf8') !== made[path]);
  expect(differing).toEqual([]);
});

test('Cloudflare gives the Worker a page by its whole name, instead of a redirect to a name without .html', () => {
  expect(readFileSync('wrangler.toml', 'utf8')).toMatch(/^html_handling = "none"$/m);
});

test('every page is served, in HTML and in Markdown, and leaves no value open', async () => {
  expect(kept.length).toBeGreaterThan(60);
  // A style is part of the pages, and is not served by itself.
  for (const file of kept.filter((each) => !each.endsWith('.css'))) {
    const path = file === 'home.html' ? '/' : `/${file.replace(/\.html$/, '')}`;
    expect((await read(path)).text, path).not.toMatch(/\{\{[#^/]?[A-Z]/);
  }
});

describe('a placeholder', () => {
  const values = { BASE_URL: 'https://api.test', DATE: '2026-12-29', SUPPORT_EMAIL: 'a@b.test' };
  const contact = either('SUPPORT_EMAIL', `mail ${placeholder('SUPPORT_EMAIL')}`, 'ask us');

  test.each([
    ['is filled in wherever it stands', '{{BASE_URL}}/a {{BASE_URL}}/b', 'https://api.test/a https://api.test/b'],
    ['of a date counts days, into the next year too', '{{DATE+0}} {{DATE+4}}', '2026-12-29 2027-01-02'],
    ['of a part keeps it if there is a value', contact, 'mail a@b.test'],
    ['that nobody knows stays as it is', '{{NAME}} {{ BASE_URL }} {{#x}}y{{/x}} {{constructor}}', undefined],
    ['of a value that was not given is left out', `(${placeholder('COMPANY_NAME')})`, '()'],
  ])('%s', (_, text, filled) => {
    expect(fillIn(text, values)).toBe(filled ?? text);
  });

  test('of a part chooses the other part if there is no value', () => {
    expect(fillIn(contact, { ...values, SUPPORT_EMAIL: undefined })).toBe('ask us');
  });

  test('in a value is not filled in again', () => {
    expect(fillIn(placeholder('COMPANY_NAME'), { ...values, COMPANY_NAME: '{{BASE_URL}}' })).toBe('{{BASE_URL}}');
  });
});

test('values are escaped in HTML, and stand in other texts as they are', async () => {
  const env = {
    ASSETS: { fetch: async () => new Response(`${placeholder('COMPANY_NAME')} ${placeholder('BASE_URL')}`) },
    COMPANY_NAME: `Tea & <b>"Sons'`,
    BASE_URL: 'https://api.test',
  };
  const c = { var: { env, ctx: { clock: { now: () => 0 } } } } as unknown as Context<AppEnv>;
  expect(await readPrerendered(c, 'terms.html')).toBe('Tea &amp; &lt;b&gt;&quot;Sons&#39; https://api.test');
  expect(await readPrerendered(c, 'llms.txt')).toBe(`Tea & <b>"Sons' https://api.test`);
});

test('a page whose style cannot be read has none, and the next page reads it again, once', async () => {
  const read: (() => Promise<Response>)[] = [
    async () => new Response(null, { status: 503 }),
    () => Promise.reject(new TypeError('connection lost')),
    async () => new Response('main{}'),
  ];
  const logged: string[] = [];
  const env = { ASSETS: { fetch: () => read.shift()?.() } };
  const c = { var: { env, ctx: { log: (level: string) => logged.push(level) } } } as unknown as Context<AppEnv>;
  const styleOf = createStyleReader('style.css');
  expect((await styleOf(c)).text).toBe('');
  expect((await styleOf(c)).text).toBe('');
  expect(logged).toEqual(['error', 'error']);
  const style = await styleOf(c);
  expect(style.text).toBe('main{}');
  expect(await styleOf(c)).toBe(style);
});

test.each([
  '/docs/nothing',
  '/docs/nothing.md',
  '/docs/%2e%2e%2fopenapi.json',
  '/docs/reference/..%2f..%2fopenapi',
  '/docs/nothing/nothing',
])('no page and no other file is at %s', async (path) => {
  const { status, text } = await reader().send('GET', path);
  expect([status, text]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')]);
});
