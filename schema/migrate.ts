import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url));
const LOCK = 7_426_331;

/** A lock lets only one migration run at a time, and a repeated run changes nothing. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.end();
  }
}

if (import.meta.main) {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === '') {
    console.error('DATABASE_URL is not set. Set DATABASE_URL to the connection string of the database to migrate.');
    process.exitCode = 1;
  } else {
    try {
      await migrateDatabase(url);
      console.log('The database has the newest schema.');
    } catch (error) {
      console.error('The database was not migrated:', error);
      process.exitCode = 1;
    }
  }
}
