import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { usualSettings } from '../local/google/store.ts';
import { createDatabase, dropDatabase } from '../local/neon.ts';
import { startWorld, type World } from '../local/world.ts';
import { fenceViolations, noteBatch } from './checks/fences.ts';
import { migratedDatabase, preparedScript } from './prepared.ts';
import { tellingLines } from './words.ts';

const shared = globalThis as { tandemWorld?: Promise<World> };

shared.tandemWorld ??= startTestWorld();
/**
 * The world of this test worker, shared by its test files; on real servers when TEST_POSTGRES or TEST_REDIS name them, and at
 * another instant than now when TEST_CLOCK (ISO 8601, to come) does: nothing may depend on the day the tests are run.
 */
export const world: World = await shared.tandemWorld;

async function startTestWorld(): Promise<World> {
  const { TEST_POSTGRES: postgres, TEST_REDIS: redisUrl, TEST_CLOCK: instant } = process.env;
  const started = await startWorld({
    patience: 20,
    script: await preparedScript(),
    snapshot: await migratedDatabase(),
    ...(postgres === undefined ? {} : { postgresUrl: await emptyDatabase(postgres) }),
    ...(redisUrl === undefined ? {} : { redisUrl }),
  });
  if (instant !== undefined) await started.advance(Date.parse(instant) - started.clock.now());
  const { neon } = started;
  const askPostgres = neon.fetch;
  neon.fetch = async (request) => {
    noteBatch(await request.clone().text());
    return askPostgres(request);
  };
  return started;
}

async function emptyDatabase(adminUrl: string): Promise<string> {
  const { TEST_DATABASE: prefix = 'tandem_test', VITEST_POOL_ID: worker = '0' } = process.env;
  const name = `${prefix}_${worker}`;
  await dropDatabase(adminUrl, name);
  return createDatabase(adminUrl, name);
}

/** Heals the world: no fault, no latency, no misbehaving queue, calendar or inbox. */
export function heal(): void {
  world.faults.clear();
  world.latency.set({ neon: 0, redis: 0, qstash: 0, google: 0, inbox: 0, llm: 0, dns: 0 });
  world.qstash.setKnobs({ duplicates: 0, reorder: false, loseNext: 0, hold: false, deduplicate: true });
  Object.assign(world.google.settings, usualSettings());
  world.inbox.answer({ status: 200 });
}

/** Work that is left undone by earlier files: nobody's test waits for it, and the minute's tick would take it up. */
const UNDONE = [
  "delete from deliveries where status = 'pending'",
  'delete from pending_operations',
  'delete from revocations',
  'delete from busy_snapshots',
  "update jobs set next_run_at = null where status = 'processing'",
];

/** A file's people would be read and swept by every tick of the files that follow. */
const EMPTY = `do $$ begin execute (
  select 'truncate ' || string_agg(format('%I', tablename), ', ') from pg_tables where schemaname = 'public'); end $$`;

/** Ends what earlier tests left undone. */
export async function leaveNothingUndone(): Promise<void> {
  await world.worker.ready();
  for (const statement of UNDONE) await world.neon.query(statement);
  world.qstash.forget();
  world.lateCalls.forget();
}

/**
 * Starts the file in a world where nothing is due and heals it after each test; in the end forgets its people and
 * platforms, reads the log, and looks at every batch that was sent.
 */
export function healAfterEach(): void {
  beforeAll(leaveNothingUndone);
  afterEach(heal);
  afterAll(async () => {
    await world.neon.query(EMPTY);
    expect(tellingLines(world.logs())).toEqual([]);
    expect(fenceViolations()).toEqual([]);
  });
}
