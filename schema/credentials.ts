import { sql } from 'drizzle-orm';
import { isKeyAccepted } from './api-keys/owner-queries.ts';
import type { Db, Guard } from './db.ts';
import { refuse } from './refusals.ts';
import { isSessionOpen } from './sessions/queries.ts';
import { MINUTE } from './units.ts';

/** API key, by its SHA-256, or session, by its id, that a caller used. */
export type Credential = { key: string } | { session: string };

/**
 * Longest time from a request's start to its batch, in milliseconds. A request that started later can reach the
 * database first and replace the key, which then ends at the later request's start. So a key that ends less than this
 * time after the caller's start counts as ended already.
 */
const LONGEST_REQUEST_MS = MINUTE;

/**
 * Returns an SQL condition that is true if the caller's API key or session is still valid. A caller whose key was
 * replaced, or whose session was ended, after their request was admitted can therefore change nothing. Without a key or
 * session the condition is true.
 */
export function isStillValid(credential: Credential | undefined, now: number): Guard {
  if (credential === undefined) return sql`true`;
  return 'key' in credential
    ? isKeyAccepted(credential.key, now + LONGEST_REQUEST_MS)
    : isSessionOpen(credential.session, now);
}

/**
 * Builds a statement that refuses the batch as `credential_ended` if the caller's API key or session is no longer
 * valid. An earlier statement must have locked the row of the platform or user, as the batch that ends a key or session
 * does.
 */
export const insistOnCredential = (db: Db, { credential, now }: { credential: Credential | undefined; now: number }) =>
  db.execute(sql`select case when not (${isStillValid(credential, now)}) then ${refuse('credential_ended')} end`);

/** Returns an SQL condition that is true if two given conditions are true. */
export const both = (one: Guard, other: Guard): Guard => sql`(${one}) and (${other})`;
/** Returns an SQL condition that is true if the given condition is not true. */
export const not = (guard: Guard): Guard => sql`not (${guard})`;
