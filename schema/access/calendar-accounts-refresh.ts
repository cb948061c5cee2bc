import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { pick } from '../columns.ts';
import { type Db, orRefuse } from '../db.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { unlessChanged } from './calendar-accounts.ts';
import { type EndedGrant, unrevokedUserId } from './revocations.ts';

export async function findTokens(db: Db, { userId }: { userId: string }) {
  const [row] = await db
    .select({ ...pick(calendarAccounts, 'status', 'accessToken', 'accessExpiresAt') })
    .from(calendarAccounts)
    .where(eq(calendarAccounts.userId, userId));
  return row;
}

/**
 * Succeeds for only one of many concurrent callers, and only if the stored access token is still `seen`, the one that
 * the caller read. Returns the encrypted refresh token, or undefined if another is refreshing or has refreshed it.
 */
export async function leaseRefresh(
  db: Db,
  of: { userId: string; seen: string | null; owner: string; now: number; leaseUntil: number },
) {
  const [row] = await db
    .update(calendarAccounts)
    .set({ refreshOwner: of.owner, refreshLeaseUntil: of.leaseUntil })
    .where(
      and(
        eq(calendarAccounts.userId, of.userId),
        eq(calendarAccounts.status, 'connected'),
        sql`${calendarAccounts.accessToken} is not distinct from ${of.seen}`,
        or(isNull(calendarAccounts.refreshLeaseUntil), lt(calendarAccounts.refreshLeaseUntil, of.now)),
      ),
    )
    .returning({ refreshToken: calendarAccounts.refreshToken, providerId: calendarAccounts.providerId });
  return row;
}

/** The refresh token stays if the provider sent no new one. */
interface Tokens {
  accessToken: string;
  accessExpiresAt: number;
  refreshToken: string | undefined;
}

const isRefreshedBy = ({ userId, owner }: { userId: string; owner: string }) =>
  and(eq(calendarAccounts.userId, userId), eq(calendarAccounts.refreshOwner, owner));

/** Does nothing if another caller has taken over the refresh meanwhile. */
export const saveRefresh = (
  db: Db,
  { userId, owner, now, ...tokens }: { userId: string; owner: string; now: number } & Tokens,
) =>
  db
    .update(calendarAccounts)
    .set({ ...tokens, refreshOwner: null, refreshLeaseUntil: null, updatedAt: now })
    .where(isRefreshedBy({ userId, owner }));

export const releaseRefresh = (db: Db, lease: { userId: string; owner: string }) =>
  db.update(calendarAccounts).set({ refreshOwner: null, refreshLeaseUntil: null }).where(isRefreshedBy(lease));

interface Grant {
  userId: string;
  providerId: string;
  refreshToken: string;
  accessToken: string;
  accessExpiresAt: number;
  scope: string;
  /** `calendars` is encrypted, and `marks` has a hash for each. `former` is what was stored before, or null. */
  blocking: { calendars: string; marks: string[]; former: string | null };
  consent: Consent;
  now: number;
}

/** `ended` is the former grant of the same address, if it had already been revoked at the consent's start. */
export type Consent = { id: string; begunAt: number; ended: EndedGrant | undefined };

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
