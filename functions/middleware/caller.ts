import type { Context } from 'hono';
import type { Actor } from '../../lib/kit/context.ts';
import { AppError, InternalError, keyNotValid, platformSuspended } from '../../lib/kit/errors.ts';
import { findKeyOwner, type KeyOwner } from '../../schema/access/api-keys.ts';
import type { AppEnv, Caller, KnownCaller } from '../http/env.ts';
import { countByIp } from './rate-limit.ts';

/** `checkedAt` is when Postgres last confirmed the caller in a query of its own, in epoch milliseconds. */
interface Known {
  caller: KnownCaller;
  actor: Actor;
  checkedAt: number;
}

/** The SHA-256 of the API key is the map's key. Null marks a revoked key, which never becomes valid again. */
const known = new Map<string, Known | null>();
const MOST_KNOWN = 10_000;

export const findKnown = (hash: string): Known | undefined => known.get(hash) ?? undefined;

/** Postgres has not checked the key again. `admitted` resolves once the handler may do more than read, or rejects. */
export function beginAs(c: Context<AppEnv>, { caller, actor }: Known, admitted: Promise<void>): void {
  c.set('known', caller);
  c.set('ctx', { ...c.var.ctx, admitted, actor });
}

export interface SentKey {
  hash: string;
  header: string;
}

const JUST_REPLACED_MS = 5_000;

/** The audit log attributes changes to the owner. Throws `unauthorized` and `platform_suspended`. */
export async function checkKey(c: Context<AppEnv>, { hash, header }: SentKey): Promise<Caller> {
  if (known.get(hash) === null) return refuse(c, 'unauthorized', keyNotValid(header));
  const now = c.var.ctx.clock.now();
  const found = await findKeyOwner(c.var.ctx.db, { hash, now });
  // Another request may have replaced the key while this one was on its way, and then its end lies just ahead of `now`.
  const owner = found?.revokedAt != null && found.revokedAt - now < JUST_REPLACED_MS ? undefined : found;
  const caller = owner && callerOf(owner);
  if (known.size >= MOST_KNOWN) known.clear();
  const actor: Actor = { kind: 'key', id: owner?.masked ?? '', credential: { key: hash } };
  known.set(hash, caller === undefined ? null : { caller: knownOf(caller), actor, checkedAt: now });
  if (caller === undefined) return refuse(c, 'unauthorized', keyNotValid(header));
  c.set('caller', caller);
  if (owner?.suspendedAt != null) throw platformSuspended();
  c.set('ctx', { ...c.var.ctx, actor });
  return caller;
}

function callerOf({ platform, user, agentHost, revokedAt }: KeyOwner): Caller {
  const isFormer = revokedAt !== null && agentHost === null;
  if (platform !== null) return { kind: 'secret', platform, isFormer };
  if (user !== null) return { kind: 'user', userId: user.id, email: user.email, isAgent: agentHost !== null, isFormer };
  throw new InternalError('An API key has neither a platform nor a user.');
}

function knownOf(caller: Caller): KnownCaller {
  if (caller.kind === 'user') return { kind: 'user', userId: caller.userId, isAgent: caller.isAgent };
  const { id, plan } = caller.platform;
  return { kind: 'secret', platform: { id, plan } };
}

export async function refuse(c: Context<AppEnv>, code: 'unauthorized' | 'forbidden', message: string): Promise<never> {
  await countByIp(c);
  throw new AppError(code, message);
}
