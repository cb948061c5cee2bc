import type { Db } from '../db.ts';
import { apiKeys } from './table.ts';

/** New keys, hashed by the caller. */
export function insertKeys(db: Db, keys: (typeof apiKeys.$inferInsert)[]) {
  return db.insert(apiKeys).values(keys);
}
