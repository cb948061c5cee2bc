import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { idempotencyKeys } from './table.ts';

export interface KeyName {
  platformId: string;
  operation: string;
  key: string;
}

const named = ({ platformId, operation, key }: KeyName) =>
  and(
    eq(idempotencyKeys.platformId, platformId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );

/** Claims a key; a key that exists fails the batch by `idempotency_keys_pkey`. */
export const claimKey = (
  db: Db,
  input: KeyName & { fingerprint: string; owner: string; leaseUntil: number; resourceId: string; now: number },
) =>
  db.insert(idempotencyKeys).values({
    platformId: input.platformId,
    operation: input.operation,
    key: input.key,
    fingerprint: input.fingerprint,
    state: 'started',
    owner: input.owner,
    leaseUntil: input.leaseUntil,
    resourceId: input.resourceId,
    createdAt: input.now,
  });

export async function findKey(db: Db, name: KeyName) {
  const [row] = await db
    .select({
      fingerprint: idempotencyKeys.fingerprint,
      state: idempotencyKeys.state,
      status: idempotencyKeys.status,
      body: idempotencyKeys.body,
      createdAt: idempotencyKeys.createdAt,
    })
    .from(idempotencyKeys)
    .where(named(name));
  return row;
}

/** Keeps the answer of the request that made `resourceId`. */
export const finishKey = (db: Db, { resourceId, status, body }: { resourceId: string; status: number; body: string }) =>
  db
    .update(idempotencyKeys)
    .set({ state: 'done', status, body })
    .where(and(eq(idempotencyKeys.resourceId, resourceId), eq(idempotencyKeys.state, 'started')));

/** Frees the key of a request that made nothing, for a retry to start afresh. */
export const releaseKey = (db: Db, { resourceId }: { resourceId: string }) =>
  db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.resourceId, resourceId), eq(idempotencyKeys.state, 'started')));

/** Forgets finished keys older than their window; `name` limits it to one. */
export const deleteExpiredKeys = (db: Db, { before, name }: { before: number; name?: KeyName }) =>
  db
    .delete(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.state, 'done'), lt(idempotencyKeys.createdAt, before), ...(name ? [named(name)] : [])),
    );
