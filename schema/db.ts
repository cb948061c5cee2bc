import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { NeonHttpDatabase } from 'drizzle-orm/neon-http';
import type { SQL } from 'drizzle-orm/sql';

/** Postgres as the verbs see it: single statements, and `batch` for one transaction of a fixed list of them. */
export type Db = NeonHttpDatabase<Record<string, never>>;

/** A statement for a batch. */
export type Statement = BatchItem<'pg'>;

/** What the statements of a batch answer, in their order. */
export type Results<T extends Statement[]> = BatchResponse<T>;

/** A condition on what an earlier statement of the same batch left behind, such as `exists (select …)`. */
export type Guard = SQL;

/** Runs named statements as one transaction, in the order of their names; answers what each answers under its name. */
export async function batch<T extends Record<string, Statement>>(
  db: Db,
  statements: T,
): Promise<{ [Name in keyof T]: Results<[T[Name]]>[0] }> {
  const [first, ...more] = Object.values(statements);
  const results = first === undefined ? [] : await db.batch([first, ...more]);
  const named = Object.keys(statements).map((name, index) => [name, results[index]]);
  // A batch answers in the order of its statements.
  return Object.fromEntries(named) as { [Name in keyof T]: Results<[T[Name]]>[0] };
}
