import { Hono } from 'hono';
import { readAuditLog } from '../../lib/platforms/audit-log.ts';
import type { AuditRow } from '../../schema/access/audit-log.ts';
import * as api from '../../schema/api/audit-log.ts';
import { toPagination } from '../../schema/api/paging.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const auditLog = new Hono<AppEnv>();

serve(auditLog, api.listAuditLog, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { entries, next } = await readAuditLog(ctx, platform.id, { limit, after });
  return { entries: entries.map(toEntry), pagination: toPagination(next) };
});

const toEntry = ({ at, actorKind, actor, requestId, id, action, network, details }: AuditRow): api.AuditEntry => ({
  id,
  at: new Date(at).toISOString(),
  action,
  by: { kind: actorKind, id: actor },
  network,
  request_id: requestId,
  details,
});
