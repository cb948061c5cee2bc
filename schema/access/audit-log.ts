import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import type { PlatformAction } from '../api/states.ts';
import { at, pick } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { auditLog } from '../tables/platforms.ts';
import { connections } from '../tables/users.ts';

/** The statement that writes the row computes the facts that are given as SQL. */
export type AuditDetails = Record<string, string | number | SQL>;

type Row = typeof auditLog.$inferSelect;

export interface NewAudit extends Pick<Row, 'id' | 'action' | 'actorKind' | 'actor' | 'network' | 'requestId'> {
  platformId?: string | undefined;
  userId?: string | undefined;
  details?: AuditDetails | undefined;
  now: number;
}

const COLUMNS = sql`(id, at, platform_id, user_id, action, actor_kind, actor, network, request_id, details)`;

const detailsOf = (details: AuditDetails = {}): SQL =>
  sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(
    Object.entries(details).flatMap(([name, value]) => [sql`${name}::text`, sql`(${value})::text`]),
    sql`, `,
  )}))`;

/** Belongs in the batch of the change. Writes nothing unless the guard holds, or if the id exists. Returns the id. */
export const insertAudit = (db: Db, { guard = sql`true`, ...row }: NewAudit & { guard?: Guard | undefined }) =>
  db.execute<{ id: string }>(sql`
    insert into ${auditLog} ${COLUMNS}
    select ${row.id}::text, ${at(row.now)}, ${row.platformId ?? null}::text, ${row.userId ?? null}::text,
      ${row.action}::text, ${row.actorKind}::text, ${row.actor}::text, ${row.network}::text, ${row.requestId}::text,
      ${detailsOf(row.details)}
    where ${guard}
    on conflict do nothing
    returning id`);

export interface ForConnected {
  userId: string;
  guard?: Guard | undefined;
  only?: string | undefined;
  except?: string | undefined;
}

/**
 * Writes one row for each platform that the user is connected to when the statement runs, for `only` one or for all
 * `except` one if given. The ids begin with `id`. The rows name no request and no network, because these may be another
 * platform's.
 */
export const insertAuditForConnected = (
  db: Db,
  { only, except, guard = sql`true`, ...row }: Omit<NewAudit, 'platformId' | 'network' | 'requestId'> & ForConnected,
) =>
  db.execute(sql`
    insert into ${auditLog} ${COLUMNS}
    select ${row.id}::text || substr(c.platform_id, 6, 8), ${at(row.now)}, c.platform_id, c.user_id, ${row.action}::text,
      ${row.actorKind}::text, ${row.actor}::text, null, ${row.id}::text, ${detailsOf(row.details)}
    from ${connections} c where c.user_id = ${row.userId} and c.disconnected_at is null and ${guard}
      and c.platform_id = coalesce(${only ?? null}::text, c.platform_id) and c.platform_id is distinct from ${except ?? null}::text
    on conflict do nothing`);

export const isAudited = (id: string): Guard => sql`exists (select 1 from audit_log a where a.id = ${id})`;

export const listAudit = (
  db: Db,
  { platformId, limit, after }: { platformId: string; limit: number; after: Place | undefined },
) =>
  db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      action: sql<PlatformAction>`${auditLog.action}`,
      ...pick(auditLog, 'actorKind', 'actor', 'network', 'requestId', 'details'),
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.platformId, platformId),
        after && sql`(${auditLog.at}, ${auditLog.id}) < (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(limit);

export type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];

/** The changes of an erased person stay in the log, under an id that belongs to nobody. */
export const forgetNetworks = (db: Db, { userId, guard }: { userId: string; guard: Guard }) =>
  db
    .update(auditLog)
    .set({ network: null })
    .where(and(eq(auditLog.userId, userId), guard));
