import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { packagePath } from '../../../functions/cli/assets.ts';
import { type Deployable, findObstacles } from '../../../functions/cli/deploy.ts';
import { carryReleased, hashOf, readReleased, VERSION } from '../../../functions/cli/release.ts';
import { directUrl } from '../../../schema/migrate.ts';

let assets: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-released-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  assets = folder;
});

function pack(version: string, content: string): string {
  const file = join(assets, packagePath(version));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return hashOf(version, assets) ?? '';
}

/** Production as it serves these packages, by path; everything else is 404. */
const serving = (files: Record<string, string>): typeof fetch =>
  (async (url: string) => {
    const content = files[url.replace('https://api.test/', '')];
    return content === undefined ? new Response(null, { status: 404 }) : new Response(content);
  }) as typeof fetch;
const carry = (released: Map<string, string>, version: string, ask: typeof fetch) =>
  carryReleased(released, { baseUrl: 'https://api.test', version, assets, ask });

test('the client that is built is the released one, if this version is released', () => {
  const released = readReleased().get(VERSION);
  expect(released ?? hashOf(VERSION)).toBe(hashOf(VERSION));
});

test('the client, the product and the address in the README have one version', () => {
  expect(JSON.parse(readFileSync('lib/client/package.json', 'utf8')).version).toBe(VERSION);
  expect(readFileSync('README.md', 'utf8')).toContain(`/client/tandem-api-client-${VERSION}.tgz`);
  expect(hashOf(VERSION)).toMatch(/^[0-9a-f]{64}$/);
});

test('a client is deployed before it is released too, and to a production that has none yet', async () => {
  const hash = pack('1.0.0', 'first');
  expect(await carry(new Map(), '1.0.0', serving({}))).toEqual([]);
  expect(await carry(readReleased(`1.0.0 ${hash}\n`), '1.0.0', serving({}))).toEqual([]);
  const nowhere = async () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }) });
  };
  expect(await carry(readReleased(`1.0.0 ${hash}\n`), '1.0.0', nowhere)).toEqual([]);
});

test('a released client that would change is not deployed', async () => {
  const hash = pack('1.0.0', 'first');
  pack('1.0.0', 'second');
  const released = readReleased(`1.0.0 ${hash}\n`);
  const changed = [expect.stringContaining('The client 1.0.0 is released, and this code builds another one.')];
  expect(await carry(released, '1.0.0', serving({}))).toEqual(changed);
  // Released from another copy of the code, whose list was never committed.
  pack('1.0.0', 'first');
  const other = serving({ 'client/tandem-api-client-1.0.0.tgz': 'other' });
  for (const list of [released, new Map()]) expect(await carry(list, '1.0.0', other)).toEqual(changed);
});

test('every former client is deployed again, byte for byte, from where production serves it', async () => {
  const former = pack('1.0.0', 'first');
  rmSync(join(assets, packagePath('1.0.0')));
  const released = readReleased(`1.0.0 ${former}\n1.1.0 ${pack('1.1.0', 'second')}\n`);
  expect(await carry(released, '1.1.0', serving({ 'client/tandem-api-client-1.0.0.tgz': 'first' }))).toEqual([]);
  expect(hashOf('1.0.0', assets)).toBe(former);
  // Production need not be asked for what is here already.
  expect(await carry(released, '1.1.0', serving({}))).toEqual([]);
});

test.each<[string, typeof fetch, string]>([
  ['is gone', serving({}), 'is not at https://api.test/client/tandem-api-client-1.0.0.tgz.'],
  [
    'has other bytes',
    serving({ 'client/tandem-api-client-1.0.0.tgz': 'x' }),
    'is not at https://api.test/client/tandem-api-client-1.0.0.tgz.',
  ],
  ['cannot be read', async () => new Response(null, { status: 503 }), 'cannot be read (HTTP 503). Try again.'],
  ['does not answer', () => Promise.reject(new TypeError('fetch failed')), 'cannot be read (fetch failed). Try again.'],
])('without a former client, which %s, nothing is deployed', async (_, ask, said) => {
  const released = readReleased(`1.0.0 0123\n1.1.0 ${pack('1.1.0', 'second')}\n`);
  expect((await carry(released, '1.1.0', ask)).join()).toContain(said);
  expect(existsSync(join(assets, packagePath('1.0.0')))).toBe(false);
});

const routes = [{ pattern: 'api.acme.com', custom_domain: true }];
const vars = { BASE_URL: 'https://api.acme.com', OWN_DOMAIN: 'acme.com', SUPPORT_EMAIL: 'help@acme.com' };

test('an environment with its route, BASE_URL, OWN_DOMAIN and SUPPORT_EMAIL is deployed', () => {
  expect(findObstacles({ routes, vars })).toEqual([]);
  expect(findObstacles({ routes: ['api.acme.com/*'], vars })).toEqual([]);
});

test.each([
  [
    'all of it',
    { vars: {} },
    [
      'The setting routes is missing. Add the route of the Worker.',
      'BASE_URL is missing in vars.',
      'OWN_DOMAIN is missing in vars.',
      'SUPPORT_EMAIL is missing in vars.',
    ],
  ],
  ['the route', { vars }, ['The setting routes is missing. Add the route of the Worker.']],
  ...Object.keys(vars).map((name): [string, Deployable, string[]] => [
    name,
    { routes, vars: Object.fromEntries(Object.entries(vars).filter(([one]) => one !== name)) },
    [`${name} is missing in vars.`],
  ]),
])('without %s it is not, and each is named', (_name, environment, expected) => {
  expect(findObstacles(environment)).toEqual(expected);
});

test.each([
  [
    'a plain BASE_URL',
    { ...vars, BASE_URL: 'http://api.acme.com' },
    [
      'BASE_URL in vars must be an https:// URL with a public host and no path, or with LOCAL_MODE=on a URL of this machine.',
    ],
  ],
  [
    'a domain that BASE_URL is not in',
    { ...vars, OWN_DOMAIN: 'acme.org' },
    ["OWN_DOMAIN in vars must be the registered domain that BASE_URL's host belongs to."],
  ],
  [
    'a route to another host',
    { ...vars, BASE_URL: 'https://app.acme.com' },
    ['No route has the host of BASE_URL, https://app.acme.com. Add a route with this host.'],
  ],
])('nor with %s', (_name, given, expected) => {
  expect(findObstacles({ routes, vars: given })).toEqual(expected);
});

test.each([
  [
    'postgresql://a:b-pooler@ep-x-1-pooler.eu-1.aws.neon.tech/db',
    'postgresql://a:b-pooler@ep-x-1.eu-1.aws.neon.tech/db',
  ],
  ['postgresql://a:b@ep-x-1.eu-1.aws.neon.tech/db', 'postgresql://a:b@ep-x-1.eu-1.aws.neon.tech/db'],
  ['postgres://postgres@my-pooler.test/db', 'postgres://postgres@my-pooler.test/db'],
])('a migration of %s connects without the pooler', (url, direct) => {
  expect(directUrl(url)).toBe(direct);
});
