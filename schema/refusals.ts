/**
 * Why Postgres refused a batch, in the words of what it was to do. `not_in_hand`: the row it was for is another writer's;
 * `serialization_failure`: two batches stood in each other's way, and this one was rolled back for it.
 */
export type Refusal =
  | 'duplicate_key'
  | 'slot_taken'
  | 'day_full'
  | 'quota_exhausted'
  | 'not_connected'
  | 'not_in_hand'
  | 'serialization_failure';

const CONSTRAINTS: Record<string, Refusal> = {
  idempotency_keys_pkey: 'duplicate_key',
  users_email: 'duplicate_key',
  calendar_accounts_provider: 'duplicate_key',
  holds_no_overlap: 'slot_taken',
  hold_is_free: 'slot_taken',
  hold_within_day: 'day_full',
  usage_within_quota: 'quota_exhausted',
  meetings_one_per_job: 'not_in_hand',
};

/** A decision that must fail its batch writes a null where a value must stand. */
const NULLS: Record<string, Refusal> = {
  'meetings.organizer_id': 'not_connected',
  'meeting_people.user_id': 'not_connected',
  'holds.user_id': 'not_connected',
  'jobs.platform_id': 'not_connected',
  'calendar_accounts.user_id': 'not_connected',
  'jobs.status': 'quota_exhausted',
  'meetings.platform_id': 'not_in_hand',
  'pending_operations.meeting_id': 'not_in_hand',
};

const [NOT_NULL, SERIALIZATION_FAILURE, DEADLOCK] = ['23502', '40001', '40P01'];

type Facts = Partial<Record<'code' | 'constraint' | 'table' | 'column', string>>;

/** What Postgres refused, whichever wrapper carries it; undefined for any other failure. */
export function refusalOf(error: unknown): Refusal | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint, table, column }: Error & Facts = at;
    if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) continue;
    if (code === SERIALIZATION_FAILURE || code === DEADLOCK) return 'serialization_failure';
    return code === NOT_NULL ? NULLS[`${table}.${column}`] : CONSTRAINTS[constraint ?? ''];
  }
  return undefined;
}

/** Runs a batch, once more when Postgres rolled it back because two stood in each other's way. */
export async function retrySerializationFailure<T>(batch: () => Promise<T>): Promise<T> {
  try {
    return await batch();
  } catch (error) {
    if (refusalOf(error) !== 'serialization_failure') throw error;
    return batch();
  }
}
