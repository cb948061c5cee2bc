import { beforeEach, describe, expect, test } from 'vitest';
import { app } from '../../functions/app.ts';
import { createClient } from '../support/client.ts';
import { wholeError } from '../support/errors.ts';
import { freshPlatform } from '../support/factories.ts';
import { freshStock } from '../support/fuzz/stock.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const own = await freshStock({ meetings: 4, users: 2 });
const stranger = await freshStock({ meetings: 0, users: 1 });
const revoked = await freshPlatform();
await world.neon.query('update api_keys set revoked_at = now() where platform_id = $1', [revoked.id]);
const forgotten = await freshPlatform();
await world.neon.query('delete from api_keys where platform_id = $1', [forgotten.id]);

const [ada = '', bob = ''] = own.attendees;
const [user, leaver] = own.users;
const pair = { attendees: own.attendees };

/** A user's budget of a minute is for one route only. */
beforeEach(() => world.advance(61_000));

/** By name; a key that was replaced has its next in its place. */
const KEYS = {
  'no key': undefined as string | undefined,
  'a malformed key': 'nonsense',
  'a made-up key': `sk_live_${'x'.repeat(43)}0123456789`,
  'an unknown key': forgotten.secret_key,
  'a revoked key': revoked.secret_key,
  'the publishable key': own.platform.publishable_key,
  'the secret key': own.platform.secret_key,
  'a user key': user?.key,
  "another platform's key": stranger.platform.secret_key,
  "another person's key": stranger.users[0]?.key,
};
type KeyName = keyof typeof KEYS;

type Shown = Parameters<typeof wholeError>[0];

/** What a route is asked for, and what comes of it. */
interface Row {
  /** Whose keys it takes; `any`: keys make no difference. */
  for: 'platform' | 'user' | 'any';
  path?: string;
  body?: unknown;
  /** The status for its owner, or for everybody. */
  status: number;
  /** What a stranger with a key of the right kind gets: a refusal, or a success that shows only what is theirs. */
  foreign?: [status: number, error: Shown];
  /** The key of its owner, where it is not the usual one. */
  key?: string | undefined;
}

const forAny = (status: number): Row => ({ for: 'any', status });
const forPlatform = (status: number, row: Partial<Row> = {}): Row => ({ for: 'platform', status, ...row });
const forUser = (status: number, row: Partial<Row> = {}): Row => ({ for: 'user', status, ...row });

const notConnected = (email: string) => `${email} has not connected a calendar with this platform.`;
const NO_ATTENDEE: Row['foreign'] = [
  404,
  { error: { code: 'user_not_found', message: notConnected(ada), field: 'attendees', email: ada } },
];
const NO_PERSON: Row['foreign'] = [
  404,
  { error: 'User not found', message: notConnected(ada), field: 'email', email: ada },
];
const NOT_THEIRS: Row['foreign'] = [403, { error: 'Forbidden', message: 'This meeting was made by another platform.' }];
const NO_DELIVERY: Row['foreign'] = [
  404,
  { error: 'Delivery not found', message: 'There is no such delivery in the log.' },
];

const inDays = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString();
const meeting = (place: number) => `/v1/meetings/${own.meetings[place]}`;
const person = (email: string) => `/v1/users/${encodeURIComponent(email)}`;
const delivery = `/v1/platform/webhook/logs/${own.deliveries[0]}`;

