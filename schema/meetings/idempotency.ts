import { and, eq, lt } from 'drizzle-orm';
import { pick } from '../columns.ts';
import type { Db, Guarded } from '../db.ts';
import { type IdempotentOperation, idempotencyKeys } from '../tables/platforms.ts';

export type KeyName = { platformId: string; operation: IdempotentOperation; key: string };

/** The fingerprint tells a retry from a different request under the key. */
export type IdempotentRequest = KeyName & { fingerprint: string };

/** It is unfinished. A meeting or job has at most one. */
export type StartedKey = { operation: IdempotentOperation; resourceId: string };

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

/** An API answer in the exact bytes that were sent, stored under its idempotency key for replay. */
export type Answered = { status: number; body: string };
type Claim = IdempotentRequest & { resourceId: string | null; now: number };

const claimOf = ({ now, ...claim }: Claim) => ({ ...claim, createdAt: now });

type Held = { resourceId: string; owner: string; leaseUntil: number };

/** If the key was used before, the batch fails by `idempotency_keys_pkey`. */
export const claimKey = (db: Db, { owner, leaseUntil, ...claim }: Claim & Held) =>
  db.insert(idempotencyKeys).values({ ...claimOf(claim), state: 'started', owner, leaseUntil });

/** Serves a refusal or an operation of only one batch. A used key fails the batch by `idempotency_keys_pkey`. */
export const claimAnsweredKey = (db: Db, { status, body, ...claim }: Claim & Answered) =>
  db
    .insert(idempotencyKeys)
    .values({ ...claimOf(claim), state: 'done', owner: '', leaseUntil: claim.now, status, body });

export const selectKey = (db: Db, name: KeyName) =>
  db
    .select(pick(idempotencyKeys, 'fingerprint', 'state', 'status', 'body', 'resourceId', 'leaseUntil', 'createdAt'))
    .from(idempotencyKeys)
    .where(named(name));

export const findKey = async (db: Db, name: KeyName) => (await selectKey(db, name))[0];

export const finishKey = (db: Db, { status, body, guard, ...key }: StartedKey & Answered & Guarded) =>
  db
    .update(idempotencyKeys)
    .set({ state: 'done', status, body })
    .where(and(started(key), guard));

/** The operation changed nothing, so a retry runs it from the start. */
export const releaseKey = (db: Db, { guard, ...key }: StartedKey & Guarded) =>
  db.delete(idempotencyKeys).where(and(started(key), guard));

/** Another request may then continue the operation on the meeting or job `resourceId`. */
export const endKeyLease = (db: Db, { now, guard, ...key }: StartedKey & Guarded & { now: number }) =>
  db
    .update(idempotencyKeys)
    .set({ leaseUntil: now })
    .where(and(started(key), guard));

export const deleteExpiredKey = (db: Db, { before, ...name }: KeyName & { before: number }) =>
  db
    .delete(idempotencyKeys)
    .where(and(named(name), eq(idempotencyKeys.state, 'done'), lt(idempotencyKeys.createdAt, before)));
