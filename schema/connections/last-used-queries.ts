import { sql } from 'drizzle-orm';
import { busySnapshots } from '../busy-snapshots/table.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { users } from '../users/table.ts';
import { connections } from './table.ts';

interface Use {
  platformId: string;
  emails: string[];
  now: number;
}

/**
 * Returns an SQL condition for a platform's connections whose last recorded use is at least an hour old. Tandem records
 * use once an hour, so that searches rarely write.
 */
const isUseDue = ({ platformId, emails, now }: Use) => sql`c.platform_id = ${platformId} and u.email in ${emails}
  and c.disconnected_at is null and c.last_used_at <= ${at(now)} - interval '1 hour'`;

/**
 * Builds a statement that returns a row for each of the given people whose connection to the platform has no use
 * recorded within the last hour. For these people `touchConnections` would record a use.
 */
export const selectUseDue = (db: Db, use: Use) =>
  db.execute(sql`
    select c.user_id from ${connections} c join ${users} u on u.id = c.user_id where ${isUseDue(use)}`);

/**
 * Builds a statement that records that the platform used the given people's connections. It marks their calendars as
 * used and makes the calendars due for the next background sweep. It skips rows that another transaction has locked, so
 * that no request waits for another.
 */
export function touchConnections(db: Db, use: Use) {
  const written = at(use.now);
  return db.execute(sql`
    with asked as (
      select c.platform_id, c.user_id from ${connections} c
      join ${users} u on u.id = c.user_id join ${busySnapshots} s on s.user_id = c.user_id
      where ${isUseDue(use)}
      for update of c, s skip locked),
    used as (
      update ${busySnapshots} s set used_at = ${written}, due_at = least(s.due_at, ${written})
      from asked where s.user_id = asked.user_id)
    update ${connections} c set last_used_at = ${written}
    from asked where c.platform_id = asked.platform_id and c.user_id = asked.user_id`);
}