const ROWS: Record<string, Row> = {
  'GET /health': forAny(200),
  'GET /openapi.json': forAny(200),
  'GET /docs/errors': forAny(200),
  'GET /v1/auth/calendar/authorize': forAny(400),
  'POST /oauth/authorize': forAny(400),
  'GET /oauth/login': forAny(400),
  'GET /oauth/callback': forAny(400),
  'GET /me': forAny(401),
  'GET /me/delete': forAny(401),
  'GET /me/export': forAny(401),
  'POST /me/api-key': forAny(401),
  'POST /me/disconnect': forAny(401),
  'POST /me/delete': forAny(401),
  'POST /internal/deliver-webhook': forAny(401),
  'POST /internal/run-job': forAny(401),
  'POST /internal/sync-calendars': forAny(401),
  'POST /internal/calendar-push': forAny(404),
  'POST /v1/availability': forPlatform(200, { body: pair, foreign: NO_ATTENDEE }),
  'POST /v1/availability/explain': forPlatform(200, {
    body: { ...pair, start_time: inDays(2) },
    foreign: NO_ATTENDEE,
  }),
  'POST /v1/schedule': forPlatform(200, {
    body: { ...pair, start_time: inDays(40), duration_minutes: 30, title: 'Tea' },
    foreign: NO_ATTENDEE,
  }),
  'POST /v1/schedule/auto': forPlatform(202, { body: pair, foreign: NO_ATTENDEE }),
  'GET /v1/jobs/:job_id': forPlatform(200, {
    path: `/v1/jobs/${own.jobs[0]}`,
    foreign: [404, { error: { code: 'job_not_found', message: 'There is no such job.' } }],
  }),
  'GET /v1/meetings/:meeting_id': forPlatform(200, { path: meeting(0), foreign: NOT_THEIRS }),
  'PUT /v1/meetings/:meeting_id': forPlatform(200, {
    path: meeting(1),
    body: { start_time: inDays(30), end_time: inDays(30.02) },
    foreign: NOT_THEIRS,
  }),
  'DELETE /v1/meetings/:meeting_id': forPlatform(200, { path: meeting(2), foreign: NOT_THEIRS }),
  'POST /v1/meetings/:meeting_id/reschedule': forPlatform(200, {
    path: `${meeting(3)}/reschedule`,
    body: { meeting_id: own.meetings[3], requested_by: bob, reason: 'Another day is better.' },
    foreign: NOT_THEIRS,
  }),
  'GET /v1/users/:email/meetings': forPlatform(200, { path: `${person(ada)}/meetings`, foreign: NO_PERSON }),
  'GET /v1/users/:email/availability': forPlatform(200, { path: `${person(ada)}/availability`, foreign: NO_PERSON }),
  'GET /v1/users/:email/status': forPlatform(200, { path: `${person(ada)}/status` }),
  'GET /v1/platform/oauth-url': forPlatform(200, { path: '/v1/platform/oauth-url?user_email=someone@people.test' }),
  'GET /v1/calendars': forPlatform(200),
  'DELETE /v1/calendars/:email': forPlatform(200, {
    path: `/v1/calendars/${encodeURIComponent(own.leaving[0] ?? '')}`,
    foreign: [
      404,
      {
        error: 'Connection not found',
        message: `${own.leaving[0]} has no calendar connection with this platform.`,
      },
    ],
  }),
  'GET /v1/platform/dashboard': forPlatform(200),
  'GET /v1/platform/users': forPlatform(200),
  'GET /v1/platform/users/status': forPlatform(200, {
    path: `/v1/platform/users/status?email=${encodeURIComponent(ada)}`,
  }),
  'GET /v1/platform/settings': forPlatform(200),
  'PUT /v1/platform/settings': forPlatform(200, { body: { on_decline: 'cancel' } }),
  'PUT /v1/platform/webhook': forPlatform(200, { body: { max_retries: 2 } }),
  'GET /v1/platform/webhook': forPlatform(200),
  'POST /v1/platform/webhook/rotate-secret': forPlatform(200),
  'POST /v1/platform/webhook/test': forPlatform(200),
  'GET /v1/platform/webhook/logs': forPlatform(200),
  'GET /v1/platform/webhook/logs/:id': forPlatform(200, { path: delivery, foreign: NO_DELIVERY }),
  'POST /v1/platform/webhook/logs/:id/replay': forPlatform(202, { path: `${delivery}/replay`, foreign: NO_DELIVERY }),
  'POST /v1/platform/webhook/replay': forPlatform(202, { body: { since: inDays(-1) } }),
  'GET /v1/user/info': forUser(200),
  'GET /v1/user/preferences': forUser(200),
  'PUT /v1/user/preferences': forUser(200, { body: { buffer_minutes: 15 } }),
  'GET /v1/user/export': forUser(200),
  'GET /v1/user/learning': forUser(200),
  'POST /v1/user/learning/:id/undo': forUser(200, {
    path: `/v1/user/learning/${own.learned[0]}/undo`,
    foreign: [404, { error: 'Not found', message: 'You have no learned change of this id.' }],
  }),
  'DELETE /v1/user/learning': forUser(200),
  'POST /v1/platform/regenerate-key': forPlatform(200),
  'POST /v1/user/api-key/regenerate': forUser(200),
  'DELETE /v1/user': forUser(200, { key: leaver?.key }),
};

const routes = new Set(
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
);

test('every route has its row, and every row its route', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...routes].sort());
});

