import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { ASSETS, sourcesOf } from '../../../functions/cli/assets.ts';
import { prerender } from '../../../functions/cli/prerender.ts';
import type { AppEnv } from '../../../functions/http/env.ts';
import { createStyleReader, either, fillIn, placeOf, readPrerendered } from '../../../functions/pages/prerendered.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

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
    const { status, text } = await createClient(world.baseUrl).send('GET', path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(text, path).not.toMatch(/\{\{[#^/]?[A-Z]/);
  }
});

describe('a placeholder', () => {
  const values = { BASE_URL: 'https://api.test', DATE: '2026-12-29', SUPPORT_EMAIL: 'a@b.test' };
  const contact = either('SUPPORT_EMAIL', `mail ${placeOf('SUPPORT_EMAIL')}`, 'ask us');

  test.each([
    ['is filled in wherever it stands', '{{BASE_URL}}/a {{BASE_URL}}/b', 'https://api.test/a https://api.test/b'],
    ['of a date counts days, into the next year too', '{{DATE+0}} {{DATE+4}}', '2026-12-29 2027-01-02'],
    ['of a part keeps it if there is a value', contact, 'mail a@b.test'],
    ['that nobody knows stays as it is', '{{NAME}} {{ BASE_URL }} {{#x}}y{{/x}} {{constructor}}', undefined],
    ['of a value that was not given is left out', `(${placeOf('COMPANY_NAME')})`, '()'],
  ])('%s', (_, text, filled) => {
    expect(fillIn(text, values)).toBe(filled ?? text);
  });

  test('of a part chooses the other part if there is no value', () => {
    expect(fillIn(contact, { ...values, SUPPORT_EMAIL: undefined })).toBe('ask us');
  });

  test('in a value is not filled in again', () => {
    expect(fillIn(placeOf('COMPANY_NAME'), { ...values, COMPANY_NAME: '{{BASE_URL}}' })).toBe('{{BASE_URL}}');
  });

  test('takes the width of a date', () => {
    expect(fillIn('{{DATE+3}}', values)).toHaveLength('{{DATE+3}}'.length);
  });
});

test('values are escaped in HTML, and stand in other texts as they are', async () => {
  const env = {
    ASSETS: { fetch: async () => new Response(`${placeOf('COMPANY_NAME')} ${placeOf('BASE_URL')}`) },
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

const without = await world.startSecond({ without: ['SUPPORT_EMAIL'] });
afterAll(() => without.close());

const NAMING = ['/docs', '/docs/errors'];

test.each(['', '.md'])('without an address for support, no page names one (%s)', async (end) => {
  const read = async (path: string) => (await createClient(without.baseUrl).send('GET', path + end)).text;
  expect(await read('/docs/errors')).toContain('contact us');
  for (const path of NAMING) expect(await read(path)).not.toMatch(/mailto:|\{\{/);
});

test('every page that says to contact us names the address where there is one', async () => {
  const client = createClient(world.baseUrl);
  for (const path of NAMING) expect((await client.send('GET', `${path}.md`)).text).not.toContain('contact us');
});

test.each([
  '/docs/nothing',
  '/docs/nothing.md',
  '/docs/%2e%2e%2fopenapi.json',
  '/docs/reference/..%2f..%2fopenapi',
  '/docs/nothing/nothing',
])('no page and no other file is at %s', async (path) => {
  const { status, text } = await createClient(world.baseUrl).send('GET', path);
  expect([status, text]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')]);
});
