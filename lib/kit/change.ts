import { insertAudit, type NewAudit } from '../../schema/access/audit-log.ts';
import { lockActive, lockPlatform } from '../../schema/access/platforms.ts';
import { insistOnCredential, insistOnWorking } from '../../schema/access/sessions.ts';
import { lockUser } from '../../schema/access/users.ts';
import type { AuditAction } from '../../schema/api/states.ts';
import { batch, type Guard, type Results, refusalOf, type Statement } from '../../schema/db.ts';
import type { Actor, Ctx } from './context.ts';
import { userGone } from './errors.ts';
import { ID_PREFIX } from './ids.ts';

/**
 * Runs named statements that change a platform's settings or webhook as one transaction. Throws `unauthorized` if the
 * caller's API key or session is no longer valid. To be certain of that, the transaction locks the platform first, as
 * the replacement of an API key does. A caller whose key is replaced during their request thus changes nothing.
 */
export async function changePlatform<T extends Record<string, Statement>>(
  { db, actor, clock }: Pick<Ctx, 'db' | 'actor' | 'clock'>,
  platformId: string,
  statements: T,
): Promise<{ [Name in keyof T]: Results<[T[Name]]>[0] }> {
  return admitted(
    batch(db, {
      lock: lockPlatform(db, { platformId }),
      admitted: insistOnCredential(db, { credential: actor.credential, now: clock.now() }),
      ...statements,
    }),
  );
}

/** Does the same for a user's own data, which a replaced key that still works may change. */
export async function changeUser<T extends Record<string, Statement>>(
  { db, actor, clock }: Pick<Ctx, 'db' | 'actor' | 'clock'>,
  userId: string,
  statements: T,
): Promise<{ [Name in keyof T]: Results<[T[Name]]>[0] }> {
  const { credential } = actor;
  const [lock, works] = [lockUser(db, userId), insistOnWorking(db, { credential, now: clock.now() })];
  return admitted(batch(db, { lock, works, ...statements }));
}

/** Begins a batch that changes other rows than the platform's, so that such batches need not wait for each other. */
export const insistOnCaller = ({ db, actor, clock }: Pick<Ctx, 'db' | 'actor' | 'clock'>, platformId: string) => ({
  active: lockActive(db, { platformId }),
  admitted: insistOnCredential(db, { credential: actor.credential, now: clock.now() }),
});

/** Throws `unauthorized` for a batch that was refused because the caller's API key or session has ended. */
export const admitted = <T>(sent: Promise<T>): Promise<T> =>
  sent.catch((error: unknown) => {
    throw refusalOf(error) === 'credential_ended' ? userGone() : error;
  });

export type Auditing = Pick<Ctx, 'db' | 'clock' | 'ids' | 'actor' | 'network' | 'requestId'>;

type Change = Pick<NewAudit, 'platformId' | 'userId' | 'action' | 'details'> & { guard?: Guard | undefined };

/** The row names the caller, the change, its time, and the block of IP addresses from which the request came. */
export function auditRow<C extends { action: AuditAction }>(
  { clock, ids, actor, network, requestId }: Omit<Auditing, 'db'>,
  change: C,
  by: Actor = actor,
): C & Pick<NewAudit, 'id' | 'actorKind' | 'actor' | 'network' | 'requestId' | 'now'> {
  const id = ids.id(ID_PREFIX.audit);
  return { ...change, id, actorKind: by.kind, actor: by.id, network, requestId, now: clock.now() };
}

/** The caller runs it in the batch of the change itself, so that both are written or neither is. */
export const audited = (ctx: Auditing, change: Change) => insertAudit(ctx.db, auditRow(ctx, change));

/** The audit log names Google for what follows from its answers, such as the end of a grant revoked there. */
export const GOOGLE: Actor = { kind: 'google', id: 'google' };
/** The audit log names Tandem for what it does by itself, such as ending a grant that nobody renewed. */
export const SERVICE: Actor = { kind: 'service', id: 'tandem' };
