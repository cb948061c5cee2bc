import { and, asc, eq, getTableColumns, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { isActive } from '../access/platforms.ts';
import type { Db } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { calendarAccounts, revocations } from '../tables/calendar-accounts.ts';
import { deliveries, deliveryAttempts, type FormerSecret, webhookEndpoints } from '../tables/deliveries.ts';
import { CHANGES, pendingOperations } from '../tables/meetings.ts';
import { proposals } from '../tables/proposals.ts';

/** The rows' text is not encrypted under `keyId`. They are in order of the primary key and start after `after`. */
type Page = { keyId: string; after: string; limit: number };

export interface SealedRow {
  /** Primary key of the row. `sealedFor` is the id of the user or platform to which the encryption is bound. */
  key: string;
  sealedFor: string;
  sealed: string;
}

const isUnderOther = (sealed: AnyPgColumn | SQL, keyId: string) => sql`split_part(${sealed}, '.', 1) <> ${keyId}`;

/**
 * Columns of which each holds one encrypted text, by the place for which it is encrypted. A token of `revocations`
 * stays bound to the account that it came from. `replace` returns true if the row still had the text that was read.
 */
export const SEALED = [
  column('calendar_accounts.refresh_token', calendarAccounts, 'refreshToken', by(calendarAccounts.userId)),
  column('calendar_accounts.access_token', calendarAccounts, 'accessToken', by(calendarAccounts.userId)),
  column('calendar_accounts.calendars', calendarAccounts, 'calendars', by(calendarAccounts.userId)),
  column('calendar_accounts.refresh_token', revocations, 'token', by(revocations.providerId), revocations.userId),
  column('webhook_endpoints.secret', webhookEndpoints, 'secret', by(webhookEndpoints.platformId)),
  column('proposals.token', proposals, 'token', by(proposals.id)),
  column('delivery_attempts.answer', deliveryAttempts, 'answer', byAttempt()),
];

export type SealedColumn = (typeof SEALED)[number]['place'];

interface Keyed {
  key: AnyPgColumn | SQL;
  /** Compares the key with one that was read before. An empty one comes before all. */
  compare: (operator: '=' | '>', read: string) => SQL;
  order: AnyPgColumn[];
}

function by(key: AnyPgColumn): Keyed {
  return { key, compare: (operator, read) => sql`${key} ${sql.raw(operator)} ${read}`, order: [key] };
}

/** An attempt has no id of its own, so `attemptKey` names its row. */
function byAttempt(): Keyed {
  const { deliveryId, number } = deliveryAttempts;
  return {
    key: sql`${deliveryId} || '.' || ${number}`,
    compare: (operator, read) =>
      sql`(${deliveryId}, ${number}) ${sql.raw(operator)} (split_part(${read}, '.', 1), coalesce(nullif(split_part(${read}, '.', 2), ''), '0')::int)`,
    order: [deliveryId, number],
  };
}

function column<const Place extends string, Table extends PgTable>(
  place: Place,
  table: Table,
  name: keyof Table['_']['columns'] & string,
  { key, compare, order }: Keyed,
  sealedFor: AnyPgColumn | SQL = key,
) {
  const sealed = getTableColumns(table)[name] as AnyPgColumn;
  return {
    place,
    list: async (db: Db, { keyId, after, limit }: Page): Promise<SealedRow[]> => {
      const { rows } = await db.execute<SealedRow & Record<string, unknown>>(sql`
        select ${key} as key, ${sealedFor} as "sealedFor", ${sealed} as sealed from ${table}
        where ${compare('>', after)} and ${isUnderOther(sealed, keyId)}
        order by ${sql.join(order, sql`, `)} limit ${limit}::int`);
      return rows;
    },
    replace: async (db: Db, row: SealedRow, replacement: string): Promise<boolean> => {
      const { rows } = await db.execute(sql`
        update ${table} set ${sql.identifier(sealed.name)} = ${replacement}
        where ${compare('=', row.key)} and ${sealed} = ${row.sealed} returning 1`);
      return rows.length > 0;
    },
  };
}

/** `SEALED` does not list these secrets, because one row can have several. */
export const listFormerSecrets = (db: Db, { keyId, after, limit }: Page) =>
  db
    .select({ platformId: webhookEndpoints.platformId, secrets: webhookEndpoints.previousSecrets })
    .from(webhookEndpoints)
    .where(
      and(
        gt(webhookEndpoints.platformId, after),
        sql`exists (select 1 from jsonb_array_elements(${webhookEndpoints.previousSecrets}) s
          where ${isUnderOther(sql`s ->> 'secret'`, keyId)})`,
      ),
    )
    .orderBy(asc(webhookEndpoints.platformId))
    .limit(limit);

export async function replaceFormerSecrets(
  db: Db,
  { platformId, from, to }: { platformId: string; from: FormerSecret[]; to: FormerSecret[] },
): Promise<boolean> {
  const replaced = await db
    .update(webhookEndpoints)
    .set({ previousSecrets: to })
    .where(
      and(
        eq(webhookEndpoints.platformId, platformId),
        sql`${webhookEndpoints.previousSecrets} = ${JSON.stringify(from)}::jsonb`,
      ),
    )
    .returning({ platformId: webhookEndpoints.platformId });
  return replaced.length > 0;
}

/**
 * Returns epoch ms: `bookingAt` of the oldest unfinished booking, move, cancellation or job, and `eventAt` of the
 * oldest undelivered event. Jobs and events of a suspended platform do not count.
 */
export async function findOldestUnfinished(db: Db) {
  const oldest = (from: typeof pendingOperations | typeof jobs | typeof deliveries) =>
    db.select({ at: sql<number | null>`min(${from.createdAt})`.mapWith(from.createdAt) }).from(from);
  const [[operation], [job], [event]] = await db.batch([
    oldest(pendingOperations).where(inArray(pendingOperations.kind, [...CHANGES])),
    oldest(jobs).where(sql`${jobs.status} = 'processing' and ${isActive(sql`${jobs.platformId}`)}`),
    oldest(deliveries).where(sql`${deliveries.status} = 'pending' and ${isActive(sql`${deliveries.platformId}`)}`),
  ]);
  const begun = [operation?.at, job?.at].filter((at) => typeof at === 'number');
  return { bookingAt: begun.length === 0 ? undefined : Math.min(...begun), eventAt: event?.at ?? undefined };
}
