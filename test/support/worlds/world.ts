import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { usualSettings } from '../../local/google/store.ts';
import { createDatabase, dropDatabase } from '../../local/neon.ts';
import { USUAL_KNOBS } from '../../local/qstash.ts';
import { startWorld, type World } from '../../local/world.ts';
import { fenceViolations, noteBatch } from '../checks/fences.ts';
import { tellingLines } from '../checks/words.ts';
import { migratedDatabase, preparedScript } from './prepared.ts';

/** Makes new people keep no public holidays, because no test may depend on the day it runs. Tests of holidays set them. */
const NO_HOLIDAYS = `alter table users alter column preferences set default '{"holidays":"off"}'`;

const shared = globalThis as { tandemWorld?: Promise<World> };

shared.tandemWorld ??= startTestWorld();
/**
 * World of this test worker, shared by its test files. TEST_POSTGRES and TEST_REDIS put it on real servers. TEST_CLOCK
 * (ISO 8601, in the future) sets its instant, because no test may depend on the day it runs.
 */
export const world: World = await shared.tandemWorld;

async function startTestWorld(): Promise<World> {
  const { TEST_POSTGRES: postgres, TEST_REDIS: redisUrl, TEST_CLOCK: instant } = process.env;
  const started = await startWorld({
    patience: 20,
    script: await preparedScript(),
    snapshot: await migratedDatabase(),
    postgresUrl: postgres === undefined ? undefined : await emptyDatabase(postgres),
    redisUrl,
  });
  await started.neon.query(NO_HOLIDAYS);
  if (instant !== undefined) await started.advance(Date.parse(instant) - started.clock.now());
  started.neon.onRequest = noteBatch;
  return started;
}

async function emptyDatabase(adminUrl: string): Promise<string> {
  const { TEST_DATABASE: prefix = 'tandem_test', VITEST_POOL_ID: worker = '0' } = process.env;
  const name = `${prefix}_${worker}`;
  await dropDatabase(adminUrl, name);
  return createDatabase(adminUrl, name);
}

/** Heals the world: removes every fault, all latency, and any misbehavior of queue, calendar and inbox. */
export function heal(): void {
  world.faults.clear();
  world.latency.set({ neon: 0, redis: 0, qstash: 0, google: 0, inbox: 0, llm: 0, dns: 0 });
  world.qstash.setKnobs(USUAL_KNOBS);
  Object.assign(world.google.settings, usualSettings());
  world.inbox.answer({ status: 200 });
}

/**
 * Deletes the work that earlier tests left. No test waits for it, and each tick would do it. It is one statement,
 * because it runs after each test.
 */
const UNDONE = `with
  deliveries as (delete from deliveries where status = 'pending'),
  operations as (delete from pending_operations),
  revoked as (delete from revocations),
  snapshots as (delete from busy_snapshots),
  jobs as (update jobs set next_run_at = null where status = 'processing')
  update proposals set expires_at = '9999-01-01', untold = false where status = 'open' or untold`;

/**
 * Empties every table. Otherwise each tick of later files would read and sweep this file's people. Truncating takes a
 * tenth of a second in PGlite, so it waits until the deleted rows fill some megabytes.
 */
const EMPTY = `do $$
begin
  -- Keeps foreign keys from being checked, because all rows go.
  set local session_replication_role = replica;
  execute (select
    case when sum(pg_total_relation_size(oid)) > 16000000 then 'truncate ' || string_agg(oid::regclass::text, ', ')
    else string_agg(format('delete from %s', oid::regclass), '; ') end
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace);
end $$`;

export async function leaveNothingUndone(): Promise<void> {
  await world.worker.ready();
  // A request that still runs may lock rows in another order. Postgres then refuses one of the two.
  await world.neon.query(UNDONE).catch(() => world.neon.query(UNDONE));
  world.qstash.forget();
  world.lateCalls.forget();
}

/**
 * Starts the file in a world where no work is due. After each test it heals the world and ends the test's work, which a
 * later tick would otherwise do. At the end of the file it deletes people and platforms, checks the log and empties it,
 * and checks every batch that was sent.
 */
export function healAfterEach(): void {
  beforeAll(leaveNothingUndone);
  afterEach(async () => {
    heal();
    await leaveNothingUndone();
  });
  afterAll(async () => {
    await world.neon.query(EMPTY);
    world.platforms.forget();
    expect(tellingLines(world.logs().splice(0))).toEqual([]);
    expect(fenceViolations()).toEqual([]);
  });
}
