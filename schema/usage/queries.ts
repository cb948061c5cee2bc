import { and, eq, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { meetings } from '../meetings/table.ts';
import { usage, usageNotices } from './table.ts';

/** Takes one meeting of the month's quota; beyond it the batch fails by `usage_within_quota`. */
export const takeOfMonth = (
  db: Db,
  { platformId, month, quota }: { platformId: string; month: string; quota: number | null },
) =>
  db
    .insert(usage)
    .values({ platformId, month, used: 1, quota })
    .onConflictDoUpdate({ target: [usage.platformId, usage.month], set: { used: sql`${usage.used} + 1`, quota } })
    .returning({ used: usage.used });

/** A meeting that took its quota never came to be. */
export const giveQuotaBack = (db: Db, { meetingId, guard }: { meetingId: string; guard: Guard }) =>
  db.execute(sql`
    update ${usage} set used = used - 1 from ${meetings}
    where ${meetings.id} = ${meetingId} and ${usage.platformId} = ${meetings.platformId}
      and ${usage.month} = ${meetings.usageMonth} and ${guard}`);

/** Statement: what the platform used in the month, and how many meetings of it are made; nothing before the first. */
export const selectUsage = (db: Db, { platformId, month }: { platformId: string; month: string }) =>
  db
    .select({ used: usage.used, confirmed: usage.confirmed })
    .from(usage)
    .where(and(eq(usage.platformId, platformId), eq(usage.month, month)));

/** A meeting that took its quota was made; answers how many the month has by that. Without a month nothing. */
export const confirmQuota = (
  db: Db,
  { platformId, month, guard }: { platformId: string; month: string | null; guard: Guard },
) =>
  db
    .update(usage)
    .set({ confirmed: sql`${usage.confirmed} + 1` })
    .where(sql`${usage.platformId} = ${platformId} and ${usage.month} = ${month} and ${guard}`)
    .returning({ confirmed: usage.confirmed });

interface Notice {
  platformId: string;
  month: string;
  percentage: 80 | 100;
  /** How many meetings made cross the line. */
  threshold: number;
  eventId: string;
  now: number;
}

/** Takes a threshold's one notice of the month, when the meetings made have reached it. */
export const takeNotice = (db: Db, { platformId, month, percentage, threshold, eventId, now }: Notice) =>
  db.execute(sql`
    insert into ${usageNotices} (platform_id, month, percentage, event_id, created_at)
    select platform_id, month, ${percentage}::int, ${eventId}::text, ${at(now)}
    from ${usage} where platform_id = ${platformId} and month = ${month} and confirmed >= ${threshold}
    on conflict do nothing`);

/** Whether the notice of this line and month was taken for this event. */
export const isNoticeOf = ({ platformId, month, percentage, eventId }: Omit<Notice, 'threshold' | 'now'>): Guard =>
  sql`exists (select 1 from usage_notices n where n.platform_id = ${platformId} and n.month = ${month}
    and n.percentage = ${percentage} and n.event_id = ${eventId})`;
