import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
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

/** Each holds one encrypted text. `replace` returns true if the row still had the text that was read. */
export const SEALED = {
  refreshTokens: column(calendarAccounts, calendarAccounts.userId, calendarAccounts.refreshToken, 'refreshToken'),
  accessTokens: column(calendarAccounts, calendarAccounts.userId, calendarAccounts.accessToken, 'accessToken'),
  calendars: column(calendarAccounts, calendarAccounts.userId, calendarAccounts.calendars, 'calendars'),
  revocations: column(revocations, revocations.providerId, revocations.token, 'token', revocations.userId),
  webhookSecrets: column(webhookEndpoints, webhookEndpoints.platformId, webhookEndpoints.secret, 'secret'),
  proposalTokens: column(proposals, proposals.id, proposals.token, 'token'),
  answers: answersOfAttempts(),
};

function column(
  table: typeof calendarAccounts | typeof revocations | typeof webhookEndpoints | typeof proposals,
  key: AnyPgColumn,
  sealed: AnyPgColumn,
  name: string,
  sealedFor: AnyPgColumn = key,
) {
  return {
    list: (db: Db, { keyId, after, limit }: Page): Promise<SealedRow[]> =>
      db
        .select({ key: sql<string>`${key}`, sealedFor: sql<string>`${sealedFor}`, sealed: sql<string>`${sealed}` })
        .from(table)
        .where(and(gt(key, after), isUnderOther(sealed, keyId)))
        .orderBy(asc(key))
        .limit(limit),
    replace: async (db: Db, row: SealedRow, by: string): Promise<boolean> => {
      const replaced = await db
        .update(table)
        .set({ [name]: by })
        .where(and(eq(key, row.key), eq(sealed, row.sealed)))
        .returning({ key: sql<string>`${key}` });
      return replaced.length > 0;
    },
  };
}

/** Returns the column of receivers' answers. An attempt has no id of its own, so `attemptKey` names its row. */
function answersOfAttempts(): ReturnType<typeof column> {
  const { deliveryId, number, answer } = deliveryAttempts;
  const key = sql<string>`${deliveryId} || '.' || ${number}`;
  const isAttempt = (name: string) =>
    sql`(${deliveryId}, ${number}) = (split_part(${name}, '.', 1), split_part(${name}, '.', 2)::int)`;
  return {
    list: (db, { keyId, after, limit }) =>
      db
        .select({ key, sealedFor: key, sealed: sql<string>`${answer}` })
        .from(deliveryAttempts)
        .where(
          and(
            sql`(${deliveryId}, ${number}) > (split_part(${after}, '.', 1), coalesce(nullif(split_part(${after}, '.', 2), ''), '0')::int)`,
            isUnderOther(answer, keyId),
          ),
        )
        .orderBy(asc(deliveryId), asc(number))
        .limit(limit),
    replace: async (db, row, by) => {
      const replaced = await db
        .update(deliveryAttempts)
        .set({ answer: by })
        .where(and(isAttempt(row.key), eq(answer, row.sealed)))
        .returning({ number });
      return replaced.length > 0;
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
 * oldest undelivered event. Work of a suspended platform does not count.
 */
export async function findOldestUnfinished(
  db: Db,
): Promise<{ bookingAt: number | undefined; eventAt: number | undefined }> {
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
