import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { NeonHttpDatabase } from 'drizzle-orm/neon-http';

/** Postgres as operations see it: single statements, and `batch` for a transaction of a fixed list of them. */
export type Db = NeonHttpDatabase<Record<string, never>>;

/** Database statement that is built but not sent yet. A batch sends several of them as one transaction. */
export type Statement = BatchItem<'pg'>;

/** Results of a batch's statements, in the order of the statements. */
export type Results<T extends Statement[]> = BatchResponse<T>;

/** True if an earlier statement in the same batch took effect, such as `exists (select …)`. */
export type Guard = SQL;

/** A statement takes effect only under its guard. */
export type Guarded = { guard: Guard };

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

/**
 * Reason why Postgres refused a batch of statements.
 * - `not_in_hand`: a row is not as the batch needs it, in most cases because another process is changing it.
 * - `credential_ended`: the caller's API key or session has ended, or the key's platform is suspended.
 * - `weights_changed`: the caller's learned weights are not as they were loaded.
 * - `too_many_open`: the requester, the pair or the meeting has as many open proposals as allowed.
 * - `serialization_failure`: two batches conflicted, and Postgres rolled this one back.
 */
export type BatchRefusal = 'duplicate_key' | 'slot_taken' | 'day_full' | Decision | 'serialization_failure';

/** Refusals of a batch that our own SQL statements raise, because no database constraint can express them. */
const DECISIONS = [
  'quota_exhausted',
  'not_connected',
  'not_in_hand',
  'credential_ended',
  'weights_changed',
  'too_many_open',
] as const;
type Decision = (typeof DECISIONS)[number];

/** Returns an SQL expression that fails the batch with the given refusal when a statement evaluates the expression. */
export const refuse = (decision: Decision): SQL => sql`refuse(${sql.raw(`'${decision}'`)})`;

/** If the value is null when the statement runs, the whole batch fails with the refusal. */
export const orRefuse = (value: SQL, decision: Decision): SQL => sql`coalesce(${value}, ${refuse(decision)})`;

const CONSTRAINTS: Record<string, BatchRefusal> = {
  idempotency_keys_pkey: 'duplicate_key',
  users_email: 'duplicate_key',
  calendar_accounts_provider: 'duplicate_key',
  holds_no_overlap: 'slot_taken',
  hold_is_free: 'slot_taken',
  hold_within_day: 'day_full',
  usage_within_quota: 'quota_exhausted',
  meetings_one_per_job: 'not_in_hand',
  proposals_one_open_move: 'too_many_open',
};

/** SQLSTATE of the errors that the SQL function `refuse` raises. */
const REFUSED = 'TD001';
const [SERIALIZATION_FAILURE, DEADLOCK] = ['40001', '40P01'];

type Facts = Partial<Record<'code' | 'constraint', string>>;

/** Any error may wrap it. Returns undefined for any other failure. */
export function refusalOf(error: unknown): BatchRefusal | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint, message }: Error & Facts = at;
    if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) continue;
    if (code === SERIALIZATION_FAILURE || code === DEADLOCK) return 'serialization_failure';
    return code === REFUSED ? DECISIONS.find((one) => one === message) : CONSTRAINTS[constraint ?? ''];
  }
  return undefined;
}

/** Runs a batch, and retries it once if Postgres rolled it back because of a conflict with another batch. */
export async function retrySerializationFailure<T>(batch: () => Promise<T>): Promise<T> {
  try {
    return await batch();
  } catch (error) {
    if (refusalOf(error) !== 'serialization_failure') throw error;
    return batch();
  }
}
