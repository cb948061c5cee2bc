import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Db, Statement } from './db.ts';

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));
const LOCK = 7_426_331;

/** A session holds the migration's lock, and Neon's pooler keeps none. Its string differs from the direct one by `-pooler`. */
export const directUrl = (url: string): string => url.replace(/-pooler(?=[^@/]*\.neon\.tech)/, '');

/** A lock lets only one migration run at a time, and a repeated run changes nothing. */
export async function migrateDatabase(url: string): Promise<void> {
  const connectionString = directUrl(url);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.end();
  }
}

/** Returns the database's version as a number, such as 150004 for 15.4, and the number of its migrations. */
export async function findDatabaseState(db: Db): Promise<{ version: number; migrations: number }> {
  const { rows } = await db.execute(sql`
    select current_setting('server_version_num')::int as version,
      (select count(*)::int from drizzle.__drizzle_migrations) as migrations`);
  const [state] = rows;
  return { version: Number(state?.version), migrations: Number(state?.migrations) };
}

const TIMEOUT_MS = 10_000;

/** Serves databases that do not speak Neon's HTTP. Disconnects afterwards. */
export async function withPostgres<T>(connectionString: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  await client.connect();
  try {
    return await work(withBatch(client));
  } finally {
    await client.end();
  }
}

// Returns a `Db` over one connection. Both drivers build the same statements and return the same rows. Only `batch` is
// specific to Neon, and on one connection it is a transaction.
function withBatch(client: pg.Client): Db {
  const batch = async (statements: Statement[]) => {
    const results: unknown[] = [];
    await client.query('begin');
    try {
      for (const statement of statements) results.push(await statement);
      await client.query('commit');
      return results;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  };
  return Object.assign(drizzle(client), { batch }) as unknown as Db;
}
