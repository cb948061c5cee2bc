import type { Db } from '../db.ts';
import { platforms } from './table.ts';

/** A new platform. */
export function insertPlatform(db: Db, platform: typeof platforms.$inferInsert) {
  return db.insert(platforms).values(platform);
}
