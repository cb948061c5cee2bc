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
