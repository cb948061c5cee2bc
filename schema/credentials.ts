import { sql } from 'drizzle-orm';
import { isKeyAccepted } from './api-keys/owner-queries.ts';
import type { Db, Guard } from './db.ts';
import { refuse } from './refusals.ts';
import { isSessionOpen } from './sessions/queries.ts';
import { MINUTE } from './units.ts';

/** API key, by its SHA-256, or session, by its id, that a caller used. */
export type Credential = { key: string } | { session: string };

/**
 * Longest time in milliseconds from a request's start until its database batch runs. Another request may replace the
 * caller's API key in that time, and the key then ends after this request's start. So a key that ends at most this long
 * after the start counts as ended.
 */
const LONGEST_REQUEST_MS = MINUTE;

/**
 * Returns an SQL condition that is true if the caller's API key or session is still valid when the statement runs. So a
 * caller whose key was replaced, or whose session ended, during their request can change nothing. Without a key or
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

/** Combines two SQL conditions into one that is true if both are. */
export const both = (one: Guard, other: Guard): Guard => sql`(${one}) and (${other})`;
/** Returns an SQL condition that is true if the given condition is false. */
export const not = (guard: Guard): Guard => sql`not (${guard})`;
