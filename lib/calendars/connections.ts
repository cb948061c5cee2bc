import { connectedWith } from '../../schema/calendar-accounts/claim-queries.ts';
import { findConnection, listConnections } from '../../schema/connections/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { endConnections } from './grants/end.ts';
import { revokeGrants } from './grants/revoke.ts';

/** A platform's calendar connections, oldest first (`interface.md`, GET /v1/calendars). */
export async function platformConnections(ctx: Ctx, platformId: string) {
  const rows = await listConnections(ctx.db, { platformId });
  return rows.map((row) => ({
    email: row.email,
    providerId: row.providerId,
    provider: 'google' as const,
    status: row.status,
    connectedAt: new Date(row.connectedAt).toISOString(),
    lastUsedAt: new Date(row.lastUsedAt).toISOString(),
    onboardingCompleted: row.onboardingCompleted,
    timeZone: row.preferences.timezone ?? row.calendarTimeZone,
  }));
}

/** How long the answer waits for the provider; the sweep carries on where it gave up. */
const PATIENCE_MS = 2_000;

/**
 * Ends a person's connections with all platforms and revokes their grant (`interface.md`, DELETE /v1/calendars).
 * Throws `connection_not_found` when this platform has none. Meetings stay as they are.
 */
export async function disconnect(ctx: Ctx, { platformId, email }: { platformId: string; email: string }) {
  const found = await findConnection(ctx.db, { platformId, email });
  if (found === undefined) throw connectionNotFound(email);
  const ended = await endConnections(ctx, {
    ...found,
    email,
    reason: 'user_requested',
    when: connectedWith(platformId),
  });
  if (!ended.includes(platformId)) throw connectionNotFound(email);
  const revoking = revokeGrants(ctx, { userId: found.userId });
  ctx.later(revoking);
  await Promise.race([revoking.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

const connectionNotFound = (email: string) =>
  new AppError('connection_not_found', `${email} has no calendar connection with this platform.`);
