import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { packagePath } from '../../../functions/cli/assets.ts';
import { type Deployable, findObstacles } from '../../../functions/cli/deploy.ts';
import { carryReleased, hashOf, readReleased, VERSION } from '../../../functions/cli/release.ts';
import { parseEnv } from '../../../functions/http/env.ts';
import { redact } from '../../../functions/http/log.ts';
import { directUrl } from '../../../schema/migrate.ts';
import { createSecrets } from '../../local/platforms.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

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
  ['the route', { vars }, ['The setting routes is missing. Add the route of the Worker.']],
  ...Object.keys(vars).map((name): [string, Deployable, string[]] => [
    name,
    { routes, vars: Object.fromEntries(Object.entries(vars).filter(([one]) => one !== name)) },
    [`${name} is missing in vars.`],
  ]),
])('without %s it is not, and each is named', (_name, environment, expected) => {
  expect(findObstacles(environment)).toEqual(expected);
});

test('nor with a domain that BASE_URL is not in, or a route to another host', () => {
  expect(findObstacles({ routes, vars: { ...vars, OWN_DOMAIN: 'acme.org' } })).toEqual([
    "OWN_DOMAIN in vars must be the registered domain that BASE_URL's host belongs to.",
  ]);
  expect(findObstacles({ routes, vars: { ...vars, BASE_URL: 'https://app.acme.com' } })).toEqual([
    'No route has the host of BASE_URL, https://app.acme.com. Add a route with this host.',
  ]);
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

healAfterEach();

test('an incomplete environment names what is missing and what is wrong', () => {
  expect(() => parseEnv({ BASE_URL: 'https://api.test', DATABASE_URL: 'mysql://db', TOKEN_KEYS: 'short' })).toThrow(
    /^The environment is incomplete: DATABASE_URL must be a postgresql:\/\/ URL; UPSTASH_REDIS_REST_URL is missing; .*TOKEN_KEYS must be a comma-separated list of "<id>:<base64 of 32 bytes>"; KEY_CHECK_SECRET is missing; SESSION_SECRET is missing; HEALTH_TOKEN is missing; OWN_DOMAIN is missing\.$/,
  );
});

test('every environment of wrangler.toml names the secrets that the Worker needs; the example has the two addresses as well', () => {
  const missing = /^The environment is incomplete: (.*)\.$/.exec(messageOf(() => parseEnv({})))?.[1] ?? '';
  const needed = [...missing.matchAll(/(\w+) is missing/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'BASE_URL');
  const { toml, example } = { toml: readRoot('wrangler.toml'), example: readRoot('.dev.vars.example') };
  const asked = [...toml.matchAll(/required = \[([^\]]*)\]/g)].map(([, names = '']) => names.match(/\w+/g));
  expect(needed).toContain('SESSION_SECRET');
  expect(asked).toEqual([needed, needed]);
  expect(example.match(/^\w+(?==)/gm)).toEqual([...needed, 'BASE_URL', 'OWN_DOMAIN']);
});

const readRoot = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

describe('BASE_URL', () => {
  const whole = { ...createSecrets(), UPSTASH_REDIS_REST_URL: 'https://redis.test' };
  let databases = 0;
  const parse = (given: Record<string, unknown>) => {
    databases += 1;
    return parseEnv({ ...whole, DATABASE_URL: `postgresql://db.test/${databases}`, OWN_DOMAIN: 'acme.com', ...given })
      .BASE_URL;
  };
  const LOCAL_MODE = 'on';

  test.each([
    ['a public host over HTTPS', { BASE_URL: 'https://api.acme.com' }, 'https://api.acme.com'],
    ['one with a slash', { BASE_URL: 'https://api.acme.com/' }, 'https://api.acme.com'],
    ['this machine in local mode', { BASE_URL: 'http://localhost:8787', LOCAL_MODE }, 'http://localhost:8787'],
    ['its address', { BASE_URL: 'http://127.0.0.1:8787', LOCAL_MODE }, 'http://127.0.0.1:8787'],
  ])('%s is taken', (_name, given, expected) => {
    expect(parse(given)).toBe(expected);
  });

  const REFUSED =
    /^The environment is incomplete: BASE_URL must be an https:\/\/ URL with a public host and no path, or with LOCAL_MODE=on/;
  test.each([
    ['plain HTTP', { BASE_URL: 'http://api.acme.com' }],
    ['this machine without local mode', { BASE_URL: 'http://localhost:8787' }],
    ['this machine over HTTPS without local mode', { BASE_URL: 'https://localhost' }],
    ['an IP address', { BASE_URL: 'https://203.0.113.7' }],
    ['an IPv6 address', { BASE_URL: 'https://[2001:db8::1]' }],
    ['a name without a domain', { BASE_URL: 'https://tandem' }],
    ['a path', { BASE_URL: 'https://api.acme.com/tandem' }],
    ['a name and password', { BASE_URL: 'https://a:b@api.acme.com' }],
    ['a public host in local mode', { BASE_URL: 'https://api.acme.com', LOCAL_MODE }],
  ])('%s is refused', (_name, given) => {
    expect(() => parse(given)).toThrow(REFUSED);
  });

  test.each([
    ['absent', undefined, 'OWN_DOMAIN is missing.'],
    ['another one', 'acme.org', "OWN_DOMAIN must be the registered domain that BASE_URL's host belongs to."],
    ['the end of a label', 'me.com', "OWN_DOMAIN must be the registered domain that BASE_URL's host belongs to."],
    ['a top level', 'com', "OWN_DOMAIN must be the registered domain that BASE_URL's host belongs to."],
  ])('stands under OWN_DOMAIN, which is not %s', (_name, OWN_DOMAIN, expected) => {
    expect(() => parse({ BASE_URL: 'https://api.acme.com', OWN_DOMAIN })).toThrow(expected);
  });

  test('has no default', () => {
    expect(() => parse({})).toThrow('The environment is incomplete: BASE_URL is missing.');
  });

  test('is judged also when something else is missing', () => {
    expect(() => parse({ BASE_URL: 'http://api.acme.com', GOOGLE_CLIENT_ID: undefined })).toThrow(
      /GOOGLE_CLIENT_ID is missing; BASE_URL must be an https/,
    );
  });
});

test.each([
  ['a platform key', 'key sk_live_abcDEF-123_x went'],
  ['a user key', 'key sk_user_abcDEF went'],
  ['a webhook secret', 'key whsec_abc went'],
  ['a bearer token', 'key Bearer ya29.abc-d went'],
  ['a connection string', 'key postgresql://u:p@host/db went'],
])('a log line shows no %s', (_name, line) => {
  expect(redact(line)).toBe('key [redacted] went');
});

const page = readFileSync(new URL('../../../functions/OPERATING.md', import.meta.url), 'utf8');
const [, sql = ''] = /### After the loss of TOKEN_KEYS[\s\S]*?```sql\n([\s\S]*?)```/.exec(page) ?? [];

test('after the loss of TOKEN_KEYS the statement of functions/OPERATING.md asks people to consent again, and then they can be found', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const [ada, bob] = [await connectedPerson(platform), await connectedPerson(platform)];
  const search = () => platform.api.availability({ attendees: [ada.email, bob.email] });
  expect((await search()).status).toBe(200);

  // What another key sealed begins with that key's id.
  await world.neon.query(`update calendar_accounts set
    refresh_token = 'lost.' || split_part(refresh_token, '.', 2) || '.' || split_part(refresh_token, '.', 3),
    access_token = 'lost.' || split_part(access_token, '.', 2) || '.' || split_part(access_token, '.', 3),
    calendars = 'lost.' || split_part(calendars, '.', 2) || '.' || split_part(calendars, '.', 3)`);
  await world.advance(2_000);
  expect(
    (await platform.api.send('POST', '/v1/availability?fresh=true', { attendees: [ada.email, bob.email] })).status,
  ).toBe(500);

  const statements = sql
    .split(';')
    .map((one) => one.trim())
    .filter((one) => !['', 'begin', 'commit'].includes(one));
  expect(statements).toHaveLength(3);
  for (const statement of statements) await world.neon.query(statement);
  expect(await search()).toMatchObject({ status: 404, body: { error: { code: 'calendar_reconnect_required' } } });
  for (const { email } of [ada, bob]) await world.connectCalendar(platform, email);
  expect((await search()).status).toBe(200);
});
