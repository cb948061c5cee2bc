import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { type Backend, type Execute, leavesNothing } from './pglite.ts';

const MIGRATION_LOCK = 7_426_331;
const rawText = { getTypeParser: () => (value: string) => value };

export function openPostgres(url: string): Backend {
  const pool = new pg.Pool({ connectionString: url, max: 20, options: '-c timezone=UTC', pipeline: true });
  // A server that closes a connection, idle or in use, must not end this process. Whoever uses the connection gets the
  // error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    async session(work) {
      const client = await pool.connect();
      let isClean = true;
      const execute: Execute = (statements) => {
        isClean &&= leavesNothing(statements);
        return sendTogether(client, statements);
      };
      try {
        const result = await work(execute);
        void giveBack(client, { isClean });
        return result;
      } catch (error) {
        // Neon's proxy keeps the connection of a refused batch too. A new one would have to read the catalog again.
        const isBack = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        );
        if (isBack) void giveBack(client, { isClean });
        else client.release(true);
        throw error;
      }
    },
    async migrate(migrationsFolder) {
      const client = await pool.connect();
      try {
        await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
        await migrate(drizzle(client), { migrationsFolder });
      } finally {
        client.release(true);
      }
    },
    close: () => pool.end(),
  };
}

/** Gives a connection back to the pool, without what its session may have left behind. */
async function giveBack(client: pg.PoolClient, { isClean }: { isClean: boolean }) {
  const isFresh =
    isClean ||
    (await client.query('DISCARD ALL').then(
      () => true,
      () => false,
    ));
  client.release(!isFresh);
}

/**
 * Sends statements in one write and waits for all answers. After a refused statement of a transaction, Postgres refuses
 * the others too, so the first error is the one that counts.
 */
async function sendTogether(client: pg.PoolClient, statements: Parameters<Execute>[0]) {
  const { stream } = client.connection;
  stream.cork();
  const answers = statements.map(({ sql: text, params: values = [] }) => {
    const config = { text, values, rowMode: 'array' as const, types: rawText, queryMode: 'extended' };
    return client.query<(string | null)[]>(config);
  });
  stream.uncork();
  await Promise.allSettled(answers);
  const results = await Promise.all(answers);
  return results.map((result) => ({ fields: result.fields, rows: result.rows, tag: commandTag(result) }));
}

function commandTag({ command, rowCount }: { command: string | null; rowCount: number | null }): string {
  if (command === null) return '';
  return rowCount === null ? command : `${command} ${rowCount}`;
}
