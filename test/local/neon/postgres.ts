import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Backend, Execute, RawResult } from './backend.ts';

const MIGRATION_LOCK = 7_426_331;
const rawText = { getTypeParser: () => (value: string) => value };

/** Opens a real server behind the proxy's twenty pooled connections. */
export function openPostgres(url: string): Backend {
  const pool = new pg.Pool({ connectionString: url, max: 20, options: '-c timezone=UTC' });
  // A server that closes a connection, idle or in use, must not end this process. Whoever uses the connection gets the
  // error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    async session(work) {
      const client = await pool.connect();
      try {
        const execute = executeOn(client);
        const result = await work(execute, async (statements) => {
          const results: RawResult[] = [];
          for (const { sql, params } of statements) results.push(await execute(sql, params));
          return results;
        });
        void giveBack(client);
        return result;
      } catch (error) {
        // Neon's proxy keeps the connection of a refused batch too. A new one would have to read the catalog again.
        const isBack = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        );
        if (isBack) void giveBack(client);
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

async function giveBack(client: pg.PoolClient) {
  const clean = await client.query('DISCARD ALL').then(
    () => true,
    () => false,
  );
  client.release(!clean);
}

function executeOn(client: pg.PoolClient): Execute {
  return async (text, values = []) => {
    const config = { text, values, rowMode: 'array' as const, types: rawText, queryMode: 'extended' };
    const result = await client.query<(string | null)[]>(config);
    return { fields: result.fields, rows: result.rows, tag: commandTag(result) };
  };
}

function commandTag({ command, rowCount }: { command: string | null; rowCount: number | null }): string {
  if (command === null) return '';
  return rowCount === null ? command : `${command} ${rowCount}`;
}
