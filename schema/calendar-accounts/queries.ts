import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { unrevokedUserId } from '../revocations/queries.ts';
import { calendarAccounts } from './table.ts';

interface Grant {
  userId: string;
  providerId: string;
  refreshToken: string;
  accessToken: string;
  accessExpiresAt: number;
  scope: string;
  now: number;
}

/**
 * Statement: keeps a fresh grant, tokens sealed; a need to consent again or a refresh under way is over. A grant that is
 * being revoked, and one of another account than the user has, is a null that fails the batch.
 */
export function saveGrant(db: Db, { userId, now, ...grant }: Grant) {
  const connected = {
    ...grant,
    status: 'connected' as const,
    reauthorizationNeededSince: null,
    refreshOwner: null,
    refreshLeaseUntil: null,
    updatedAt: now,
  };
  return db
    .insert(calendarAccounts)
    .values({ userId: unrevokedUserId(userId, grant.providerId), ...connected })
    .onConflictDoUpdate({
      target: calendarAccounts.userId,
      set: { ...connected, generation: sql`${calendarAccounts.generation} + 1` },
    });
}
