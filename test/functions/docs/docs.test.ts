import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CLIENT_PATH } from '../../../functions/files.ts';
import { GROUPS } from '../../../functions/groups.ts';
import { CONNECT_ERRORS } from '../../../functions/pages/docs/connect-errors.ts';
import { TEST_PEOPLE } from '../../../functions/pages/docs/going-live.tsx';
import { RECEIVERS, VECTOR } from '../../../functions/pages/docs/receivers.ts';
import { DOCS_SCRIPT } from '../../../functions/pages/docs/search.tsx';
import { exampleDate } from '../../../functions/placeholders.ts';
import { OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from '../../../lib/client/cli/rounds.ts';
import { DOCS_REQUESTS_PER_MINUTE, PLANS } from '../../../lib/kit/plans.ts';
import { ERROR_CODES } from '../../../schema/api/http-errors.ts';
import { EVENT_TYPES, eventData } from '../../../schema/api/webhook-events/schemas.ts';
import { BATCH_MEETING_STATES, BATCH_REASONS } from '../../../schema/batches/table.ts';
import { CASES } from '../../local/cases.ts';
import { createClient } from '../../support/worlds/client.ts';
import { samplesOf, tabsOf } from '../../support/worlds/docs-code.ts';
import { PROPOSAL_EVENTS, STORIES } from '../../support/worlds/docs-stories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const reader = () => createClient(world.baseUrl);
const read = async (path: string) => {
  const { status, headers, text } = await reader().send('GET', path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return { headers, text };
};
/** Returns a page's links to other pages of the service. */
const linksOf = (html: string) =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
/** Follows links from the first page and returns every page it reaches, by path. */
async function allPages() {
  const pages = new Map<string, string>();
  const toRead = ['/docs'];
  for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
    if (pages.has(path)) continue;
    const { text, headers } = await read(path);
    pages.set(path, text);
    if (headers.get('content-type')?.startsWith('text/html'))
      toRead.push(
        ...linksOf(text)
          .map((href) => href.replace(/#.*/, ''))
          .filter((href) => href !== '' && !href.startsWith('mailto:')),
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

test('the docs, the API document and a failure say where to write', async () => {
  for (const path of ['/docs', '/docs/errors', '/docs/automatic', '/docs/going-live'])
    expect((await read(path)).text).toContain('<a href="mailto:support@tandem.test">support@tandem.test</a>');
  expect(JSON.parse((await read('/openapi.json')).text).info.contact).toEqual({
    name: 'Tandem',
    url: world.baseUrl,
    email: 'support@tandem.test',
  });
});

test('the client is served as a package', async () => {
  const { headers } = await read(CLIENT_PATH);
  expect(headers.get('content-type')).toBe('application/gzip');
  for (const path of ['/client/tandem-0.0.0.tgz', '/client/..%2fopenapi.json'])
    expect((await reader().send('GET', path)).status).toBe(404);
});

test('every page has an icon, a description and a picture of the size it says', async () => {
  for (const path of ['/', '/docs', '/docs/reference/scheduling']) {
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
  for (const { curl, node, python } of tabsOf((await read('/docs/search')).text))
    for (const [fence, code] of [
      ['sh', curl],
      ['js', node],
      ['python', python],
    ])
      expect(text).toContain(`\`\`\`${fence}\n${code}\n\`\`\``);
  const limits = (await read('/docs/limits.md')).text;
  expect(limits).toContain('| Plan | Meetings per month | Requests per minute |\n| --- | --- | --- |\n| `developer` |');
  const { text: scheduling } = await read('/docs/reference/scheduling.md');
  expect(scheduling).toContain('## Book a meeting at a given time');
  for (const text of [limits, scheduling]) expect(text).not.toMatch(/<\/?[a-z]+[ >]|&(?:lt|gt|quot|amp);/);
});

test('reading the docs leaves the requests of the consent page alone', async () => {
  const client = reader();
  const left = async (path: string) => Number((await client.send('GET', path)).headers.get('x-ratelimit-remaining'));
  const before = await left('/oauth/login?user_id=x');
  expect(await left('/docs')).toBe(DOCS_REQUESTS_PER_MINUTE - 1);
  expect(await left('/oauth/login?user_id=x')).toBe(before - 1);
});

test('an answer with two shapes is shown as two, and no operation lists an error twice', async () => {
  const pages = await allPages();
  const whole = [...pages].filter(([path]) => path.startsWith('/docs/reference/')).map(([, html]) => html);
  const sections = whole.flatMap((html) => html.split('<section ').slice(1));
  expect(sections.length).toBe(GROUPS.flatMap(({ operations }) => operations).length);
  const shapes = (id: string) => sections.find((one) => one.startsWith(`id="${id}"`))?.match(/>(?:Either|Or):</g);
  expect(shapes('rescheduleMeeting')).toHaveLength(2);
  expect(shapes('getPlatformUserStatus')).toHaveLength(2);
  expect(shapes('getMeeting') ?? []).toEqual([]);
  for (const section of sections) {
    const codes = [...section.matchAll(/href="\/docs\/errors#(\w+)">\d/g)].map(([, code]) => code);
    expect(codes.length, section.slice(0, 40)).toBe(new Set(codes).size);
  }
});

test('every link leads to a page, every anchor to a place on it, and nothing comes from elsewhere', async () => {
  const pages = await allPages();
  expect([...pages.keys()].filter((path) => path.startsWith('/docs')).length).toBeGreaterThan(15);
  for (const [path, html] of pages) {
    if (!path.startsWith('/docs')) continue;
    expect(html.replace(`<script>${DOCS_SCRIPT}</script>`, ''), path).not.toMatch(
      /<script|(?:src|href)="(?:https?:)?\/\//,
    );
    for (const href of linksOf(html)) {
      const [to = '', anchor] = href.split('#');
      if (anchor !== undefined) expect(pages.get(to || path), href).toContain(`id="${anchor}"`);
    }
  }
});

test('each page has its own title, is small, and may load nothing but its style and its script', async () => {
  const pages = [...(await allPages())].filter(([path]) => path.startsWith('/docs'));
  const titles = pages.map(([, html]) => /<title>(.*?)<\/title>/.exec(html)?.[1]);
  expect(new Set(titles).size).toBe(pages.length);
  for (const [path, html] of pages) expect(gzipSync(html).length, path).toBeLessThan(30_000);
  const { headers } = await read('/docs');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^;]+; script-src 'sha256-[^;]+; img-src 'self'; connect-src 'self'; form-action 'self';/,
  );
});

test('the reference has every operation, the other pages every error and every event', async () => {
  const pages = await allPages();
  const whole = [...pages.values()].join('\n');
  for (const { id, method, path } of GROUPS.flatMap(({ operations }) => operations)) {
    expect(whole).toContain(`<section id="${id}">`);
    expect(whole).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
  }
  for (const code of ERROR_CODES) expect(pages.get('/docs/errors')).toContain(`<tr id="${code}">`);
  for (const type of EVENT_TYPES) expect(pages.get('/docs/events')).toContain(`<h2 id="${type}">`);
  for (const type of EVENT_TYPES) expect(pages.get('/docs/webhooks')).toContain(`<tr id="${type}">`);
});

test('a field is told with where it stands, its type and what it is', async () => {
  const { text } = await read('/docs/reference/scheduling');
  const row = (name: string) =>
    new RegExp(`<tr><td[^>]*><code>${name.replaceAll(/[[\].]/g, '\\$&')}</code>(.*?)</tr>`).exec(text)?.[1];
  expect(row('attendees')).toMatch(/^\u00a0\*<\/td><td[^>]*>email\[\]</);
  expect(row('duration_minutes')).toMatch(/integer.*Length of the meeting in minutes, 15 to 120/);
  expect(row('slots[].attendees[].timezone')).toMatch(/string/);
  expect(row('relaxations[].focus_block.day')).toBeDefined();
});

test('every page with calls has a story that runs them', async () => {
  for (const [path, html] of await allPages())
    if (path.startsWith('/docs') && !path.startsWith('/docs/reference'))
      expect([path, tabsOf(html).some(({ curl }) => curl !== undefined)]).toEqual([path, path in STORIES]);
});

test('the guide about rounds names every state and each column of the file', async () => {
  const { text } = await read('/docs/rounds');
  for (const state of BATCH_MEETING_STATES) expect(text).toContain(`<code>${state}</code>`);
  for (const column of [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS]) expect(text).toContain(`<code>${column}</code>`);
  for (const reason of BATCH_REASONS.filter((one) => !['TIMEZONE_ERROR', 'INTERNAL_ERROR'].includes(one)))
    expect(text).toContain(`<code>${reason}</code>`);
});

test('the page about proposals names every event about them', async () => {
  const { text } = await read('/docs/proposals');
  for (const type of PROPOSAL_EVENTS) expect(text).toContain(`<code>${type}</code>`);
  expect(PROPOSAL_EVENTS.length).toBeGreaterThan(3);
});

test.each([
  ['a Monday', '2026-11-23T00:00:00Z', '2026-12-01'],
  ['the last minute of a Sunday', '2026-11-29T23:59:59Z', '2026-12-01'],
  ['the end of a year', '2027-12-31T12:00:00Z', '2028-01-04'],
  ['the day of the example before', '2028-01-04T09:00:00Z', '2028-01-11'],
])('the examples are on the Tuesday of the week after %s', (_, now, date) => {
  expect(exampleDate(Date.parse(now))).toBe(date);
});

test('the receivers and the vector on the page are those that are tried', async () => {
  const samples = samplesOf((await read('/docs/webhooks')).text);
  expect(samples).toEqual(expect.arrayContaining(Object.values(RECEIVERS)));
  expect(samples.some((sample) => sample === JSON.stringify(VECTOR, null, 2))).toBe(true);
});

test('llms.txt lists the pages and the operations, each at an address that answers', async () => {
  const { text, headers } = await read('/llms.txt');
  expect(headers.get('content-type')).toContain('text/plain');
  expect(text).toMatch(/^# Tandem\n\n> /);
  const links = [...text.matchAll(/\]\((\S+?)(?:#\w+)?\)/g)].map(([, url = '']) => new URL(url));
  expect(links.length).toBeGreaterThan(40);
  for (const path of new Set(links.map(({ pathname }) => pathname))) await read(path);
});

test('an unknown docs address gets a page that says it does not exist', async () => {
  const { status, text } = await reader().send('GET', '/docs/reference/nothing');
  expect(status).toBe(404);
  expect(text).toContain('<h1>');
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

test('the page about limits has the numbers of every plan', async () => {
  const { text } = await read('/docs/limits');
  for (const [name, { meetingsPerMonth, requestsPerMinute }] of Object.entries(PLANS)) {
    const row = new RegExp(`<tr><td[^>]*><code>${name}</code></td>(.*?)</tr>`).exec(text)?.[1] ?? '';
    const cells = [...row.matchAll(/>([^<]+)</g)].map(([, cell]) => cell);
    const shown = (limit: number | null) => (limit === null ? 'unlimited' : limit.toLocaleString('en'));
    expect(cells).toEqual([shown(meetingsPerMonth), shown(requestsPerMinute)]);
  }
});

test('the guide to connecting explains every error with which a person can return', async () => {
  const { text } = await read('/docs/connect');
  for (const code of Object.keys(CONNECT_ERRORS)) expect(text).toContain(`<tr id="${code}">`);
});

test('the page about events has every field of every event, and every reason of a cancellation', async () => {
  const { text } = await read('/docs/events');
  for (const data of Object.values(eventData))
    for (const field of Object.keys(data.shape)) expect(text).toContain(`<code>${field}</code>`);
  for (const reason of ['cancelled_by_platform', 'cancelled_by_attendee', 'cancelled_in_calendar', 'outcome_unknown'])
    expect(text).toContain(`<code>${reason}</code>`);
});
