import { type ForConnected, insertAuditForConnected } from '../../../schema/access/audit-log.ts';
import { deleteSnapshotOf } from '../../../schema/access/busy-snapshots.ts';
import { closeAccount, isAccountHeldBy, leaseAccount } from '../../../schema/access/calendar-accounts.ts';
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
import { type Auditing, admitted, audited, auditRow, GOOGLE, insistOnCaller, SERVICE } from '../../kit/change.ts';
import type { Ctx } from '../../kit/context.ts';
import { KEPT_MS } from '../../kit/kept-for.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';

type When = Parameters<typeof leaseAccount>[1]['when'];

interface Ending {
  userId: string;
  email: string;
  providerId: string;
  reason: EventData<'user.calendar.disconnected'>['reason'];
  when: When;
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
