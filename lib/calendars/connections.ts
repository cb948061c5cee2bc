import { listConnections } from '../../schema/access/connections-list.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import type { Place } from '../../schema/api/paging.ts';
import type { Ctx } from '../kit/context.ts';
import { type PageRequest, readPage, rowsToAsk } from '../kit/read-page.ts';

const AT_ONCE = 1_000;

/** Serves `GET /v1/calendars`, oldest first. */
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
      timeZone: row.timeZone,
    })),
    next: next && placeOf(next),
  };
}

/** Returns a connection's position in its platform's list, from which the next page continues. */
export const placeOf = ({ connectedAt, userId }: { connectedAt: number; userId: string }): Place => ({
  at: connectedAt,
  id: userId,
});
