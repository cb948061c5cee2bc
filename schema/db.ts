import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { NeonHttpDatabase } from 'drizzle-orm/neon-http';
import type { SQL } from 'drizzle-orm/sql';

/**
 * Postgres as the operations see it: single statements, and `batch` for a transaction of a fixed list of statements.
 */
export type Db = NeonHttpDatabase<Record<string, never>>;

/** Database statement that is built but not sent yet. A batch sends several of them as one transaction. */
export type Statement = BatchItem<'pg'>;

/** Results of a batch's statements, in the order of the statements. */
export type Results<T extends Statement[]> = BatchResponse<T>;

/** True if an earlier statement in the same batch took effect, such as `exists (select …)`. */
export type Guard = SQL;

/** One transaction in the order of the names. Returns each statement's result under its name. */
export async function batch<T extends Record<string, Statement>>(
  db: Db,
  statements: T,
): Promise<{ [Name in keyof T]: Results<[T[Name]]>[0] }> {
  const [first, ...more] = Object.values(statements);
  const results = first === undefined ? [] : await db.batch([first, ...more]);
  const named = Object.keys(statements).map((name, index) => [name, results[index]]);
  // A batch returns results in the order of its statements.
  return Object.fromEntries(named) as { [Name in keyof T]: Results<[T[Name]]>[0] };
}
