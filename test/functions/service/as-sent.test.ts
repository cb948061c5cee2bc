import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GROUPS } from '../../../functions/http/groups.ts';
import { flatRefusal, refusal } from '../../support/checks/errors.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { freshPair } from '../../support/people/meetings.ts';
import { createClient, freshAddress } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const { platform, ada, bob } = await freshPair();
const KEY = platform.secret_key;
const OTHER = (await freshPlatform()).secret_key;
const { api_key } = await world.connect(platform, ada.email);
const both = [ada.email, bob.email];
const NO_PREVIEW = ', so nothing was done. This operation has no preview. Without the field, it makes the change.';

/** Sends a request with headers as they are given: a list sends a header several times. */
const raw = (path: string, headers: Record<string, string | string[]>, body?: string | Buffer) =>
  // biome-ignore lint/suspicious/noExplicitAny: whole answers are compared, and parts of them read, by tests only.
  new Promise<{ status: number | undefined; replayed: unknown; body: any }>((resolve, reject) => {
    const all = { 'cf-connecting-ip': freshAddress(), ...headers };
    const method = body === undefined ? 'GET' : 'POST';
    const call = request(new URL(path, world.baseUrl), { method, headers: all }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      const { statusCode: status, headers: got } = answer;
      resolve({ status, replayed: got['idempotent-replayed'], body: JSON.parse(text) });
    });
    call.on('error', reject).end(body);
  });
const bearer = { authorization: `Bearer ${KEY}` };
const json = { ...bearer, 'content-type': 'application/json' };

describe('of two headers for keys', () => {
  test.each([
    ['a stranger’s X-API-Key', { ...bearer, 'x-api-key': 'gw_123' }],
    ['an empty X-API-Key', { ...bearer, 'x-api-key': '' }],
    ['a stranger’s Authorization', { authorization: 'Basic Z3c6MTIz', 'x-api-key': KEY }],
    ['a stranger’s Bearer', { authorization: 'Bearer eyJhbGciOi', 'x-api-key': KEY }],
    ['the same key twice', { ...bearer, 'x-api-key': KEY }],
    ['one header sent twice', { 'x-api-key': [KEY, KEY] }],
  ])('the right one counts: beside %s', async (_name, headers) => {
    expect((await raw('/v1/calendars', headers)).status).toBe(200);
  });

  const TWO_KEYS =
    'The request has two different API keys. Send one, in the header Authorization: Bearer or in X-API-Key.';
  test.each([
    ['two different keys', { ...bearer, 'x-api-key': OTHER }, TWO_KEYS],
    ['a second key in one value', { authorization: `Bearer ${KEY},${OTHER}` }, TWO_KEYS],
    [
      'a key without Bearer',
      { authorization: KEY },
      'The header Authorization must be Bearer, a blank and the API key.',
    ],
    [
      'a cut key in X-API-Key',
      { 'x-api-key': KEY.slice(0, -4), authorization: 'Bearer eyJhbGciOi' },
      'The API key in the header X-API-Key is not valid. Send the whole key, and check that it was not replaced or revoked.',
    ],
  ])('%s: 401 says which was read', async (_name, headers, message) => {
    expect(await raw('/v1/calendars', headers)).toMatchObject(flatRefusal(401, 'Unauthorized', { message }));
  });
});

test('an empty list is as good as no body where the body is optional, and no list is an object elsewhere', async () => {
  const [link, search] = ['/v1/platform/dashboard-link', '/v1/availability'];
  expect((await raw(link, json, '[]')).status).toBe(200);
  for (const [path, body] of [
    [link, '[1]'],
    [search, '[]'],
  ] as const)
    expect(await raw(path, json, body)).toMatchObject({ status: 400 });
});

test('a key in the URL, and a slash too many, are told', async () => {
  expect(await raw(`/v1/calendars?api_key=${KEY}`, {})).toMatchObject({
    status: 401,
    body: {
      message:
        'The API key is in the URL, where logs keep it. Replace the key, and send the new one in the header Authorization: Bearer.',
    },
  });
  expect(await raw('/v1/calendars/', bearer)).toMatchObject({
    status: 404,
    body: { message: 'There is nothing at /v1/calendars/. Leave out the slash that is too many.' },
  });
});

