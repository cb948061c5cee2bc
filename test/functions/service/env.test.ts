import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseEnv } from '../../../functions/http/env.ts';
import { redact } from '../../../functions/http/log.ts';
import { createSecrets } from '../../local/platforms.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

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
