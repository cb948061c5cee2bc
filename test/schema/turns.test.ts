import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QueueMessage } from '../../lib/kit/ports.ts';
import { workOff } from '../../lib/kit/work-off.ts';
import { sweepCalendars } from '../../lib/meetings/follow/follow-calendar.ts';
import { takeDueSnapshots } from '../../schema/access/busy-snapshots.ts';
import { leaseRevocation, listDueRevocations } from '../../schema/access/revocations.ts';
import { takeDue } from '../../schema/delivery/deliveries-attempt.ts';
import { takeDueJobs } from '../../schema/meetings/jobs.ts';
import { leaseOverdue, listOverdue } from '../../schema/meetings/lease.ts';
import { deleteOldJobs } from '../../schema/upkeep/retention.ts';
import { createNeon, type Neon } from '../local/neon.ts';
import { openDb } from '../local/open-db.ts';
import { migratedDatabase } from '../support/worlds/prepared.ts';

const now = Date.parse('2026-08-03T09:00:00Z');
/** Waiting times long past, in order: every row of the first platform has waited longer than any row of the others. */
const waitingSince = `'2026-07-01'::timestamptz + case p when 'plat_a' then n else 1000 + n end * interval '1 second'`;
const THREE = `(values ('plat_a'), ('plat_b'), ('plat_c')) platforms (p), generate_series(1, case p when 'plat_a' then 40 else 2 end) n`;

let neon: Neon;
beforeAll(async () => {
  neon = await createNeon({ snapshot: await migratedDatabase() });
  const make = (text: string) => neon.query(text);
  await make(`insert into platforms (id, name, email, plan, redirect_uris, created_at)
    select p, p, 'dev@acme.test', 'pro', '{}', now() from (values ('plat_a'), ('plat_b'), ('plat_c')) platforms (p)`);
  await make(`insert into users (id, email, created_at) select p || n, p || n || '@people.test', now() from ${THREE}`);
  await make(`insert into connections (platform_id, user_id, connected_at, last_used_at, disconnected_at)
    select p, p || n, now(), now(), now() from ${THREE}`);
  await make(`insert into calendar_accounts (user_id, provider_id, status, refresh_token, scope, updated_at)
    select p || n, 'of' || p || n, 'connected', 'sealed', '', now() from ${THREE}`);
  await make(
    `insert into busy_snapshots (user_id, turn_of, used_at, due_at, watch_at) select p || n, p, now(), ${waitingSince}, now() from ${THREE}`,
  );
  await make(`insert into deliveries (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, created_at)
    select p || n, p || n, p, 'webhook.test', '', '', 'pending', 3, ${waitingSince}, now() from ${THREE}`);
  await make(`insert into jobs (id, platform_id, status, request, next_run_at, created_at)
    select p || n, p, 'processing', '{}', ${waitingSince}, now() from ${THREE}`);
  await make(`insert into jobs (id, platform_id, status, request, result, completed_at, created_at)
    select 'old' || p || n, p, 'failed', '{}', '{}', ${waitingSince}, now() from ${THREE}`);
  await make(`insert into revocations (provider_id, user_id, email, turn_of, generation, token, due_at, created_at)
    select p || n, p || n, p || n, p, 1, 'sealed', ${waitingSince}, now() from ${THREE}`);
  await make(`insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at,
      provider_event_id, exclusive, created_at, updated_at)
    select p || n, p, p || n, case when n % 2 = 0 then 'pending' else 'scheduled' end, '', '', now(), now() + interval '1 hour', p || n, false, now(), now() from ${THREE}`);
  await make(`insert into pending_operations (event_id, platform_id, kind, due_at, created_at)
    select p || n, p, case when n % 2 = 0 then 'book' else 'link' end, ${waitingSince}, now() from ${THREE}`);
});
afterAll(() => neon.close());

