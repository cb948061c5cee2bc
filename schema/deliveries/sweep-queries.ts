import { inArray, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { inTurn } from '../turns.ts';
import { deliveries } from './table.ts';

/**
 * Takes due deliveries to ask for, every platform's longest waiting first, then every platform's second: a platform
 * with thousands due does not keep others waiting. One that was asked for after `askedBefore` is left alone.
 */
export async function takeDue(
  db: Db,
  { now, askedBefore, limit, each }: { now: number; askedBefore: number; limit: number; each: number },
): Promise<string[]> {
  const isDue = sql`w.next_attempt_at <= ${at(now)} and (w.lease_until is null or w.lease_until < ${at(now)})
    and (w.asked_at is null or w.asked_at < ${at(askedBefore)})`;
  const due = inTurn({
    table: sql`${deliveries}`,
    owner: sql`w.platform_id`,
    indexed: sql`w.status = 'pending'`,
    where: isDue,
    since: sql`w.next_attempt_at`,
    columns: sql`w.id`,
    each,
  });
  const { rows } = await db.execute<{ id: string }>(sql`
    update ${deliveries} w set asked_at = ${at(now)}
    where w.status = 'pending' and ${isDue} and w.id = any(array(
      select due.id from (${due}) due order by due.place, due.since limit ${limit}::int))
    returning w.id`);
  return rows.map(({ id }) => id);
}

/** Lets the next sweep ask again at once. */
export const forgetAsking = (db: Db, ids: string[]) =>
  db.update(deliveries).set({ askedAt: null }).where(inArray(deliveries.id, ids));
