import type { Db } from '../db.ts';
import { webhookEndpoints } from './table.ts';

/** A platform's first endpoint; `secret` is sealed. */
export function insertEndpoint(db: Db, endpoint: { platformId: string; url: string; secret: string; now: number }) {
  const { now, ...values } = endpoint;
  return db.insert(webhookEndpoints).values({ ...values, updatedAt: now });
}
