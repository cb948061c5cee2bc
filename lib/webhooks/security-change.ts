import { type AuditDetails, insertAudit, isAudited } from '../../schema/access/audit-log.ts';
import { both, NEVER, not } from '../../schema/access/sessions.ts';
import type { SecurityAction } from '../../schema/api/states.ts';
import type { Guard } from '../../schema/db.ts';
import { type Auditing, auditRow } from '../kit/audit.ts';
import type { Ctx } from '../kit/context.ts';
import { insertEvent, publishDelivery } from './outbox.ts';

interface SecurityChange {
  platformId: string;
  action: SecurityAction | 'endpoint.settings_changed';
  details?: AuditDetails | undefined;
  guard: Guard;
  isTold?: boolean;
}

/**
 * They store `platform.security_changed` and an audit row, in this order in the batch of the change, where `guard` says
 * that the change is made. A batch that is sent twice reports the change once.
 */
export function securityChange(ctx: Auditing, { guard, isTold = true, ...change }: SecurityChange) {
  const row = auditRow(ctx, change);
  const event = insertEvent(ctx, {
    platformId: change.platformId,
    type: 'platform.security_changed',
    event: {
      change: change.action === 'endpoint.settings_changed' ? 'endpoint.changed' : change.action,
      at: row.now,
      by: row.actorKind,
      auditId: row.id,
    },
    guard: isTold ? both(guard, not(isAudited(row.id))) : NEVER,
  });
  return {
    auditId: row.id,
    told: event.statement,
    audited: insertAudit(ctx.db, { ...row, guard }),
    /**
     * Call it after the commit, with the result of the statement that stores the event. Does nothing if that stored
     * none, for example because the platform does not subscribe to it.
     */
    publish(ctx: Pick<Ctx, 'later' | 'queue' | 'log'>, told: { rowCount?: number | null } | null | undefined): void {
      if ((told?.rowCount ?? 0) > 0) ctx.later(publishDelivery(ctx, event.deliveryId));
    },
  };
}
