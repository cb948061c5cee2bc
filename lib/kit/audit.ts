import { type AuditDetails, insertAudit, type NewAudit } from '../../schema/access/audit-log.ts';
import type { AuditAction } from '../../schema/api/states.ts';
import type { Guard } from '../../schema/db.ts';
import type { Actor, Ctx } from './context.ts';
import { ID_PREFIX } from './ids.ts';

export type Auditing = Pick<Ctx, 'db' | 'clock' | 'ids' | 'actor' | 'network' | 'requestId'>;

interface Change {
  platformId?: string | undefined;
  userId?: string | undefined;
  action: AuditAction;
  details?: AuditDetails | undefined;
  guard?: Guard | undefined;
}

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
