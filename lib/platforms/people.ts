import { selectPublishableKey } from '../../schema/access/api-keys.ts';
import * as connectionRows from '../../schema/access/connections.ts';
import type { Rows } from '../../schema/api/paging.ts';
import { batch } from '../../schema/db.ts';
import { listDeliveriesOfPerson } from '../../schema/delivery/deliveries-log.ts';
import { listUserMeetings } from '../../schema/meetings/list.ts';
import { authorizeUrl } from '../calendars/authorize-url.ts';
import { placeOf } from '../calendars/disconnect.ts';
import { knownZone } from '../engine/time/zone.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { reconnectRequired, userGone, userNotFound } from '../kit/errors.ts';
import { type PageRequest, pageOf, readPage, rowsToAsk } from '../kit/read-page.ts';
import { sayRule } from '../learning/ledger.ts';
import { wholePreferences } from '../person/person.ts';

/** The oldest connection comes first, each with its status and a link to renew it. */
export async function searchPeople(
  ctx: Ctx,
  platformId: string,
  { limit, ...filter }: Omit<Parameters<typeof connectionRows.listConnections>[1], 'platformId'>,
) {
  const page = { ...filter, platformId, limit: limit + 1 };
  const found = await batch(ctx.db, {
    people: connectionRows.listConnections(ctx.db, page),
    counted: connectionRows.countConnections(ctx.db, { platformId }),
    key: selectPublishableKey(ctx.db, { platformId }),
  });
  const [key] = found.key;
  if (key === undefined) throw userGone();
  const { rows, next } = pageOf(found.people, limit, placeOf);
  return {
    total: found.counted[0]?.count ?? 0,
    next,
    people: rows.map((person) => ({
      ...person,
      timeZone: knownZone(person.timeZone),
      reconnectUrl: authorizeUrl(ctx, key.key, { email: person.email }),
    })),
  };
}

const SUGGESTED = 100;

export const selectSuggested = (ctx: Pick<Ctx, 'db'>, platformId: string) =>
  connectionRows.listConnections(ctx.db, { platformId, limit: SUGGESTED, after: undefined });

export type ConnectedPerson = Awaited<ReturnType<typeof searchPeople>>['people'][number];

/** Largest number of people to load in one query, because each person's preferences can have tens of kilobytes. */
const AT_ONCE = 100;

/** Orders by connection, with full preferences. `total` counts the people on all pages. */
export async function listPlatformUsers(ctx: Ctx, platformId: string, { limit, after }: PageRequest) {
  const list = (page: Rows) => connectionRows.listConnectedUsers(ctx.db, { platformId, ...page });
  const [first, [people]] = await ctx.db.batch([
    list({ limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after }),
    connectionRows.countConnections(ctx.db, { platformId }),
  ]);
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, placeOf, first }, list);
  return {
    users: rows.map((row) => ({ ...row, preferences: wholePreferences(row) })),
    total: people?.count ?? 0,
    next,
  };
}

export async function platformUserStatus(ctx: Ctx, { platformId, email }: { platformId: string; email: string }) {
  const user = await connectionRows.findConnectedUser(ctx.db, { platformId, email });
  if (user === undefined) return { isConnected: false, message: userNotFound(email).message } as const;
  if (user.status !== 'connected') return { isConnected: false, message: reconnectRequired(email).message } as const;
  return { isConnected: true, user: { ...user, preferences: wholePreferences(user) } } as const;
}

const MEETINGS = 10;

/** Shows what a platform may know. `person` is undefined if they are not connected to it. */
export async function readPerson(ctx: Ctx, { id: platformId }: PlatformRef, email: string) {
  const { people, keys, meetings, deliveries } = await batch(ctx.db, {
    people: connectionRows.selectConnection(ctx.db, { platformId, email }),
    keys: selectPublishableKey(ctx.db, { platformId }),
    meetings: listUserMeetings(ctx.db, {
      ...{ platformId, email, from: ctx.clock.now(), limit: MEETINGS, after: undefined },
    }),
    deliveries: listDeliveriesOfPerson(ctx.db, { platformId, email }),
  });
  const [[row], [key]] = [people, keys];
  if (key === undefined) throw userGone();
  return {
    email,
    person: row && {
      ...row,
      timeZone: knownZone(row.timeZone),
      preferences: wholePreferences(row),
      rules: row.rules.map(sayRule),
    },
    meetings,
    deliveries,
    connectUrl: authorizeUrl(ctx, key.key, { email }),
  };
}

export type PersonLife = Awaited<ReturnType<typeof readPerson>>;
