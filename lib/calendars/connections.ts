import { listConnections } from '../../schema/access/connections-list.ts';
import type { Place } from '../../schema/api/paging.ts';
import type { Ctx } from '../kit/context.ts';
import { type PageRequest, readPage } from '../kit/read-page.ts';

/** Serves `GET /v1/calendars`, oldest first. */
export async function platformConnections(ctx: Ctx, platformId: string, asked: PageRequest) {
  const { rows: connections, next } = await readPage({ ...asked, placeOf }, (page) =>
    listConnections(ctx.db, { platformId, ...page }),
  );
  return { connections, next };
}

/** Returns a connection's position in its platform's list, from which the next page continues. */
export const placeOf = ({ connectedAt, userId }: { connectedAt: number; userId: string }): Place => ({
  at: connectedAt,
  id: userId,
});
