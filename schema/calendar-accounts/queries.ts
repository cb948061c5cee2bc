import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { type EndedGrant, unrevokedUserId } from '../revocations/queries.ts';
import { unlessChanged } from './blocking-queries.ts';
import { calendarAccounts } from './table.ts';

interface Grant {
  userId: string;
  providerId: string;
  refreshToken: string;
  accessToken: string;
  accessExpiresAt: number;
  scope: string;
  /** Which calendars block, and what they were found to be before. */
  blocking: { calendars: string; marks: string[]; former: string | null };
  consent: Consent;
  now: number;
}

/** A consent under way, since when, and what had ended by then: before what it brings was given. */
export interface Consent {
  id: string;
  begunAt: number;
  ended: EndedGrant | undefined;
}

/**
 * Statement: keeps a fresh grant, tokens sealed; a need to consent again or a refresh under way is over, and so is this consent, but no
 * other. A grant that is being revoked or was since the consent began, and one of another account than the user has, is a null that fails the batch.
 */
export function saveGrant(db: Db, { userId, now, consent, blocking: { former, ...blocking }, ...grant }: Grant) {
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
    .values({
      userId: unrevokedUserId(userId, grant.providerId, { now, since: consent.begunAt, ended: consent.ended }),
      calendars: blocking.calendars,
      calendarMarks: blocking.marks,
      ...connected,
    })
    .onConflictDoUpdate({
      target: calendarAccounts.userId,
      set: {
        ...connected,
        ...unlessChanged(blocking, former),
        consents: sql`${calendarAccounts.consents} - ${consent.id}::text`,
        generation: sql`${calendarAccounts.generation} + 1`,
      },
    });
}