describe('Idempotency-Key', () => {
  const start = () => new Date(world.clock.now() + 20 * 86_400_000).toISOString();
  const booking = () => JSON.stringify({ attendees: both, start_time: start(), duration_minutes: 30, title: 'Talk' });

  test.each([
    ['twice', ['k-1', 'k-1'], 'k-1'],
    ['with blanks', ' k-2 ', 'k-2'],
    ['in quotes and without', ['"k-3"', 'k-3'], '"k-3"'],
    ['with a comma in quotes', '"k,4"', '"k,4"'],
  ])('sent %s is one key', async (_name, sent, again) => {
    const body = booking();
    const first = await raw('/v1/schedule', { ...json, 'idempotency-key': sent }, body);
    const second = await raw('/v1/schedule', { ...json, 'idempotency-key': again }, body);
    expect([first.status, second.status, second.replayed]).toEqual([200, 200, 'true']);
    expect(second.body).toEqual(first.body);
  });

  test.each([
    [
      'with different values',
      { 'idempotency-key': ['a', 'b'] },
      'has 2 different values. Send one, and put quotes around a value that has a comma.',
    ],
    ['empty', { 'idempotency-key': '' }, 'must have 1 to 255 printable ASCII characters.'],
    [
      'under another name',
      { 'x-idempotency-key': 'a' },
      'is not read. Send the key as the header Idempotency-Key.',
      'x-idempotency-key',
    ],
  ])('%s is 400, and nothing is booked', async (_name, headers, rule, field = 'Idempotency-Key') => {
    const message = `The header ${field} ${rule}`;
    const before = await platform.api.send('GET', '/v1/meetings');
    const answer = await raw('/v1/schedule', { ...json, ...headers }, booking());
    expect(answer).toMatchObject(refusal(400, 'invalid_request', { message, field }));
    expect((await platform.api.send('GET', '/v1/meetings')).body).toEqual(before.body);
  });

  test('in the body is warned of with its place', async () => {
    const body = { ...JSON.parse(booking()), idempotency_key: 'a' };
    const answer = await platform.api.send('POST', '/v1/schedule', body);
    expect(answer.body).toMatchObject({
      warnings: ['`idempotency_key` in the body is not read. Send it as the header Idempotency-Key.'],
    });
  });
});

describe('a body', () => {
  const search = JSON.stringify({ attendees: both });
  const NOT_UTF8 = 'The request body is not valid UTF-8. Encode it as UTF-8, and send it again.';
  test.each<[string, Record<string, string>, string | Buffer, number, string]>([
    ['that is not UTF-8', {}, Buffer.from('{"context": "Caf\u00e9"}', 'latin1'), 400, NOT_UTF8],
    [
      'in another charset',
      { 'content-type': 'application/json; charset=iso-8859-1' },
      search,
      415,
      'The request body must be in UTF-8, not in iso-8859-1. Send it with the header Content-Type: application/json; charset=utf-8.',
    ],
    [
      'that is compressed',
      { 'content-encoding': 'gzip' },
      gzipSync(search),
      415,
      'The request body must not be compressed, and the header Content-Encoding says gzip. Send the plain JSON without that header.',
    ],
    ['that is empty', {}, '', 400, 'The request has no body. Send a JSON object, such as {"name": "value"}.'],
    [
      'that is a form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'a=b',
      415,
      'The request body must be JSON, sent with the header Content-Type: application/json, not application/x-www-form-urlencoded.',
    ],
  ])('%s is refused with what came', async (_name, headers, body, status, message) => {
    const answer = await raw('/v1/availability', { ...json, ...headers }, body);
    expect([answer.status, answer.body.error.message]).toEqual([status, message]);
  });

  test.each([
    'application/json; charset=UTF-8',
    'application/json;charset="utf8"',
    'application/json, application/json',
  ])('with the type %s is read', async (type) => {
    expect((await raw('/v1/availability', { ...json, 'content-type': type }, search)).status).toBe(200);
  });
});

