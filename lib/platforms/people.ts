import { selectPublishableKey } from '../../schema/access/api-keys-publishable.ts';
import { countConnections, listConnections } from '../../schema/access/connections-list.ts';
import type { Place } from '../../schema/api/paging.ts';
import { batch } from '../../schema/db.ts';
import { authorizeUrl } from '../calendars/authorize-url.ts';
import { placeOf } from '../calendars/connections.ts';
import { knownZone } from '../engine/time/zone.ts';
import type { Ctx } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';

/** Status of the calendars to list, undefined for all of them. */
type Status = 'connected' | 'needs_reauthorization' | undefined;

/** The oldest connection comes first, each with its status and a link to renew it. */
export async function searchPeople(
  ctx: Ctx,
  platformId: string,
  { limit, ...filter }: { limit: number; after: Place | undefined; search?: string | undefined; status?: Status },
) {
  const page = { ...filter, platformId, limit: limit + 1 };
  const found = await batch(ctx.db, {
    people: listConnections(ctx.db, page),
    counted: countConnections(ctx.db, { platformId }),
    key: selectPublishableKey(ctx.db, { platformId }),
  });
  const [key] = found.key;
  if (key === undefined) throw userGone();
  const rows = found.people.slice(0, limit);
  const last = found.people.length > limit ? rows.at(-1) : undefined;
  return {
    total: found.counted[0]?.count ?? 0,
    next: last && placeOf(last),
    people: rows.map((person) => ({
      ...person,
      timeZone: knownZone(person.timeZone),
      reconnectUrl: authorizeUrl(ctx, key.key, { email: person.email }),
    })),
  };
}

const SUGGESTED = 100;

/** Builds the statement that lists the people who connected to a platform first, for a field to suggest. */
export const selectSuggested = (ctx: Pick<Ctx, 'db'>, platformId: string) =>
  listConnections(ctx.db, { platformId, limit: SUGGESTED, after: undefined });

export type ConnectedPerson = Awaited<ReturnType<typeof searchPeople>>['people'][number];
