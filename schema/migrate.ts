import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

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
