import { and, eq, type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { meetings } from '../tables/meetings.ts';
import { platforms, usage, usageNotices } from '../tables/platforms.ts';

/** Counts one meeting if `guard` holds. If the quota is used up, the batch fails by `usage_within_quota`. */
export const takeOfMonth = (
  db: Db,
  of: { platformId: string; month: string; quota: number | null; guard?: Guard | undefined },
) =>
  db.execute(sql`
    insert into ${usage} (platform_id, month, used, quota)
    select ${of.platformId}::text, ${of.month}::text, 1, ${of.quota}::int where ${of.guard ?? sql`true`}
    on conflict (platform_id, month) do update set used = usage.used + 1, quota = excluded.quota`);

/** Without `month` it was used by a failed booking, and with `month` by an undone replacement of an attendee. */
export const giveQuotaBack = (db: Db, of: { meetingId: string; month?: string; guard: Guard }) =>
  db.execute(sql`
    update ${usage} set used = used - 1 from ${meetings}
    where ${meetings.id} = ${of.meetingId} and ${usage.platformId} = ${meetings.platformId}
      and ${usage.month} = ${of.month ?? meetings.usageMonth} and ${of.guard}`);

/** Returns no row before the month's first meeting. */
export const selectUsage = (db: Db, { platformId, month }: { platformId: string; month: string }) =>
  db
    .select({ used: usage.used, confirmed: usage.confirmed })
    .from(usage)
    .where(and(eq(usage.platformId, platformId), eq(usage.month, month)));

export const selectPlanUsage = (db: Db, { platformId, month }: { platformId: string | SQL; month: string }) =>
  db
    .select({
      plan: platforms.plan,
      used: sql<number>`coalesce(${usage.used}, 0)`,
      confirmed: sql<number>`coalesce(${usage.confirmed}, 0)`,
    })
    .from(platforms)
    .leftJoin(usage, and(eq(usage.platformId, platforms.id), eq(usage.month, month)))
    .where(eq(platforms.id, platformId));

export async function findUsage(db: Db, of: { platformId: string; month: string }) {
  const [found] = await selectPlanUsage(db, of);
  if (found === undefined) throw new Error('The platform whose quota is asked for does not exist.');
  return found;
}

/** A replaced attendee counts too. Returns the month's new number. Does nothing if `month` is null. */
export const confirmQuota = (db: Db, of: { platformId: string; month: string | null; guard: Guard }) =>
  db
    .update(usage)
    .set({ confirmed: sql`${usage.confirmed} + 1` })
    .where(sql`${usage.platformId} = ${of.platformId} and ${usage.month} = ${of.month} and ${of.guard}`)
    .returning({ confirmed: usage.confirmed });

interface Notice {
  platformId: string;
  month: string;
  percentage: 80 | 100;
  threshold: number;
  eventId: string;
  now: number;
}

/** Does so for 80% or 100%, once per month, and only if the confirmed meetings have reached `threshold`. */
export const takeNotice = (db: Db, { platformId, month, percentage, threshold, eventId, now }: Notice) =>
  db.execute(sql`
    insert into ${usageNotices} (platform_id, month, percentage, event_id, created_at)
    select platform_id, month, ${percentage}::int, ${eventId}::text, ${at(now)}
    from ${usage} where platform_id = ${platformId} and month = ${month} and confirmed >= ${threshold}
    on conflict do nothing`);

/** The notice with this event's id was recorded, so the event is sent once. */
export const isNoticeOf = ({ platformId, month, percentage, eventId }: Omit<Notice, 'threshold' | 'now'>): Guard =>
  sql`exists (select 1 from usage_notices n where n.platform_id = ${platformId} and n.month = ${month}
    and n.percentage = ${percentage} and n.event_id = ${eventId})`;
