import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { formatCursor } from '../../../schema/api/paging.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { LAST_PAGE, pagesOf } from '../../support/checks/rows.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { someone } from '../../support/people/learning.ts';
import { booked, freshPair, inHours } from '../../support/people/meetings.ts';
import { emitOne } from '../../support/people/webhooks.ts';
import type { Client } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Body = { pagination: typeof LAST_PAGE } & Record<string, unknown>;

interface List {
  prefix: string;
  rows: string;
  idOf: string;
  /** Makes a list with three rows. `add` inserts another row, either among those already read or at the end. */
  make(): Promise<{ api: Pick<Client, 'send'>; path: string; add(): Promise<unknown>; grows: 'before' | 'at the end' }>;
}

const connect = async (count: number) => {
  const platform = await freshPlatform();
  const add = async () => {
    await world.advance(1_000);
    return connectedPerson(platform);
  };
  for (let made = 0; made < count; made += 1) await add();
  return { api: platform.api, add, grows: 'at the end' as const };
};

const book = async (count: number) => {
  const pair = await freshPair();
  let earlier = inHours(50 + count);
  const add = () => {
    earlier -= HOUR;
    return booked({ pair, start: earlier });
  };
  for (let made = 0; made < count; made += 1) await add();
  return { api: pair.platform.api, email: pair.ada.email, add, grows: 'before' as const };
};

const LISTS: Record<string, List> = {
  'GET /v1/platform/users': {
    prefix: 'usr_',
    rows: 'users',
    idOf: 'email',
    make: async () => ({ ...(await connect(3)), path: '/v1/platform/users' }),
  },
  'GET /v1/calendars': {
    prefix: 'usr_',
    rows: 'connections',
    idOf: 'user_email',
    make: async () => ({ ...(await connect(3)), path: '/v1/calendars' }),
  },
  'GET /v1/meetings': {
    prefix: 'meet_',
    rows: 'meetings',
    idOf: 'meeting_id',
    make: async () => ({ ...(await book(3)), path: '/v1/meetings' }),
  },
  'GET /v1/users/{email}/meetings': {
    prefix: 'meet_',
    rows: 'meetings',
    idOf: 'meeting_id',
    async make() {
      const made = await book(3);
      return { ...made, path: `/v1/users/${made.email}/meetings` };
    },
  },
  'GET /v1/platform/webhook/logs': {
    prefix: 'wh_del_',
    rows: 'deliveries',
    idOf: 'id',
    async make() {
      const platform = await freshPlatform();
      const add = async () => {
        await world.advance(1_000);
        await emitOne(platform);
      };
      for (let made = 0; made < 3; made += 1) await add();
      return { api: platform.api, path: '/v1/platform/webhook/logs', add, grows: 'before' };
    },
  },
  'GET /v1/user/learning': {
    prefix: 'learn_',
    rows: 'entries',
    idOf: 'id',
    async make() {
      const ada = await someone();
      let taught = 0;
      const add = async () => {
        await world.advance(1_000);
        taught += 1;
        await ada.learn('too early', `meet_${taught}`);
      };
      for (let made = 0; made < 3; made += 1) await add();
      return { api: ada, path: '/v1/user/learning', add, grows: 'before' };
    },
  },
};

describe.each(Object.entries(LISTS))('%s', (_name, { prefix, rows, idOf, make }) => {
  const idsOf = (body: Body) => (body[rows] as Record<string, string>[]).map((row) => row[idOf]);

  test('is whole without a limit, and the same page by page while rows are added', async () => {
    const { api, path, add, grows } = await make();
    const whole = await api.send('GET', path);
    const all = idsOf(whole.body as Body);
    expect([all.length, (whole.body as Body).pagination]).toEqual([3, LAST_PAGE]);
    for (const limit of [3, 200])
      expect((await api.send('GET', `${path}?limit=${limit}`)).body).toMatchObject({ pagination: LAST_PAGE });

    let added = 0;
    const between = async () => {
      if (added < 2) await add();
      added += 1;
    };
    const pages = await pagesOf<Body>(api, path, { limit: 1, between });
    const seen = pages.flatMap(idsOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(grows === 'before' ? seen : seen.slice(0, 3)).toEqual(all);
    expect(seen).toHaveLength(grows === 'before' ? 3 : 5);
  });

  test('refuses limits out of bounds, and what is no cursor of it', async () => {
    const { api, path } = await make();
    const [{ pagination }] = (await pagesOf<Body>(api, path, { limit: 2 })) as [Body];
    const own = String(pagination.next_cursor);
    const other = prefix === 'meet_' ? 'wh_del_abc' : 'meet_abc';
    const ofLimit = '`limit` must be a whole number from 1 to 200.';
    const ofCursor = '`cursor` must be a `next_cursor` that an earlier page of the same list returned.';
    const cases: [query: string, field: string, message: string][] = [
      ['limit=0', 'limit', ofLimit],
      ['limit=201', 'limit', ofLimit],
      ['limit=1e2', 'limit', ofLimit],
      ['limit=', 'limit', ofLimit],
      ['cursor=', 'cursor', ofCursor],
      ['cursor=1', 'cursor', ofCursor],
      [`cursor=${own.slice(0, 8)}`, 'cursor', ofCursor],
      [`cursor=${formatCursor({ at: 1, id: other })}`, 'cursor', ofCursor],
      [`cursor=${formatCursor({ at: 1, id: `${prefix}'--` })}`, 'cursor', ofCursor],
      [`cursor=${formatCursor({ at: 1, id: `${prefix}x\0` })}`, 'cursor', ofCursor],
      ['cursor=%00', 'cursor', ofCursor],
      [`cursor=${formatCursor({ at: 99_999_999_999_999, id: `${prefix}a` })}`, 'cursor', ofCursor],
    ];
    for (const [query, field, message] of cases) {
      const answer = await api.send('GET', `${path}?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      const nested = { error: { code: 'invalid_request', message, field } };
      const isNested = path.startsWith('/v1/meetings');
      expect(answer.body).toEqual(wholeError(isNested ? nested : { error: 'Invalid request', message, field }));
    }
  });
});

test('people who connected at one instant are paged without repetition or gap', async () => {
  const platform = await freshPlatform();
  for (const person of [freshPerson(), freshPerson(), freshPerson()])
    await world.connectCalendar(platform, person.email);
  await world.neon.query('update connections set connected_at = $2 where platform_id = $1', [
    platform.id,
    '2026-11-01T08:00:00.123Z',
  ]);
  const seen = (await pagesOf<Body & { users: { email: string }[] }>(platform.api, '/v1/platform/users', { limit: 1 }))
    .flatMap(({ users }) => users)
    .map(({ email }) => email);
  expect([seen.length, new Set(seen).size]).toEqual([3, 3]);
});
