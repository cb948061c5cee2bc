import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { userIdOf } from '../users/queries.ts';
import { users } from '../users/table.ts';
import { connections } from './table.ts';

/** Ids of the platforms the user of this address is connected with. */
export async function listConnectedPlatformIds(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .select({ platformId: connections.platformId })
    .from(connections)
    .innerJoin(users, eq(users.id, connections.userId))
    .where(and(eq(users.email, email), isNull(connections.disconnectedAt)));
  return rows.map(({ platformId }) => platformId);
}

/** Statement: the user of this address is connected with the platform from now on. */
export function upsertConnection(db: Db, input: { platformId: string; email: string; now: number }) {
  const { platformId, email, now } = input;
  const fresh = { connectedAt: now, lastUsedAt: now, disconnectedAt: null };
  return db
    .insert(connections)
    .values({ platformId, userId: userIdOf(email), ...fresh })
    .onConflictDoUpdate({ target: [connections.platformId, connections.userId], set: fresh });
}
