import { beforeAll, describe, expect, test } from 'vitest';
import { forgotten, own, ROUTES, ROWS, type Row, revoked, stranger, user } from '../../support/checks/auth-rows.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Keys by name. A regenerated key replaces the old one here. */
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

test('every route has its row, and every row its route', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...ROUTES].sort());
});

/** Strings that would show that an answer is about the owner's data. */
const SECRETS = [own.platform.id, own.platform.webhookUrl, own.platform.secret_key, user?.email ?? '', user?.key ?? '']
  .concat(own.meetings, own.jobs, own.batches, own.proposals, own.times, own.deliveries, own.learned)
  .filter((text) => text !== '');

const NO_KEY = 'The request has no API key. Send the API key in the header Authorization: Bearer or X-API-Key.';
const NOT_VALID =
  'The API key in the header Authorization is not valid. Send the whole key, and check that it was not replaced or revoked.';
const NOT_OURS: Partial<Record<KeyName, [status: number, title: string, message: string]>> = {
  'no key': [401, 'Unauthorized', NO_KEY],
  'a malformed key': [401, 'Unauthorized', NOT_VALID],
  'a made-up key': [401, 'Unauthorized', NOT_VALID],
  'an unknown key': [401, 'Unauthorized', NOT_VALID],
  'a revoked key': [401, 'Unauthorized', NOT_VALID],
  'the publishable key': [
    403,
    'Forbidden',
    "A publishable key (pk_live_) works only in the link that connects a calendar. Use the secret key (sk_live_), or a person's API key (sk_user_) under /v1/user.",
  ],
};
const WRONG_KIND = {
  platform:
    "This endpoint does not accept the API key of a person (sk_user_). Use the platform's secret key (sk_live_).",
  user: "This endpoint does not accept a platform's key. Use the API key of a person (sk_user_).",
};
const KIND: Partial<Record<KeyName, 'platform' | 'user'>> = {
  'the secret key': 'platform',
  "another platform's key": 'platform',
  'a user key': 'user',
  "another person's key": 'user',
};

let asked = 0;

/** Sends a request with a key from a fresh address. Returns the answer and the services the Worker called for it. */
async function ask(route: string, { path, body, headers }: Row, key: string | undefined, ownHeader = {}) {
  const [method = '', pattern = ''] = route.split(' ');
  asked += 1;
  const id = `matrix-${asked}`;
  const answer = await createClient(world.baseUrl, key).send(method, path ?? pattern, body, {
    headers: { ...headers, ...ownHeader, 'x-request-id': id },
  });
  const calls = world.traffic.list().filter(({ request_id }) => request_id === id);
  return { ...answer, called: [...new Set(calls.map(({ target }) => target))] };
}

/** Sends a request like `ask`, with the key of this name. Stores a key that the answer replaced. */
async function askAs(route: string, row: Row, name: KeyName) {
  const answer = await ask(route, row, KEYS[name]);
  const { api_key: made } = { ...(answer.body as { api_key?: string } | undefined) };
  if (made !== undefined) KEYS[name] = made;
  return answer;
}

describe.each(Object.entries(ROWS))('%s', (route, row) => {
  // Each route starts in a new minute, because a user's rate limit covers only one route's requests.
  beforeAll(() => world.advance(61_000));

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
        expect(answer.called.filter((target) => target !== 'redis')).toEqual(row.looksUp ? ['neon'] : []);
      }
    });
    return;
  }

  const kind = row.for;
  const refused = (Object.keys(KEYS) as KeyName[]).flatMap((name) => {
    const refusal =
      NOT_OURS[name] ??
      (kind === 'both' || KIND[name] === kind ? undefined : ([403, 'Forbidden', WRONG_KIND[kind]] as const));
    return refusal === undefined ? [] : [[name, ...refusal] as const];
  });

  test.each(refused)('refuses %s with %i %s, and asks no calendar', async (name, status, title, message) => {
    const key = KEYS[name];
    const sent = [[await ask(route, row, key), message] as const];
    if (key !== undefined) {
      const asked = await ask(route, row, undefined, { 'x-api-key': key });
      sent.push([asked, message.replace('the header Authorization is', 'the header X-API-Key is')]);
    }
    for (const [answer, said] of sent) {
      const body = wholeError({ error: title, message: said });
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
      expect(answer.headers.get('www-authenticate')).toEqual(
        status === 401
          ? expect.stringMatching(route.includes(' /mcp') ? /^Bearer .*resource_metadata=/ : /^Bearer$/)
          : null,
      );
      const isKnownByShape = !['an unknown key', 'a revoked key'].includes(name) && KIND[name] === undefined;
      expect(isKnownByShape ? ['redis'] : ['neon', 'redis']).toEqual(expect.arrayContaining(answer.called));
    }
  });

  test(`shows and changes nothing for another ${kind === 'user' ? "person's" : "platform's"} key, and works for its owner`, async () => {
    const before = await seenByOwner();
    const other = await askAs(route, row, kind === 'user' ? "another person's key" : "another platform's key");
    const [status, error] = row.foreign ?? [row.status];
    expect(other.status).toBe(status);
    if (error !== undefined) {
      expect([errorIn(other), other.called.includes('google')]).toEqual([error, false]);
    }
    expect(SECRETS.filter((secret) => other.text.includes(secret))).toEqual([]);
    expect(await seenByOwner()).toEqual(before);

    const ownName = kind === 'user' ? 'a user key' : 'the secret key';
    const mine = row.key === undefined ? await askAs(route, row, ownName) : await ask(route, row, row.key);
    expect(mine.status, mine.text).toBe(row.status);
  });
});

/** Reads what the owner's keys show of their data. */
async function seenByOwner(): Promise<string[]> {
  const paths = [
    ...['/v1/meetings', '/v1/proposals', '/v1/calendars', '/v1/platform/webhook', '/v1/platform/webhook/logs'],
    ...['dashboard', 'users', 'settings'].map((name) => `/v1/platform/${name}`),
    ...own.jobs.map((id) => `/v1/jobs/${id}`),
    ...own.batches.map((id) => `/v1/batches/${id}`),
  ];
  const reads = [
    ...paths.map((path) => createClient(world.baseUrl, KEYS['the secret key']).send('GET', path)),
    ...['info', 'learning'].map((name) =>
      createClient(world.baseUrl, KEYS['a user key']).send('GET', `/v1/user/${name}`),
    ),
  ];
  const answers = await Promise.all(reads);
  expect(answers.map(({ status }) => status)).toEqual(reads.map(() => 200));
  return answers.map(({ text }) => text);
}

/** Returns the code of an error in the nested format, or the title of one in the flat format. */
function errorIn({ body }: { body: unknown }): string {
  const { error } = body as { error: string | { code: string } };
  return typeof error === 'object' ? error.code : error;
}
