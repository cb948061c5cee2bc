import type { NeonHttpDatabase } from 'drizzle-orm/neon-http';

/** Postgres as the verbs see it: single statements, and `batch` for one transaction of a fixed list of them. */
export type Db = NeonHttpDatabase<Record<string, never>>;
