import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { connections } from '../tables/connections.ts';
import { isAccountHeldBy } from './calendar-accounts-lease.ts';
import { type Access, isAccess } from './connections-access.ts';

export function upsertConnection(db: Db, input: { platformId: string; userId: string; now: number }) {
  const { platformId, userId, now } = input;
  const fresh = { connectedAt: now, lastUsedAt: now, disconnectedAt: null };
  return db
    .insert(connections)
    .values({ platformId, userId, ...fresh })
    .onConflictDoUpdate({ target: [connections.platformId, connections.userId], set: fresh });
}

/** Returns the platform if it was connected. An earlier statement must have locked the account's row. */
export const endConnection = (db: Db, { now, ...access }: Access & { now: number }) =>
  db
    .update(connections)
    .set({ disconnectedAt: now })
    .where(isAccess(access))
    .returning({ platformId: connections.platformId });

/** Returns the platforms. Takes effect only if an earlier statement has reserved the account for `owner`. */
export const endConnectionsOf = (db: Db, input: { userId: string; owner: string; now: number }) =>
  db
    .update(connections)
    .set({ disconnectedAt: input.now })
    .where(
      and(
        eq(connections.userId, input.userId),
        isNull(connections.disconnectedAt),
        isAccountHeldBy(input.userId, input.owner),
      ),
    )
    .returning({ platformId: connections.platformId });
