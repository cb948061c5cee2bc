import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';

/** Returns the database's version as a number, such as 150004 for 15.4, and the number of its migrations. */
export async function findDatabaseState(db: Db): Promise<{ version: number; migrations: number }> {
  const { rows } = await db.execute(sql`
    select current_setting('server_version_num')::int as version,
      (select count(*)::int from drizzle.__drizzle_migrations) as migrations`);
  const [state] = rows;
  return { version: Number(state?.version), migrations: Number(state?.migrations) };
}
