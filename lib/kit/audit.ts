import { type AuditDetails, insertAudit, type NewAudit } from '../../schema/access/audit-log.ts';
import type { AuditAction } from '../../schema/api/audit-actions.ts';
import type { Guard } from '../../schema/db.ts';
import type { Actor, Ctx } from './context.ts';
import { ID_PREFIX } from './ids.ts';

/** Fields of the request context that are needed to write a row of the audit log. */
export type Auditing = Pick<Ctx, 'db' | 'clock' | 'ids' | 'actor' | 'network' | 'requestId'>;

interface Change {
  platformId?: string | undefined;
  userId?: string | undefined;
  action: AuditAction;
  details?: AuditDetails | undefined;
  guard?: Guard | undefined;
}

/**
 * Returns the fields of a row of the audit log: the caller who makes the change, the change, its time, and the block of
 * IP addresses from which the request came.
 */
export function auditRow<C extends { action: AuditAction }>(
  { clock, ids, actor, network, requestId }: Omit<Auditing, 'db'>,
  change: C,
  by: Actor = actor,
): C & Pick<NewAudit, 'id' | 'actorKind' | 'actor' | 'network' | 'requestId' | 'now'> {
  const id = ids.id(ID_PREFIX.audit);
  return { ...change, id, actorKind: by.kind, actor: by.id, network, requestId, now: clock.now() };
}

/**
 * Builds the statement that writes a change into the audit log. The caller runs it in the same database batch as the
 * change itself, so that both are written or neither is.
 */
export const audited = (ctx: Auditing, change: Change) => insertAudit(ctx.db, auditRow(ctx, change));

/**
 * Actor that the audit log names for changes that follow from Google's answers, such as the end of a grant that was
 * revoked at Google.
 */
export const GOOGLE: Actor = { kind: 'google', id: 'google' };
/**
 * Actor that the audit log names for what Tandem does by itself, such as the end of a calendar grant that nobody
 * renewed.
 */
export const SERVICE: Actor = { kind: 'service', id: 'tandem' };
