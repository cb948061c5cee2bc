import { inArray, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { takeInTurn } from '../turns.ts';
import { deliveries } from './table.ts';

interface Due {
  now: number;
  askedBefore: number;
  limit: number;
  /** How many of one platform. */
  each: number;
}

/** Takes due deliveries that nobody holds, to ask for them. */
export async function takeDue(db: Db, { now, ...asking }: Due): Promise<string[]> {
  const due = await takeInTurn(db, {
    table: sql`${deliveries}`,
    indexed: sql`w.status = 'pending'`,
    isDue: sql`w.next_attempt_at <= ${at(now)} and (w.lease_until is null or w.lease_until < ${at(now)})`,
    since: sql`w.next_attempt_at`,
    now,
    ...asking,
  });
  return due.map(({ id }) => id);
}

/** Lets the next sweep ask again at once. */
export const forgetAsking = (db: Db, ids: string[]) =>
  db.update(deliveries).set({ askedAt: null }).where(inArray(deliveries.id, ids));
