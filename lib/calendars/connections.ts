import { PROVIDER } from '../../schema/api/fields.ts';
import type { Place } from '../../schema/api/paging.ts';
import { listConnections } from '../../schema/connections/queries.ts';
import type { Ctx } from '../context.ts';
import { type PageRequest, readPage, rowsToAsk } from '../read-page.ts';

const AT_ONCE = 1_000;

/** A platform's calendar connections, oldest first (`interface.md`, GET /v1/calendars). */
export async function platformConnections(ctx: Ctx, platformId: string, { limit, after }: PageRequest) {
  const list = (page: { limit: number; after: Place | undefined }) => listConnections(ctx.db, { platformId, ...page });
  const first = await list({ limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after });
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    list({ limit: more, after: placeOf(last) }),
  );
  return {
    connections: rows.map((row) => ({
      email: row.email,
      providerId: row.providerId,
      provider: PROVIDER,
      status: row.status,
      connectedAt: new Date(row.connectedAt).toISOString(),
      lastUsedAt: new Date(row.lastUsedAt).toISOString(),
      onboardingCompleted: row.onboardingCompleted,
      timeZone: row.setTimeZone ?? row.calendarTimeZone,
    })),
    next: next && placeOf(next),
  };
}

/** Where a connection stands in the list of its platform's. */
export const placeOf = ({ connectedAt, userId }: { connectedAt: number; userId: string }): Place => ({
  at: connectedAt,
  id: userId,
});
