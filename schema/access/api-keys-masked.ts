import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { users } from '../tables/users.ts';
import { replacedAt } from './api-keys-replace.ts';

const secretOf = (platformId: string) => and(eq(apiKeys.platformId, platformId), eq(apiKeys.kind, 'secret'));

/** The dashboard may show the masked form any number of times. */
export const findMaskedKey = (db: Db, { platformId }: { platformId: string }) =>
  db
    .select({ masked: apiKeys.masked, createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .where(and(secretOf(platformId), isNull(apiKeys.revokedAt)));

/** These replaced keys still work for some hours. The one that stops working first comes first. */
export const listKeptKeys = (db: Db, { platformId, now }: { platformId: string; now: number }) =>
  db
    .select({ masked: apiKeys.masked, until: sql`${apiKeys.revokedAt}`.mapWith(apiKeys.createdAt) })
    .from(apiKeys)
    .where(and(secretOf(platformId), sql`${apiKeys.revokedAt} > ${at(now)}`))
    .orderBy(asc(apiKeys.revokedAt));

export const listUserKeys = (db: Db, userId: string) =>
  db
    .select({
      masked: apiKeys.masked,
      agentHost: apiKeys.agentHost,
      createdAt: apiKeys.createdAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(desc(apiKeys.createdAt), asc(apiKeys.hash));

/** Has the time of the last replacement. Returns no row for a deleted user. */
export const selectUserKey = (db: Db, userId: string) =>
  db
    .select({
      masked: apiKeys.masked,
      createdAt: apiKeys.createdAt,
      replacedAt: replacedAt('user_id', userId).mapWith(apiKeys.createdAt),
    })
    .from(users)
    .leftJoin(apiKeys, and(eq(apiKeys.userId, users.id), isNull(apiKeys.revokedAt)))
    .where(and(eq(users.id, userId), isNull(users.endedAt)));
