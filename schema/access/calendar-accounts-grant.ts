import { sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { orRefuse } from '../refusals.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { unlessChanged } from './calendar-accounts-blocking.ts';
import { type EndedGrant, unrevokedUserId } from './revocations.ts';

interface Grant {
  userId: string;
  providerId: string;
  refreshToken: string;
  accessToken: string;
  accessExpiresAt: number;
  scope: string;
  /**
   * `calendars` is encrypted, and `marks` has a hash for each. `former` is what was stored before, null if nothing was.
   */
  blocking: { calendars: string; marks: string[]; former: string | null };
  consent: Consent;
  now: number;
}

/** `ended` is the former grant of the same address, if it had already been revoked at the consent's start. */
export interface Consent {
  id: string;
  begunAt: number;
  ended: EndedGrant | undefined;
}

/**
 * The account then needs no further consent, a running refresh of its former tokens is void, and this consent is no
 * longer in progress. Fails as `not_connected` if the grant is being revoked or was since the consent began, or if it
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
