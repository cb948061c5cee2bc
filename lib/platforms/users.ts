import { countConnections, findConnectedUser, listConnectedUsers } from '../../schema/access/connections-list.ts';
import type { Place } from '../../schema/api/paging.ts';
import { placeOf } from '../calendars/connections.ts';
import type { Ctx } from '../kit/context.ts';
import { reconnectRequired, userNotFound } from '../kit/errors.ts';
import { type PageRequest, readPage, rowsToAsk } from '../kit/read-page.ts';
import { wholePreferences } from '../person/person.ts';

/** Largest number of people to load in one query, because each person's preferences can have tens of kilobytes. */
const AT_ONCE = 100;

/** Orders by connection, with full preferences. `total` counts the people on all pages. */
export async function listPlatformUsers(ctx: Ctx, platformId: string, { limit, after }: PageRequest) {
  const list = (page: { limit: number; after: Place | undefined }) =>
    listConnectedUsers(ctx.db, { platformId, ...page });
  const [first, [people]] = await ctx.db.batch([
    list({ limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after }),
    countConnections(ctx.db, { platformId }),
  ]);
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, placeOf, first }, list);
  return {
    users: rows.map((row) => ({ ...row, preferences: wholePreferences(row) })),
    total: people?.count ?? 0,
    next,
  };
}

/** Returns whether a person's calendar is connected to a platform. If not, `message` says why and what to do. */
export async function platformUserStatus(ctx: Ctx, { platformId, email }: { platformId: string; email: string }) {
  const user = await findConnectedUser(ctx.db, { platformId, email });
  if (user === undefined) return { isConnected: false, message: userNotFound(email).message } as const;
  if (user.status !== 'connected') return { isConnected: false, message: reconnectRequired(email).message } as const;
  return { isConnected: true, user: { ...user, preferences: wholePreferences(user) } } as const;
}