describe('a body for an operation that has no fields', () => {
  const CHANGES = GROUPS.flatMap(({ operations }) => operations)
    .filter(({ method, body }) => method !== 'get' && body === undefined)
    .map(({ method, path, key }) => ({
      call: `${method.toUpperCase()} ${path}`,
      // The path names nobody's, so that an operation that acted would answer 404 or, on one's own, 200.
      path: path.replace('{email}', 'nobody@people.test').replaceAll(/\{\w+\}/g, 'none'),
      key: key === 'user' ? api_key : KEY,
    }));

  test.each(CHANGES)('may have none: $call', async ({ call, path, key }) => {
    const send = (body: object) => createClient(world.baseUrl, key).send(call.split(' ')[0] ?? '', path, body);
    for (const [body, field, advice] of [
      [{ preview: true }, 'preview', NO_PREVIEW],
      [{ options: { dry_run: true } }, 'options', NO_PREVIEW],
      [{ reason: 'x' }, 'reason', '. Leave it out.'],
    ] as const) {
      const { status, body: answer } = await send(body);
      const { error, ...flat } = answer as Record<string, unknown>;
      const message = `\`${field}\` is not a field of this request${advice}`;
      expect([status, typeof error === 'object' ? error : flat]).toMatchObject([400, { message, field }]);
    }
  });

  test.each<[string, string, string]>([
    ['nothing', '', ''],
    ['nothing as JSON', '', 'application/json'],
    ['an empty object', ' {\n} ', 'application/json'],
    ['an empty object without its type', '{}', 'application/x-www-form-urlencoded'],
    ['an empty list, as PHP does', '[]', 'application/json'],
    ['`null`', 'null', 'application/json'],
    ['a field that is `null`', '{"preview": null}', 'application/json'],
  ])('may be %s', async (_name, body, type) => {
    const sent = [body === '' ? undefined : body, type === '' ? {} : { headers: { 'content-type': type } }] as const;
    await platform.api.send('PUT', '/v1/platform/webhook', { url: platform.webhookUrl });
    expect((await platform.api.send('POST', '/v1/platform/webhook/rotate-secret', ...sent)).status).toBe(200);
    const carl = await connectedPerson(platform);
    expect((await platform.api.send('DELETE', `/v1/calendars/${carl.email}`, ...sent)).status).toBe(200);
  });

  test.each<[string, Record<string, string>, string, number]>([
    ['a list of something', {}, '[1]', 400],
    ['compressed', { 'content-encoding': 'gzip' }, '{}', 415],
    ['larger than 64 KiB', {}, ' '.repeat(65 * 1024), 413],
  ])('may not be %s', async (_name, headers, body, status) => {
    expect((await raw('/v1/platform/webhook/rotate-secret', { ...json, ...headers }, body)).status).toBe(status);
  });
});

describe('a query parameter', () => {
  const ask = async (path: string) => (await platform.api.send('GET', path)) as { status: number; body: unknown };
  const nested = (field: string, rule: string) =>
    refusal(400, 'invalid_request', { message: `\`${field}\` ${rule}`, field });
  const flat = (field: string, rule: string) =>
    flatRefusal(400, 'Invalid request', { message: `\`${field}\` ${rule}`, field });
  const UNKNOWN = 'is not a query parameter of this request';

  test.each([
    ['/v1/meetings?atendee=a', nested('atendee', `${UNKNOWN}; did you mean \`attendee\`?`)],
    ['/v1/meetings?attendee[]=a', nested('attendee[]', `${UNKNOWN}; did you mean \`attendee\`?`)],
    ['/v1/meetings?limit=1&limit=1', nested('limit', 'was sent 2 times. Send it once.')],
    ['/v1/meetings?email=nobody', nested('email', 'must be an email address, such as ada@example.com.')],
    ['/v1/platform/settings?x=1', flat('x', `${UNKNOWN}. It takes none.`)],
    ['/v1/calendars?page=2', flat('page', `${UNKNOWN}. It takes \`limit\`, \`cursor\`.`)],
    [
      `/v1/meetings?attendee=${ada.email}&email=${bob.email}`,
      refusal(400, 'invalid_request', {
        message: '`attendee` and `email` mean the same here. Send one of them.',
        field: 'email',
      }),
    ],
    [
      '/v1/calendars?=1',
      { status: 400, body: { message: 'The query has a value without a name. Write `name=value`.' } },
    ],
    [
      '/v1/meetings?attendee=caf%E9@x.test',
      refusal(400, 'invalid_request', {
        message:
          'The URL has a percent sign that does not begin a character in UTF-8. Encode each text as UTF-8, such as %C3%A9 for é, and a percent sign as %25.',
        field: 'attendee',
      }),
    ],
  ])('%s is refused with what is meant', async (path, refusal) => {
    expect(await ask(path)).toMatchObject(refusal);
  });

  test('that belongs in the body is sent there', async () => {
    const answer = await platform.api.send('POST', '/v1/availability?duration_minutes=30', { attendees: both });
    expect(answer.body).toMatchObject({
      error: { message: '`duration_minutes` is not a query parameter of this request. Send it in the JSON body.' },
    });
  });

  test('for a person has one meaning under each of its names', async () => {
    for (const name of ['email', 'attendee', 'user_email']) {
      expect((await ask(`/v1/meetings?${name}=${ada.email}`)).status).toBe(200);
      expect((await ask(`/v1/proposals?${name}=${ada.email}`)).status).toBe(200);
      expect(await ask(`/v1/platform/oauth-url?${name}=${ada.email}`)).toMatchObject({
        status: 200,
        body: { oauth_url: expect.stringContaining(encodeURIComponent(ada.email)) },
      });
    }
  });
});

