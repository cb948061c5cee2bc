import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { orRefuse } from '../refusals.ts';
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
  /**
   * Calendars that block the person's time, encrypted, with an anonymous mark for each. `former` is the encrypted list
   * that was stored before.
   */
  blocking: { calendars: string; marks: string[]; former: string | null };
  consent: Consent;
  now: number;
}

/** Consent in progress, the time at which it began, and the account's grant that had already ended by then. */
export interface Consent {
  id: string;
  begunAt: number;
  ended: EndedGrant | undefined;
}

/**
 * Builds a statement that stores a new calendar grant with encrypted tokens. It clears a required reauthorization and a
 * running token refresh, and removes this consent but no other from the account's consents in progress. It refuses the
 * batch as `not_connected` in two cases: the grant is being revoked or was revoked since the consent began, or it
 * belongs to another account than the user's.
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
      userId: orRefuse(
        unrevokedUserId(userId, grant.providerId, { now, since: consent.begunAt, ended: consent.ended }),
        'not_connected',
      ),
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
