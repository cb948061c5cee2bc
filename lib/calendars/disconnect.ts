import { leftLast, lockAccount } from '../../schema/access/calendar-accounts.ts';
import {
  type Access,
  endConnection,
  findAccess,
  findConnectedUser,
  hasAccess,
  listConnections,
} from '../../schema/access/connections.ts';
import { insistOnWorking } from '../../schema/access/sessions.ts';
import { findUserStatus, lockUser } from '../../schema/access/users.ts';
import type { Place } from '../../schema/api/paging.ts';
import { batch } from '../../schema/db.ts';
import { isProposalOf, lockOpenProposals } from '../../schema/meetings/proposals-end.ts';
import { type Auditing, admitted } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import { type PageRequest, readPage } from '../kit/read-page.ts';
import { insertEvent, publishEvents } from '../webhooks/outbox.ts';
import { auditEnding, endConnections, endingOf } from './grants/end-connections.ts';
import { revokeSoon } from './grants/revoke.ts';

/**
 * Serves `DELETE /v1/calendars/{email}`: ends all connections and revokes the grant. Meetings stay as they are. Throws
 * `connection_not_found` if the platform that asks has no connection with the person, or another than `connectedAt`.
 */
export async function disconnect(
  ctx: Ctx,
  { platformId, email, connectedAt }: { platformId: string; email: string; connectedAt?: string },
) {
  const found = await findConnectedUser(ctx.db, { platformId, email });
  if (found === undefined) throw connectionNotFound(email);
  if (connectedAt !== undefined && connectedAt !== String(found.connectedAt))
    throw new AppError(
      'connection_not_found',
      `${email} connected again after you opened the page. Open it again if you still want to disconnect them.`,
    );
  const ended = await endConnections(ctx, {
    ...found,
    email,
    reason: 'user_requested',
    when: hasAccess({ ...found, platformId, connectedAt: connectedAt === undefined ? undefined : found.connectedAt }),
    by: platformId,
  });
  if (!ended.includes(platformId)) throw connectionNotFound(email);
  await revokeSoon(ctx, found.userId);
}

export const connectedSince = async (ctx: Ctx, asked: { platformId: string; email: string }) =>
  (await findConnectedUser(ctx.db, asked))?.connectedAt;

/** Undefined if the connection has not ended, or never was. */
export const disconnectedAt = async (
  ctx: Ctx,
  { platformId, email }: { platformId: string; email: string },
): Promise<number | undefined> => (await findUserStatus(ctx.db, { platformId, email }))?.disconnectedAt ?? undefined;

/**
 * Sends the platform an event. Ends and revokes the grant too if no other platform has access. Does nothing without
 * access, or for a malformed id.
 */
export async function endAccess(ctx: Ctx, access: Access) {
  const ended = await commitEndOfAccess(ctx, access);
  if (ended === undefined) return;
  publishEvents(ctx, ended);
  await revokeSoon(ctx, access.userId);
}

/**
 * Calls no outside service: the sweep then sends the event, and revokes the grant if no platform needs it any more.
 * Returns undefined if the platform has no access.
 */
export async function commitEndOfAccess(ctx: Auditing, access: Access): Promise<{ deliveryId: string } | undefined> {
  const { userId, platformId } = access;
  if (!/^[\w-]{1,64}$/.test(platformId)) return undefined;
  const found = await findAccess(ctx.db, access);
  if (found === undefined) return undefined;
  const now = ctx.clock.now();
  const { email, providerId } = found;
  const facts = { platformId, email, providerId, at: now, reason: 'user_requested' } as const;
  const event = insertEvent(ctx, 'user.calendar.disconnected', facts, hasAccess(access));
  const last = leftLast({ userId, platformId, now });
  const statements = {
    lock: lockAccount(ctx.db, userId),
    person: lockUser(ctx.db, userId),
    works: insistOnWorking(ctx.db, { credential: ctx.actor.credential, now }),
    held: lockOpenProposals(ctx.db, isProposalOf(userId)),
    told: event.statement,
    accessAudited: auditEnding(ctx, {
      userId,
      reason: 'user_requested',
      now,
      only: platformId,
      guard: hasAccess(access),
    }),
    connection: endConnection(ctx.db, { ...access, now }),
    ...endingOf(ctx, { userId, email, providerId, reason: 'user_requested', when: last }, now),
  };
  const { connection } = await admitted(batch(ctx.db, statements));
  return connection.length === 0 ? undefined : { deliveryId: event.deliveryId };
}

const connectionNotFound = (email: string) =>
  new AppError(
    'connection_not_found',
    `${email} has no calendar connected to this platform, so there is nothing to disconnect. GET /v1/calendars lists your connections.`,
  );

/** Serves `GET /v1/calendars`, oldest first. */
export const platformConnections = (ctx: Ctx, platformId: string, asked: PageRequest) =>
  readPage({ ...asked, placeOf }, (page) => listConnections(ctx.db, { platformId, ...page }));

export const placeOf = ({ connectedAt, userId }: { connectedAt: number; userId: string }): Place => ({
  at: connectedAt,
  id: userId,
});
