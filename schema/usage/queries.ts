import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { usage } from './table.ts';

/** Takes one meeting of the month's quota; beyond it the batch fails by `usage_within_quota`. */
export const takeQuota = (
  db: Db,
  { platformId, month, quota }: { platformId: string; month: string; quota: number | null },
) =>
  db
    .insert(usage)
    .values({ platformId, month, used: 1, quota })
    .onConflictDoUpdate({ target: [usage.platformId, usage.month], set: { used: sql`${usage.used} + 1`, quota } })
    .returning({ used: usage.used });

/** What the platform used in the month. */
export async function findUsage(db: Db, { platformId, month }: { platformId: string; month: string }): Promise<number> {
  const [row] = await db
    .select({ used: usage.used })
    .from(usage)
    .where(sql`${usage.platformId} = ${platformId} and ${usage.month} = ${month}`);
  return row?.used ?? 0;
}
