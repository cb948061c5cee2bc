import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GROUPS } from '../../../functions/groups.ts';
import { exampleDate } from '../../../functions/pages/docs/example-time.ts';
import { RECEIVERS, VECTOR } from '../../../functions/pages/docs/receivers.ts';
import { ERROR_CODES } from '../../../schema/api/http-errors.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
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
const unescaped = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const samplesOf = (html: string) =>
  [...html.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, text = '']) => unescaped(text));

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
          .filter((href) => href !== ''),
      );
  }
  return pages;
}

test('the bare address leads to the docs', async () => {
  const { status, headers } = await reader().send('GET', '/');
  expect([status, headers.get('location')]).toEqual([302, '/docs']);
});

test('every link leads to a page, every anchor to a place on it, and nothing comes from elsewhere', async () => {
  const pages = await allPages();
  expect([...pages.keys()].filter((path) => path.startsWith('/docs')).length).toBeGreaterThan(15);
  for (const [path, html] of pages) {
    if (!path.startsWith('/docs')) continue;
    expect(html, path).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\//);
    for (const href of linksOf(html)) {
      const [to = '', anchor] = href.split('#');
      if (anchor !== undefined) expect(pages.get(to || path), href).toContain(`id="${anchor}"`);
    }
  }
});

test('each page has its own title, is small, and may load nothing but its style', async () => {
  const pages = [...(await allPages())].filter(([path]) => path.startsWith('/docs'));
  const titles = pages.map(([, html]) => /<title>(.*?)<\/title>/.exec(html)?.[1]);
  expect(new Set(titles).size).toBe(pages.length);
  for (const [path, html] of pages) expect(gzipSync(html).length, path).toBeLessThan(30_000);
  const { headers } = await read('/docs');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
});

test('the reference has every operation, the other pages every error and every event', async () => {
  const pages = await allPages();
  const whole = [...pages.values()].join('\n');
  for (const { id, method, path } of GROUPS.flatMap(({ operations }) => operations)) {
    expect(whole).toContain(`<section id="${id}">`);
    expect(whole).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
  }
  for (const code of ERROR_CODES) expect(pages.get('/docs/errors')).toContain(`<tr id="${code}">`);
  for (const type of EVENT_TYPES) expect(pages.get('/docs/webhooks')).toContain(`<h3 id="${type}">`);
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

test('the first page works as it stands: its four calls connect, find, book and listen', async () => {
  const platform = await freshPlatform();
  const { email: ada } = await connectedPerson(platform);
  const { email: ben } = await connectedPerson(platform);
  const samples = samplesOf((await read('/docs')).text);
  expect(samples).toHaveLength(4);
  for (const sample of samples) {
    const call = sample.replaceAll('ada@acme.com', ada).replaceAll('ben@acme.com', ben).replaceAll('\\\n', '');
    const url = /https?:\/\/[^ ']+/.exec(call)?.[0] ?? '';
    const body = / -d '(.*)'/s.exec(call)?.[1];
    const headers = Object.fromEntries(
      [...call.matchAll(/-H (['"])([^:]+): (.*?)\1/g)].map(([, , name = '', value = '']) => [name, value]),
    );
    expect(headers.Authorization).toBe('Bearer $TANDEM_API_KEY');
    const method = call.includes('-X PUT') ? 'PUT' : body === undefined ? 'GET' : 'POST';
    const { pathname, search, origin } = new URL(url);
    expect(origin).toBe(world.baseUrl);
    const answer = await platform.api.send(method, pathname + search, body, {
      headers: { ...headers, Authorization: `Bearer ${platform.secret_key}` },
    });
    expect({ call, status: answer.status, text: answer.text }).toMatchObject({ call, status: 200 });
  }
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
