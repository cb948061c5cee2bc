import { inArray, sql } from 'drizzle-orm';
import { isActive } from '../access/platforms.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries } from '../tables/deliveries.ts';
import { takeInTurn } from '../tables/turns.ts';

interface Due {
  now: number;
  askedBefore: number;
  limit: number;
  /** Largest number of due webhook deliveries to take for one platform. */
  each: number;
}

/**
 * Takes due webhook deliveries that no worker is attempting. Records the time in the column `asked_at`, because the
 * caller puts the deliveries on the queue next.
 */
export async function takeDue(db: Db, { now, ...asking }: Due): Promise<string[]> {
  const due = await takeInTurn(db, {
    table: sql`${deliveries}`,
    indexed: sql`w.status = 'pending'`,
    isDue: sql`w.next_attempt_at <= ${at(now)} and (w.lease_until is null or w.lease_until < ${at(now)}) and ${isActive(sql`w.platform_id`)}`,
    since: sql`w.next_attempt_at`,
    now,
    ...asking,
  });
  return due.map(({ id }) => id);
}

/**
 * Clears the column `asked_at`, the time at which a webhook delivery was put on the queue, for deliveries that the
 * queue did not accept. The next background sweep then takes them at once.
 */
export const forgetAsking = (db: Db, ids: string[]) =>
  db.update(deliveries).set({ askedAt: null }).where(inArray(deliveries.id, ids));
