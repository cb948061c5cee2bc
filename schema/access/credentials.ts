import { sql } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { refuse } from '../refusals.ts';
import { MINUTE } from '../units.ts';
import { insistOnKey, isKeyCurrent } from './api-keys-owner.ts';
import { isSessionOpen } from './sessions.ts';

/** The key is given by its SHA-256. */
export type Credential = { key: string } | { session: string };

/**
 * Decided when the statement runs: a caller whose key was replaced, or whose session ended, before or during their
 * request changes no key, session or setting. True without a key or session.
 */
export function isStillValid(credential: Credential | undefined, now: number): Guard {
  if (credential === undefined) return sql`true`;
  return 'key' in credential ? isKeyCurrent(credential.key) : isSessionOpen(credential.session, now);
}

/**
 * Refuses the batch as `credential_ended`. An earlier statement must have locked the row of the platform or user, as
 * the batch that ends a key or session does.
 */
export const insistOnCredential = (db: Db, { credential, now }: { credential: Credential | undefined; now: number }) =>
  db.execute(sql`select case when not (${isStillValid(credential, now)}) then ${refuse('credential_ended')} end`);

/** Lets a replaced key pass that still works for a while, and not only because the request began before its end. */
export const insistOnWorking = (db: Db, { credential, now }: { credential: Credential | undefined; now: number }) =>
  credential !== undefined && 'key' in credential
    ? insistOnKey(db, { hash: credential.key, now: now + MINUTE })
    : insistOnCredential(db, { credential, now });

export const NEVER: Guard = sql`false`;
export const both = (one: Guard, other: Guard): Guard => sql`(${one}) and (${other})`;
export const not = (guard: Guard): Guard => sql`not (${guard})`;
