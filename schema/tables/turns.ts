import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';

interface Waiting {
  table: SQL | PgTable;
  /** Column that names the tenant (a platform, or a person) to which each row belongs. */
  tenant: SQL;
  /**
   * Condition of the partial index whose first column is the tenant. The query repeats the condition, so that Postgres
   * can use the index. It is `true` for an index over all rows.
   */
  indexed: SQL;
  where: SQL;
  /** Column with the time since which a row has waited. The index sorts each tenant's rows by it. */
  since: SQL;
  columns: SQL;
  /** Needs other tables, and is checked row by row, longest waiting first, until there are enough rows. */
  open?: SQL;
  /** Largest number of waiting rows to read for one tenant. */
  each: number;
}

/**
 * `place` is the row's place in the line of its tenant: order by it to get every tenant's longest waiting row before
 * any tenant's second. Skips through an index to find the tenants, which costs one lookup each.
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

/** What is due, without the rows of the tenants in `except`, on which the sweep already works as much as it may. */
export type Line = { now: number; limit: number; except: string[] };

interface Listed<Name extends string> extends Omit<Waiting, 'each' | 'tenant' | 'indexed' | 'columns'> {
  tenant?: SQL;
  indexed?: SQL;
  columns: Record<Name, SQL>;
}

/** Every tenant's longest waiting row comes first, then every tenant's second. */
export async function listInTurn<Name extends string>(
  db: Db,
  { limit, except }: Line,
  { tenant = sql`w.platform_id`, indexed = sql`true`, columns, ...waiting }: Listed<Name>,
): Promise<Record<Name, string>[]> {
  const open = except.length === 0 ? indexed : sql`${indexed} and ${tenant} not in ${except}`;
  const named = Object.entries<SQL>(columns).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`);
  const line = inTurn({ ...waiting, tenant, indexed: open, columns: sql.join(named, sql`, `), each: limit });
  const names = Object.keys(columns).map((name) => sql.identifier(name));
  const { rows } = await db.execute<Record<Name, string>>(
    sql`select ${sql.join(names, sql`, `)} from (${line}) line order by line.place, line.since limit ${limit}::int`,
  );
  return rows;
}

export const ID_AND_PLATFORM = { id: sql`w.id`, platformId: sql`w.platform_id` };

interface Asking extends Pick<Waiting, 'table' | 'indexed' | 'since' | 'each'> {
  isDue: SQL;
  now: number;
  askedBefore: number;
  limit: number;
}

/**
 * Each platform's longest waiting row comes first, then each one's second, so that thousands of due rows delay no
 * other. Records `asked_at`, because the caller puts the rows on the queue next. Skips those asked after `askedBefore`.
 */
export async function takeInTurn(db: Db, { isDue, now, askedBefore, limit, ...waiting }: Asking) {
  const { table, indexed } = waiting;
  const where = sql`${isDue} and (w.asked_at is null or w.asked_at < ${at(askedBefore)})`;
  const due = inTurn({ ...waiting, tenant: sql`w.platform_id`, where, columns: sql`w.id` });
  const { rows } = await db.execute<{ id: string; platformId: string }>(sql`
    update ${table} w set asked_at = ${at(now)}
    where ${indexed} and ${where} and w.id = any(array(
      select due.id from (${due}) due order by due.place, due.since limit ${limit}::int))
    returning w.id, w.platform_id as "platformId"`);
  return rows;
}

/** The queue did not accept these, so the next background sweep takes them at once. */
export const forgetAsking = (db: Db, table: PgTable, ids: string[]) =>
  db.execute(sql`update ${table} set asked_at = null where id in ${ids}`);
