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
  each: number;
}

/** No worker is attempting them. Records `asked_at`, because the caller puts them on the queue next. */
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

/** The queue did not accept these, so the next background sweep takes them at once. */
export const forgetAsking = (db: Db, ids: string[]) =>
  db.update(deliveries).set({ askedAt: null }).where(inArray(deliveries.id, ids));
