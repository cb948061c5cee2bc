import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Db, Statement } from './db.ts';

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