const platformsOf = (ids: string[]) => {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const platform = id.slice(0, 'plat_a'.length);
    counts.set(platform, (counts.get(platform) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort());
};

test('deliveries to ask for again: of each platform as many, and the rest of the one that has more', async () => {
  const take = (limit: number) => takeDue(openDb(neon), { now, askedBefore: now, limit, each: 25 });
  expect(platformsOf(await take(6))).toEqual({ plat_a: 2, plat_b: 2, plat_c: 2 });
  expect(platformsOf(await take(100))).toEqual({ plat_a: 25 });
});

test('jobs to ask for again take the same turns', async () => {
  const take = async (limit: number) =>
    (await takeDueJobs(openDb(neon), { now, dueBefore: now, askedBefore: now, limit, each: 25 })).map(({ id }) => id);
  expect(platformsOf(await take(3))).toEqual({ plat_a: 1, plat_b: 1, plat_c: 1 });
  expect(platformsOf(await take(100))).toEqual({ plat_a: 25, plat_b: 1, plat_c: 1 });
});

test('calendars to read again take the same turns, each platform in a lane of its own', async () => {
  const db = openDb(neon);
  const taken = await takeDueSnapshots(db, { now, again: now, limit: 3, each: 25 });
  expect(platformsOf(taken.map(({ userId }) => userId))).toEqual({ plat_a: 1, plat_b: 1, plat_c: 1 });
  const messages: QueueMessage[] = [];
  const warnings: string[] = [];
  const log = (_level: string, message: string) => void warnings.push(message);
  const clock = { now: () => now };
  const down = { publish: () => Promise.reject(new Error('the queue is down')) };
  expect(await sweepCalendars({ db, clock, queue: down, log }, now + 1)).toBe(44);
  expect(warnings).toEqual(['the queue took nothing, left to the next tick']);
  const queue = { publish: async (...more: QueueMessage[]) => void messages.push(...more) };
  await sweepCalendars({ db, clock, queue, log }, now + 1);
  const read = messages.map(({ body, lane }) => [lane?.key, platformsOf((body as { user_ids: string[] }).user_ids)]);
  expect(read.sort()).toEqual([
    ['calendars.plat_a', { plat_a: 20 }],
    ['calendars.plat_a', { plat_a: 20 }],
    ['calendars.plat_b', { plat_b: 2 }],
    ['calendars.plat_c', { plat_c: 2 }],
  ]);
});

test('grants to revoke take turns by the platform their people came by', async () => {
  const revoked: string[] = [];
  await workOff(
    { clock: { now: () => now }, log: () => undefined, sleep: async () => undefined },
    {
      until: now + 1,
      atOnce: 1,
      perTenant: 1,
      list: (line) => listDueRevocations(openDb(neon), line),
      tenantOf: ({ turnOf }) => turnOf,
      async run({ providerId }) {
        const taken = await leaseRevocation(openDb(neon), {
          providerId,
          owner: 'rev_1',
          now,
          leaseUntil: now + 15_000,
        });
        if (taken !== undefined) revoked.push(providerId);
      },
    },
  );
  expect(platformsOf(revoked.slice(0, 3))).toEqual({ plat_a: 1, plat_b: 1, plat_c: 1 });
  expect(platformsOf(revoked.slice(0, 7))).toEqual({ plat_a: 3, plat_b: 2, plat_c: 2 });
  expect(platformsOf(revoked)).toEqual({ plat_a: 40, plat_b: 2, plat_c: 2 });
});

test('work on calendars takes turns, without the platforms that are left out, and goes to one taker', async () => {
  const db = openDb(neon);
  const list = async (limit: number, except: string[] = []) =>
    (await listOverdue(db, { now, limit, except })).map(({ id }) => id);
  expect(platformsOf(await list(3))).toEqual({ plat_a: 1, plat_b: 1, plat_c: 1 });
  expect(platformsOf(await list(8))).toEqual({ plat_a: 4, plat_b: 2, plat_c: 2 });
  expect(platformsOf(await list(8, ['plat_a']))).toEqual({ plat_b: 2, plat_c: 2 });
  const [id = ''] = await list(1);
  const take = (owner: string) => leaseOverdue(db, { id, owner, now, leaseUntil: now + 60_000, isAwaited: false });
  const taken = await Promise.all([take('own_1'), take('own_2'), take('own_3')]);
  expect(taken.flat().map((meeting) => meeting.id)).toEqual([id]);
  expect(await list(100)).not.toContain(id);
});

test('who comes while a long line is worked off waits behind eight at the most', async () => {
  const waiting = { many: 40, few: 0 };
  const served: string[] = [];
  await workOff<'many' | 'few'>(
    { clock: { now: () => now }, log: () => undefined, sleep: async () => undefined },
    {
      until: now + 1,
      atOnce: 1,
      perTenant: 1,
      list: async ({ limit }) => [
        ...Array.from({ length: waiting.few }, () => 'few' as const),
        ...Array.from({ length: Math.min(limit - waiting.few, waiting.many) }, () => 'many' as const),
      ],
      tenantOf: (tenant) => tenant,
      async run(tenant) {
        served.push(tenant);
        waiting[tenant] -= 1;
        if (served.length === 10) waiting.few = 1;
      },
    },
  );
  expect(served).toHaveLength(41);
  expect(served.indexOf('few')).toBeGreaterThan(9);
  expect(served.indexOf('few')).toBeLessThanOrEqual(18);
});

test('old rows are deleted in turn by platform too', async () => {
  await deleteOldJobs(openDb(neon), { before: now, limit: 30 });
  const left = await neon.query(
    "select platform_id, count(*)::int as left from jobs where status = 'failed' group by 1 order by 1",
  );
  expect(left).toEqual([{ platform_id: 'plat_a', left: 14 }]);
});
