import type { Place } from '../../schema/api/paging.ts';
import { connectedWith, leftLast, lockAccount } from '../../schema/calendar-accounts/claim-queries.ts';
import {
  endConnection,
  findAccess,
  findConnection,
  hasAccess,
  listConnections,
  listUserConnections,
} from '../../schema/connections/queries.ts';
import { batch } from '../../schema/db.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { type PageRequest, readPage, rowsToAsk } from '../paging.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import { endConnections, endingOf } from './grants/end.ts';
import { revokeSoon } from './grants/revoke.ts';

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
      provider: 'google' as const,
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

/**
 * Ends a person's connections with all platforms and revokes their grant (`interface.md`, DELETE /v1/calendars).
 * Throws `connection_not_found` when this platform has none. Meetings stay as they are.
 */
export async function disconnect(ctx: Ctx, { platformId, email }: { platformId: string; email: string }) {
  const found = await findConnection(ctx.db, { platformId, email });
  if (found === undefined) throw connectionNotFound(email);
  const ended = await endConnections(ctx, {
    ...found,
    email,
    reason: 'user_requested',
    when: connectedWith(platformId),
  });
  if (!ended.includes(platformId)) throw connectionNotFound(email);
  await revokeSoon(ctx, found.userId);
}

/** The platforms that have access to a person's calendar, in order of their names. */
export const platformsWithAccess = async (ctx: Ctx, userId: string) =>
  (await listUserConnections(ctx.db, { userId })).filter(({ disconnectedAt }) => disconnectedAt === null);

/**
 * A person ends one platform's access and no other's; that platform is told. With the last one the grant ends too and is
 * revoked. Nothing for a platform that has none (any more).
 */
export async function endAccess(ctx: Ctx, { userId, platformId }: { userId: string; platformId: string }) {
  const found = await findAccess(ctx.db, { userId, platformId });
  if (found === undefined) return;
  const now = ctx.clock.now();
  const { email, providerId } = found;
  const event = insertEvent(ctx, {
    platformId,
    type: 'user.calendar.disconnected',
    data: {
      user_email: email,
      provider_id: providerId,
      disconnected_at: new Date(now).toISOString(),
      reason: 'user_requested',
    },
    guard: hasAccess({ userId, platformId }),
  });
  const last = leftLast({ userId, platformId, now });
  const { access } = await batch(ctx.db, {
    lock: lockAccount(ctx.db, userId),
    told: event.statement,
    access: endConnection(ctx.db, { userId, platformId, now }),
    ...endingOf(ctx, { userId, email, providerId, reason: 'user_requested', when: last }, now),
  });
  if (access.length === 0) return;
  ctx.later(publishDelivery(ctx, event.deliveryId));
  await revokeSoon(ctx, userId);
}

const connectionNotFound = (email: string) =>
  new AppError('connection_not_found', `${email} has no calendar connection with this platform.`);