test('a plus sign that a query has unencoded stays one where no blank can be', async () => {
  const api = platform.api;
  const linkTo = async (query: string) =>
    ((await api.send('GET', `/v1/platform/oauth-url?${query}`)).body as { oauth_url: string }).oauth_url;
  const link = new URL(await linkTo('user_email=ada+work@example.com&state=a+b'));
  expect([link.searchParams.get('user_email'), link.searchParams.get('state')]).toEqual([
    'ada+work@example.com',
    'a b',
  ]);
  expect((await api.send('GET', '/v1/proposals?email=ada+work@example.com')).status).toBe(200);
  expect((await api.send('GET', '/v1/meetings?from=2099-01-05T10:00:00+01:00')).status).toBe(200);
  expect((await api.send('GET', '/v1/meetings?from=2099-01-05+10:00:00Z')).status).toBe(400);
});

test.each([
  ['/docs/', '/docs'],
  ['/docs/errors/?a=b/', '/docs/errors?a=b/'],
  ['/me/', '/me'],
  ['/dashboard//', '/dashboard'],
  ['//elsewhere.example//', '/elsewhere.example'],
  ['/%5C/elsewhere.example/', '/%5C/elsewhere.example'],
])('a page with a slash too many, %s, leads to %s', async (path, to) => {
  const answer = await fetch(world.baseUrl + path, { redirect: 'manual', headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, to]);
});

describe('public documents', () => {
  const PUBLIC = [
    '/openapi.json',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/security.txt',
    '/llms.txt',
    '/docs',
    '/docs/errors.md',
    '/health',
  ];
  const headers = { origin: 'https://other.example', 'cf-connecting-ip': freshAddress() };

  test.each(PUBLIC)('%s may be read by another origin', async (path) => {
    const answer = await fetch(world.baseUrl + path, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('a client that asks before it sends a header of its own may', async () => {
    const answer = await fetch(`${world.baseUrl}/.well-known/oauth-protected-resource/mcp`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
  });

  test.each(['/v1/calendars', '/mcp', '/me', '/dashboard'])('%s may not', async (path) => {
    const answer = await fetch(world.baseUrl + path, { headers: { ...headers, ...bearer } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('an address of any script and with any of its signs is a person’s', async () => {
  const client = createClient(world.baseUrl, KEY);
  for (const [sent, stored] of [
    ['ivan@xn--e1afmkfd.xn--p1ai', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['иван@пример.рф', 'иван@xn--e1afmkfd.xn--p1ai'],
    ['O&M@example.com', 'o&m@example.com'],
    ['a/b@example.com', 'a/b@example.com'],
    ['ö@münchen.de', 'ö@xn--mnchen-3ya.de'],
    [' ada@example.com\n', 'ada@example.com'],
  ] as const)
    expect((await client.send('GET', `/v1/users/${encodeURIComponent(sent)}/status`)).body).toMatchObject({
      email: stored,
      calendar_connected: false,
    });
});

test('an address is as long as it is stored: 254 characters, its domain in A-labels', async () => {
  const client = createClient(world.baseUrl, KEY);
  const domain = Array.from({ length: 9 }, (_, n) => `${'ö'.repeat(14)}${n}`).join('.');
  const stored = new URL(`http://${domain}`).hostname;
  for (const [length, status] of [
    [254, 200],
    [255, 400],
  ] as const) {
    const local = 'a'.repeat(length - 1 - stored.length);
    const answer = await client.send('GET', `/v1/users/${encodeURIComponent(`${local}@${domain}`)}/status`);
    expect(answer.status).toBe(status);
  }
});

test.each([
  ['zero-width characters alone', '\u200b\u200b', 'have a visible character'],
  ['tag characters', 'Hi\u{e0041}\u{e0042}', undefined],
  ['selectors and zero-width spaces in turn', `Hi${'\u{e0141}\u200b'.repeat(20)}`, undefined],
  ['a selector after each letter', 'Quarterly planning'.replaceAll(/./g, '$&\u{e0141}'), undefined],
  ['an override of direction', 'invoice\u202efdp.exe', undefined],
  ['a run of variation selectors', 'Hi\ufe00\ufe01', undefined],
])('a title of %s is refused', async (_name, title, rule = 'not have hidden characters, such as tag characters') => {
  const body = { attendees: both, start_time: '2099-01-05T10:00:00Z', duration_minutes: 30, title };
  const message = `\`title\` must ${rule}.`;
  expect((await platform.api.send('POST', '/v1/schedule', body)).body).toMatchObject({ error: { message } });
});

test.each(['ada\u{e0141}@people.test', 'ada\ufe0f@people.test', 'ada\u034f@people.test', 'ada\u3164@people.test'])(
  'an address with a hidden character is refused: %j',
  async (email) => {
    const answer = await createClient(world.baseUrl, KEY).send('GET', `/v1/users/${encodeURIComponent(email)}/status`);
    expect(answer.status).toBe(400);
  },
);
