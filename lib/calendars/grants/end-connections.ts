import { type ForConnected, insertAuditForConnected } from '../../../schema/access/audit-log.ts';
import { deleteSnapshotOf } from '../../../schema/access/busy-snapshots.ts';
import {
  closeAccount,
  isAccountHeldBy,
  leaseAccount,
  listOverdueReauthorizations,
  needsReauthorizationSince,
  refreshedBy,
  requireReauthorization,
} from '../../../schema/access/calendar-accounts.ts';
import { endConnectionsOf } from '../../../schema/access/connections.ts';
import { insertRevocation } from '../../../schema/access/revocations.ts';
import { lockUser } from '../../../schema/access/users.ts';
import { deleteChannelsOf } from '../../../schema/access/watch-channels.ts';
import type { EventData } from '../../../schema/api/webhook-events.ts';
import { batch } from '../../../schema/db.ts';
import { freeMeetings } from '../../../schema/meetings/holds.ts';
import {
  endProposals,
  isIdle,
  isLostAt,
  isProposalOf,
  lockOpenProposals,
} from '../../../schema/meetings/proposals-end.ts';
import { DAY } from '../../engine/time/dates.ts';
import { type Auditing, admitted, audited, auditRow, GOOGLE, insistOnCaller, SERVICE } from '../../kit/change.ts';
import type { Ctx } from '../../kit/context.ts';
import { KEPT_MS } from '../../kit/kept-for.ts';
import { workOff } from '../../kit/work-off.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { authorizeUrl } from '../authorize-url.ts';

interface Ending {
  userId: string;
  email: string;
  providerId: string;
  reason: EventData<'user.calendar.disconnected'>['reason'];
  when: Parameters<typeof leaseAccount>[1]['when'];
  /** Platform that asked for it; undefined if the person, an operator, Google or Tandem ends the grant. */
  by?: string | undefined;
}

/**
 * Runs in one transaction, if the SQL condition `when` holds: every platform gets an event, the tokens are deleted, and
 * a revocation is queued. Returns the ids of the platforms that were connected.
 */
export async function endConnections(ctx: Ctx, ending: Ending): Promise<string[]> {
  const asked = ending.by !== undefined && insistOnCaller(ctx, ending.by);
  const { disconnected, ended } = await admitted(
    batch(ctx.db, { ...asked, ...endingOf(ctx, ending, ctx.clock.now()) }),
  );
  publishAll(ctx, disconnected);
  return ended.map(({ platformId }) => platformId);
}

/**
 * Platforms that did not ask for the end get the same row whether another platform asked, the person ended this access
 * alone, or they deleted their account. Otherwise a platform would learn that there is another.
 */
export function auditEnding(
  ctx: Auditing,
  { reason, now, ...of }: ForConnected & Pick<Ending, 'reason'> & { now: number },
) {
  const { actor } = ctx;
  const ours = actor.kind === 'operator' ? actor : SERVICE;
  const change = { ...of, action: 'person.disconnected' as const, details: { reason } };
  return insertAuditForConnected(ctx.db, { ...auditRow(ctx, change, reason === 'revoked' ? GOOGLE : ours), now });
}

/**
 * Returns statements for the caller's batch, which also end the open proposals on each platform and free the time that
 * meetings there took. They lock the person first, as an erasure does, and every batch that writes a meeting keeps its
 * people from that: a meeting is written before the access ends, or sees its end.
 */
export function endingOf(ctx: Auditing, { userId, email, providerId, reason, when, by }: Ending, now: number) {
  const owner = ctx.ids.id('end_');
  const lease = { userId, owner, now };
  return {
    leased: leaseAccount(ctx.db, { userId, owner, when }),
    kept: lockUser(ctx.db, userId),
    proposals: lockOpenProposals(ctx.db, isProposalOf(userId)),
    disconnected: insertEventForConnected(ctx, {
      userId,
      type: 'user.calendar.disconnected',
      now,
      event: () => ({ email, providerId, at: now, reason }),
      guard: isAccountHeldBy(userId, owner),
    }),
    ...(by !== undefined && {
      askedAudited: audited(ctx, {
        ...{ userId, platformId: by, action: 'person.disconnected', details: { reason } },
        guard: isAccountHeldBy(userId, owner),
      }),
    }),
    endingAudited: auditEnding(ctx, { userId, reason, now, except: by, guard: isAccountHeldBy(userId, owner) }),
    revocation: insertRevocation(ctx.db, lease),
    forgotten: deleteSnapshotOf(ctx.db, lease),
    unwatched: deleteChannelsOf(ctx.db, lease),
    ended: endConnectionsOf(ctx.db, lease),
    freed: freeMeetings(ctx.db, { userId, since: now - KEPT_MS.holds }),
    proposalsEnded: endProposals(ctx.db, { which: isIdle(isLostAt({ userId, now })), now }),
    closed: closeAccount(ctx.db, lease),
  };
}

export const REAUTHORIZE_WITHIN_MS = 7 * DAY;

const REFRESH_FAILED = {
  reason: 'user_revoked_or_expired',
  possibleCauses: [
    'The person removed access in their Google account.',
    'The person changed their Google password.',
    'Tandem did not use the access for six months.',
    "An administrator of the person's organization removed access.",
  ],
  suggestedUserMessage:
    'Your calendar is no longer connected. Please connect your calendar again to keep scheduling meetings.',
};

interface Refused {
  id: string;
  email: string;
  providerId: string;
  /** If another request has leased the refresh since this one, the refusal is stale and ends nothing. */
  owner: string;
  /** A rejection before the token's expiry shows that the person revoked the grant. */
  isRevoked: boolean;
}

/**
 * If the person revoked the grant, ends all their connections, and otherwise marks them as having to consent again.
 * Every platform gets one event.
 */
export async function endGrant(ctx: Ctx, { id: userId, email, providerId, owner, isRevoked }: Refused): Promise<void> {
  const when = refreshedBy(owner);
  if (isRevoked) {
    await endConnections(ctx, { userId, email, providerId, reason: 'revoked', when });
    return;
  }
  const now = ctx.clock.now();
  const lease = { userId, owner: ctx.ids.id('lease_'), now };
  const [, deliveries] = await ctx.db.batch([
    leaseAccount(ctx.db, { ...lease, when }),
    insertEventForConnected(ctx, {
      userId,
      type: 'user.calendar.refresh_failed',
      now,
      event: ({ publishableKey }) => ({
        ...REFRESH_FAILED,
        email,
        providerId,
        at: now,
        oauthUrl: authorizeUrl(ctx, publishableKey, { email }),
      }),
      guard: isAccountHeldBy(userId, lease.owner),
    }),
    requireReauthorization(ctx.db, lease),
  ]);
  publishAll(ctx, deliveries);
}

/** People have seven days after they are asked to consent again. Those who were asked first come first. */
export async function endOverdueReauthorizations(ctx: Ctx, until: number): Promise<void> {
  const latest = ctx.clock.now() - REAUTHORIZE_WITHIN_MS;
  const when = needsReauthorizationSince(latest);
  const tried: string[] = [];
  await workOff(ctx, {
    until,
    list: ({ limit }) => listOverdueReauthorizations(ctx.db, { latest, limit, except: tried }),
    tenantOf: ({ userId }) => userId,
    async run(account) {
      tried.push(account.userId);
      await endConnections(ctx, { ...account, reason: 'token_expired', when });
    },
  });
}
