import { type AuditRow, listAudit } from '../../schema/access/audit-log.ts';
import type { Ctx } from '../kit/context.ts';
import { type PageRequest, readPage } from '../kit/read-page.ts';

export async function readAuditLog(ctx: Pick<Ctx, 'db'>, platformId: string, asked: PageRequest) {
  const placeOf = ({ at, id }: AuditRow) => ({ at, id });
  const { rows: entries, next } = await readPage({ ...asked, placeOf }, (page) =>
    listAudit(ctx.db, { platformId, ...page }),
  );
  return { entries, next };
}
