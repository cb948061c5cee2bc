import { type AuditRow, listAudit } from '../../schema/access/audit-log.ts';
import type { Place } from '../../schema/api/paging.ts';
import type { Ctx } from '../kit/context.ts';

export async function readAuditLog(
  ctx: Pick<Ctx, 'db'>,
  platformId: string,
  { limit, after }: { limit: number; after: Place | undefined },
): Promise<{ entries: AuditRow[]; next: Place | undefined }> {
  const rows = await listAudit(ctx.db, { platformId, limit: limit + 1, after });
  const entries = rows.slice(0, limit);
  const last = rows.length > limit ? entries.at(-1) : undefined;
  return { entries, next: last && { at: last.at, id: last.id } };
}
