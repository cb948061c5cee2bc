import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { unrevokedUserIdOf } from '../revocations/queries.ts';
import { calendarAccounts } from './table.ts';

interface Grant {
  email: string;
  providerId: string;
  refreshToken: string;
  accessToken: string;
  accessExpiresAt: number;
  scope: string;
  now: number;
}

/** Statement: keeps a fresh grant, tokens sealed; a need to consent again or a refresh under way is over. A grant that is being revoked is a null that fails the batch. */
export function saveGrant(db: Db, { email, now, ...grant }: Grant) {
  const connected = {
    ...grant,
    status: 'connected' as const,
    reauthorizationNeededSince: null,
    refreshOwner: null,
    refreshLeaseUntil: null,
    lastSyncAt: now,
    updatedAt: now,
  };
  return db
    .insert(calendarAccounts)
    .values({ userId: unrevokedUserIdOf(email), ...connected })
    .onConflictDoUpdate({
      target: calendarAccounts.userId,
      set: { ...connected, generation: sql`${calendarAccounts.generation} + 1` },
    });
}
