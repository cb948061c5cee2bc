import { sql } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { refuse } from '../refusals.ts';
import { isKeyCurrent } from './api-keys-owner.ts';
import { isSessionOpen } from './sessions.ts';

/** API key, by its SHA-256, or session, by its id, that a caller used. */
export type Credential = { key: string } | { session: string };

/**
 * Returns an SQL condition that is true if the caller's API key or session may change keys, sessions and settings when
 * the statement runs. So a caller whose key was replaced, or whose session ended, before or during their request can
 * change none of these. Without a key or session the condition is true.
 */
export function isStillValid(credential: Credential | undefined, now: number): Guard {
  if (credential === undefined) return sql`true`;
  return 'key' in credential ? isKeyCurrent(credential.key) : isSessionOpen(credential.session, now);
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
