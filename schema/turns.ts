import { type SQL, sql } from 'drizzle-orm';

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
