import { type SQL, sql } from 'drizzle-orm';
import { at } from './columns.ts';
import type { Db } from './db.ts';

interface Waiting {
  /** Table whose rows wait, and the column that names each row's tenant. The SQL conditions call the table `w`. */
  table: SQL;
  tenant: SQL;
  /** Condition of the partial index whose first column is the tenant. It is `true` for an index over all rows. */
  indexed: SQL;
  /**
   * Condition for the rows that wait, and the column with the time since when each waits, by which the index sorts a
   * tenant's rows.
   */
  where: SQL;
  since: SQL;
  columns: SQL;
  /**
   * Further conditions on waiting rows that need other tables. The query checks them row by row in the order of
   * waiting, until it has found enough rows.
   */
  open?: SQL;
  /** Largest number of waiting rows to read for one tenant. */
  each: number;
}

/**
 * Builds a query of waiting rows, called `one`, with each row's `place` in its tenant's line. Ordered by `place`, every
 * tenant's longest waiting row comes before any tenant's second. The query finds tenants by skipping through the index.
 * It costs one lookup per tenant with rows, and no more if nothing is due.
 */
export const inTurn = ({ table, tenant, indexed, where, since, columns, open, each }: Waiting): SQL => {
  const next = (after: SQL) =>
    sql`select ${tenant} from ${table} w where ${indexed} and ${after} order by ${tenant} limit 1`;
  const waiting = sql`${table} w where ${tenant} = tenants.id and ${indexed} and ${where}`;
  // The offset stops the planner from joining other tables for all waiting rows before it sorts them.
  const rows =
    open === undefined ? waiting : sql`(select w.* from ${waiting} order by ${since} offset 0) w where ${open}`;
  return sql`
    with recursive tenants (id) as (
      (${next(sql`true`)})
      union all
      select (${next(sql`${tenant} > tenants.id`)}) from tenants where tenants.id is not null)
    select one.* from tenants cross join lateral (
      select ${columns}, ${since} as since, row_number() over (order by ${since}) as place
      from ${rows}
      order by ${since} limit ${each}::int) one`;
};

interface Asking extends Pick<Waiting, 'table' | 'indexed' | 'since' | 'each'> {
  /** SQL condition for rows that are due and not leased. */
  isDue: SQL;
  now: number;
  askedBefore: number;
  limit: number;
}

/**
 * Takes due rows of platforms and sets their `asked_at`, because the caller puts them on the queue next. Takes every
 * platform's longest waiting row first, then every platform's second. A platform with thousands of due rows therefore
 * does not delay others. Skips rows that were put on the queue after `askedBefore`.
 */
export async function takeInTurn(db: Db, { isDue, now, askedBefore, limit, ...waiting }: Asking) {
  const { table, indexed } = waiting;
  const where = sql`${isDue} and (w.asked_at is null or w.asked_at < ${at(askedBefore)})`;
  const due = inTurn({ ...waiting, tenant: sql`w.platform_id`, where, columns: sql`w.id` });
  const { rows } = await db.execute<{ id: string; platform_id: string }>(sql`
    update ${table} w set asked_at = ${at(now)}
    where ${indexed} and ${where} and w.id = any(array(
      select due.id from (${due}) due order by due.place, due.since limit ${limit}::int))
    returning w.id, w.platform_id`);
  return rows.map(({ id, platform_id: platformId }) => ({ id, platformId }));
}
