import { inArray, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { webhookEndpoints } from '../webhook-endpoints/table.ts';
import { deliveries } from './table.ts';

/**
 * Takes due deliveries to ask for, every platform's longest waiting first, then every platform's second: a platform
 * with thousands due does not keep others waiting. One that was asked for after `askedBefore` is left alone.
 */
export async function takeDue(
  db: Db,
  { now, askedBefore, limit }: { now: number; askedBefore: number; limit: number },
): Promise<string[]> {
  const unasked = sql`(d.asked_at is null or d.asked_at < ${at(askedBefore)})`;
  const { rows } = await db.execute<{ id: string }>(sql`
    update ${deliveries} d set asked_at = ${at(now)}
    where ${unasked} and d.id in (
      select due.id from ${webhookEndpoints} e cross join lateral (
        select d.id, d.next_attempt_at, row_number() over (order by d.next_attempt_at) as place
        from ${deliveries} d
        where d.platform_id = e.platform_id and d.status = 'pending' and d.next_attempt_at <= ${at(now)}
          and (d.lease_until is null or d.lease_until < ${at(now)}) and ${unasked}
        order by d.next_attempt_at limit ${limit}::int
      ) due
      order by due.place, due.next_attempt_at limit ${limit}::int)
    returning d.id`);
  return rows.map(({ id }) => id);
}

/** Lets the next sweep ask again at once. */
export const forgetAsking = (db: Db, ids: string[]) =>
  db.update(deliveries).set({ askedAt: null }).where(inArray(deliveries.id, ids));
