import { and, eq, lt } from 'drizzle-orm';
import type { Db, Guard } from '../db.ts';
import { type IdempotentOperation, idempotencyKeys } from './table.ts';

export interface KeyName {
  platformId: string;
  operation: IdempotentOperation;
  key: string;
}

export type KeyClaim = KeyName & { fingerprint: string };

/** The started row of the operation that works on a meeting or job; there is one at most. */
export interface StartedKey {
  operation: IdempotentOperation;
  resourceId: string;
}

const named = ({ platformId, operation, key }: KeyName) =>
  and(
    eq(idempotencyKeys.platformId, platformId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.key, key),
  );

const started = ({ operation, resourceId }: StartedKey) =>
  and(
    eq(idempotencyKeys.resourceId, resourceId),
    eq(idempotencyKeys.operation, operation),
    eq(idempotencyKeys.state, 'started'),
  );

/** Claims a key; a key that exists fails the batch by `idempotency_keys_pkey`. */
export const claimKey = (
  db: Db,
  input: KeyClaim & { owner: string; leaseUntil: number; resourceId: string; now: number },
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

/** Claims and answers a key at once: for an operation that is one batch, and for a refusal. Fails like `claimKey`. */
export const claimAnsweredKey = (
  db: Db,
  input: KeyClaim & { resourceId: string | null; status: number; body: string; now: number },
) =>
  db.insert(idempotencyKeys).values({
    platformId: input.platformId,
    operation: input.operation,
    key: input.key,
    fingerprint: input.fingerprint,
    state: 'done',
    owner: '',
    leaseUntil: input.now,
    resourceId: input.resourceId,
    status: input.status,
    body: input.body,
    createdAt: input.now,
  });

export async function findKey(db: Db, name: KeyName) {
  const [row] = await db
    .select({
      fingerprint: idempotencyKeys.fingerprint,
      state: idempotencyKeys.state,
      status: idempotencyKeys.status,
      body: idempotencyKeys.body,
      resourceId: idempotencyKeys.resourceId,
      leaseUntil: idempotencyKeys.leaseUntil,
      createdAt: idempotencyKeys.createdAt,
    })
    .from(idempotencyKeys)
    .where(named(name));
  return row;
}

/** Keeps the answer of the operation on `resourceId`, if its change went in. */
export const finishKey = (
  db: Db,
  { status, body, guard, ...key }: StartedKey & { status: number; body: string; guard: Guard },
) =>
  db
    .update(idempotencyKeys)
    .set({ state: 'done', status, body })
    .where(and(started(key), guard));

/** Frees the key of an operation that changed nothing, for a retry to start afresh. */
export const releaseKey = (db: Db, { guard, ...key }: StartedKey & { guard: Guard }) =>
  db.delete(idempotencyKeys).where(and(started(key), guard));

/** The operation on `resourceId` may be taken over from now on. */
export const endKeyLease = (db: Db, { now, guard, ...key }: StartedKey & { now: number; guard: Guard }) =>
  db
    .update(idempotencyKeys)
    .set({ leaseUntil: now })
    .where(and(started(key), guard));

/** Forgets one finished key that is older than its window. */
export const deleteExpiredKey = (db: Db, { before, ...name }: KeyName & { before: number }) =>
  db
    .delete(idempotencyKeys)
    .where(and(named(name), eq(idempotencyKeys.state, 'done'), lt(idempotencyKeys.createdAt, before)));
