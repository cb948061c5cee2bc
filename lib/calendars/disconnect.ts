import { connectedWith, leftLast, lockAccount } from '../../schema/calendar-accounts/claim-queries.ts';
import { endConnection, findAccess, findConnectedUser, hasAccess } from '../../schema/connections/queries.ts';
import { batch } from '../../schema/db.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { insertEvent, publishDelivery } from '../webhooks/outbox.ts';
import { endConnections, endingOf } from './grants/end.ts';
import { revokeSoon } from './grants/revoke.ts';
import { disconnectedEvent } from './webhook-events.ts';

/**
 * Ends a person's connections with all platforms and revokes their grant (`interface.md`, DELETE /v1/calendars).
 * Throws `connection_not_found` when this platform has none. Meetings stay as they are.
 */
export async function disconnect(ctx: Ctx, { platformId, email }: { platformId: string; email: string }) {
  const found = await findConnectedUser(ctx.db, { platformId, email });
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

/**
 * A person ends one platform's access and no other's; that platform is told. With the last one the grant ends too and is
 * revoked. Nothing for a platform that has none (any more), or for an id that can be none.
 */
export async function endAccess(ctx: Ctx, { userId, platformId }: { userId: string; platformId: string }) {
  if (!/^[\w-]{1,64}$/.test(platformId)) return;
  const found = await findAccess(ctx.db, { userId, platformId });
  if (found === undefined) return;
  const now = ctx.clock.now();
  const { email, providerId } = found;
  const event = insertEvent(ctx, {
    platformId,
    type: 'user.calendar.disconnected',
    data: disconnectedEvent({ email, providerId, now, reason: 'user_requested' }),
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
