import { type SQL, sql } from 'drizzle-orm';
import { at } from './columns.ts';
import type { Db } from './db.ts';

interface Waiting {
  /** The table, whose rows the conditions call `w`, and the column that tells whose each row is. */
  table: SQL;
  owner: SQL;
  /** What an index that begins with the owner holds: all rows, or those of its predicate. */
  indexed: SQL;
  /** Which of them are waited for, and since when; the index goes on with that column. */
  where: SQL;
  since: SQL;
  columns: SQL;
  /** What else they must be, if that takes a look at other tables: asked in their order, until there are enough. */
  open?: SQL;
  /** How many of one owner are looked at. */
  each: number;
}

/**
 * A query of rows that wait, as `one`, with their `place` in their owner's line: in order of it every owner's longest
 * waiting comes before any owner's second. Owners are found by skipping through the index, so that it costs a look at it
 * for each that has rows, and no more where there is nothing to do.
 */
export const inTurn = ({ table, owner, indexed, where, since, columns, open, each }: Waiting): SQL => {
  const next = (after: SQL) =>
    sql`select ${owner} from ${table} w where ${indexed} and ${after} order by ${owner} limit 1`;
  const waiting = sql`${table} w where ${owner} = owners.id and ${indexed} and ${where}`;
  // The offset keeps the planner from looking at other tables for all that wait before it sorts them.
  const rows =
    open === undefined ? waiting : sql`(select w.* from ${waiting} order by ${since} offset 0) w where ${open}`;
  return sql`
    with recursive owners (id) as (
      (${next(sql`true`)})
      union all
      select (${next(sql`${owner} > owners.id`)}) from owners where owners.id is not null)
    select one.* from owners cross join lateral (
      select ${columns}, ${since} as since, row_number() over (order by ${since}) as place
      from ${rows}
      order by ${since} limit ${each}::int) one`;
};

interface Asking extends Pick<Waiting, 'table' | 'indexed' | 'since' | 'each'> {
  /** Which of them are due and in nobody's hands. */
  isDue: SQL;
  now: number;
  askedBefore: number;
  limit: number;
}

/**
 * Takes due rows of platforms to ask the queue for, every platform's longest waiting first, then every platform's second:
 * a platform with thousands due does not keep others waiting. One that was asked for after `askedBefore` is left alone.
 */
export async function takeInTurn(db: Db, { isDue, now, askedBefore, limit, ...waiting }: Asking) {
  const { table, indexed } = waiting;
  const where = sql`${isDue} and (w.asked_at is null or w.asked_at < ${at(askedBefore)})`;
  const due = inTurn({ ...waiting, owner: sql`w.platform_id`, where, columns: sql`w.id` });
  const { rows } = await db.execute<{ id: string; platform_id: string }>(sql`
    update ${table} w set asked_at = ${at(now)}
    where ${indexed} and ${where} and w.id = any(array(
      select due.id from (${due}) due order by due.place, due.since limit ${limit}::int))
    returning w.id, w.platform_id`);
  return rows.map(({ id, platform_id: platformId }) => ({ id, platformId }));
}
