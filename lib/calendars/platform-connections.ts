import { listConnections } from '../../schema/connections/queries.ts';
import type { Ctx } from '../context.ts';

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
