import type { Place } from '../../schema/api/paging.ts';
import { countConnections, findConnectedUser, listConnectedUsers } from '../../schema/connections/queries.ts';
import { placeOf } from '../calendars/connections.ts';
import type { Ctx } from '../context.ts';
import { type PageRequest, readPage, rowsToAsk } from '../read-page.ts';
import { wholePreferences } from '../users/person.ts';

/** Preferences can have some tens of kilobytes each. */
const AT_ONCE = 100;

/** The people connected with a platform, as they connected, with their preferences whole; `total` counts all. */
export async function listPlatformUsers(ctx: Ctx, platformId: string, { limit, after }: PageRequest) {
  const list = (page: { limit: number; after: Place | undefined }) =>
    listConnectedUsers(ctx.db, { platformId, ...page });
  const [first, [people]] = await ctx.db.batch([
    list({ limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after }),
    countConnections(ctx.db, { platformId }),
  ]);
  const page = await readPage({ limit, atOnce: AT_ONCE, first }, (last, rows) =>
    list({ limit: rows, after: placeOf(last) }),
  );
  return {
    users: page.rows.map((row) => ({ ...row, preferences: wholePreferences(row) })),
    total: people?.count ?? 0,
    next: page.next && placeOf(page.next),
  };
}

/** How a person's calendar stands with a platform: connected, or why not, in a sentence. */
export async function platformUserStatus(ctx: Ctx, { platformId, email }: { platformId: string; email: string }) {
  const user = await findConnectedUser(ctx.db, { platformId, email });
  const link = 'Send them the link of GET /v1/platform/oauth-url.';
  if (user === undefined)
    return {
      isConnected: false,
      message: `${email} has not connected a calendar with this platform. ${link}`,
    } as const;
  if (user.status !== 'connected')
    return {
      isConnected: false,
      message: `${email} must connect their calendar again: the grant has ended. ${link}`,
    } as const;
  return { isConnected: true, user: { ...user, preferences: wholePreferences(user) } } as const;
}