/** Everything by which an answer could show that it is about the owner's things. */
const SECRETS = [own.platform.id, own.platform.webhookUrl, own.platform.secret_key, user?.email ?? '', user?.key ?? '']
  .concat(own.meetings, own.jobs, own.deliveries, own.learned)
  .filter((text) => text !== '');

const NO_KEY = 'Send an API key as X-API-Key or as Authorization: Bearer.';
const NOT_VALID = 'The API key is not valid.';
const NOT_OURS: Partial<Record<KeyName, [status: number, title: string, message: string]>> = {
  'no key': [401, 'Unauthorized', NO_KEY],
  'a malformed key': [401, 'Unauthorized', NOT_VALID],
  'a made-up key': [401, 'Unauthorized', NOT_VALID],
  'an unknown key': [401, 'Unauthorized', NOT_VALID],
  'a revoked key': [401, 'Unauthorized', NOT_VALID],
  'the publishable key': [
    403,
    'Forbidden',
    'A publishable key serves only the authorize URL; use the secret key (sk_live_) on your server.',
  ],
};
const WRONG_KIND = {
  platform: 'A user key gives no access here; use the platform key (sk_live_).',
  user: 'A platform key gives no access here; use a user key (sk_user_).',
};
const KIND: Partial<Record<KeyName, 'platform' | 'user'>> = {
  'the secret key': 'platform',
  "another platform's key": 'platform',
  'a user key': 'user',
  "another person's key": 'user',
};

let asked = 0;

/** Asks with a key, from an address of its own; tells whom that made the Worker ask. */
async function ask(route: string, { path, body }: Row, key: string | undefined) {
  const [method = '', pattern = ''] = route.split(' ');
  asked += 1;
  const id = `matrix-${asked}`;
  const answer = await createClient(world.baseUrl, key).send(method, path ?? pattern, body, {
    headers: { 'x-request-id': id },
  });
  const calls = world.traffic.list().filter(({ request_id }) => request_id === id);
  return { ...answer, called: [...new Set(calls.map(({ target }) => target))] };
}

/** The same with a key by its name. */
async function askAs(route: string, row: Row, name: KeyName) {
  const answer = await ask(route, row, KEYS[name]);
  const { api_key: made } = { ...(answer.body as { api_key?: string } | undefined) };
  if (made !== undefined) KEYS[name] = made;
  return answer;
}

describe.each(Object.entries(ROWS))('%s', (route, row) => {
  if (row.for === 'any') {
    test('is the same with every key and with none', async () => {
      const plain = ({ text }: { text: string }) => text.replaceAll(/matrix-\d+/g, '');
      const first = await ask(route, row, undefined);
      expect(first.status).toBe(row.status);
      for (const [name, key] of Object.entries(KEYS)) {
        const answer = await ask(route, row, key);
        expect({ name, status: answer.status, text: plain(answer) }).toEqual({
          name,
          status: row.status,
          text: plain(first),
        });
        expect(answer.called.filter((target) => target !== 'redis')).toEqual([]);
      }
    });
    return;
  }

  const kind = row.for;
  const refused = (Object.keys(KEYS) as KeyName[]).flatMap((name) => {
    const refusal =
      NOT_OURS[name] ?? (KIND[name] === kind ? undefined : ([403, 'Forbidden', WRONG_KIND[kind]] as const));
    return refusal === undefined ? [] : [[name, ...refusal] as const];
  });

  test.each(refused)('refuses %s with %i %s, and asks no calendar', async (name, status, title, message) => {
    const answer = await ask(route, row, KEYS[name]);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: wholeError({ error: title, message }),
    });
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    const isKnownByShape = !['an unknown key', 'a revoked key'].includes(name) && KIND[name] === undefined;
    expect(isKnownByShape ? ['redis'] : ['neon', 'redis']).toEqual(expect.arrayContaining(answer.called));
  });

  test(`shows nothing to another ${kind === 'user' ? "person's" : "platform's"} key, and works for its owner`, async () => {
    const other = await askAs(route, row, kind === 'user' ? "another person's key" : "another platform's key");
    const [status, error] = row.foreign ?? [row.status];
    expect(other.status).toBe(status);
    if (error !== undefined) {
      expect(other.body).toEqual(wholeError(error));
      expect(other.called).not.toContain('google');
    }
    expect(SECRETS.filter((secret) => other.text.includes(secret))).toEqual([]);

    const ownName = kind === 'user' ? 'a user key' : 'the secret key';
    const mine = row.key === undefined ? await askAs(route, row, ownName) : await ask(route, row, row.key);
    expect(mine.status, mine.text).toBe(row.status);
  });
});
