import { type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { busySnapshots } from '../tables/calendar-accounts.ts';
import { connections } from '../tables/connections.ts';
import { users } from '../tables/users.ts';

interface Use {
  platformId: string | SQL;
  emails: (string | SQL)[];
  now: number;
}

/** Tandem records use once an hour, so that searches rarely write. */
const isUseDue = ({ platformId, emails, now }: Use) => sql`c.platform_id = ${platformId} and u.email in ${emails}
  and c.disconnected_at is null and c.last_used_at <= ${at(now)} - interval '1 hour'`;

/** These uses were last recorded at least an hour ago. */
export const selectUseDue = (db: Db, use: Use) =>
  db.execute(sql`
    select c.user_id from ${connections} c join ${users} u on u.id = c.user_id where ${isUseDue(use)}`);

/**
 * Also marks the busy times as in use, so that the sweep reads the calendars soon and more often. Skips locked rows, so
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
