import { type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { busySnapshots } from '../tables/busy-snapshots.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';

interface Use {
  platformId: string | SQL;
  emails: (string | SQL)[];
  now: number;
}

/**
 * Returns an SQL condition for a platform's connections whose last recorded use is at least an hour old. Tandem records
 * use once an hour, so that searches rarely write.
 */
const isUseDue = ({ platformId, emails, now }: Use) => sql`c.platform_id = ${platformId} and u.email in ${emails}
  and c.disconnected_at is null and c.last_used_at <= ${at(now)} - interval '1 hour'`;

/**
 * Builds a statement that lists those of the given people whose connection to the platform was last recorded as used at
 * least an hour ago, so that a new use is due to be recorded.
 */
export const selectUseDue = (db: Db, use: Use) =>
  db.execute(sql`
    select c.user_id from ${connections} c join ${users} u on u.id = c.user_id where ${isUseDue(use)}`);

/**
 * Builds a statement that records that the platform used the connections of the given people. It also marks their
 * stored busy times as in use, so that the background sweep reads their calendars soon and more often. It skips rows
 * that another transaction has locked, so that no request waits for another.
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
