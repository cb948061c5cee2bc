import {
  isAccountHeldBy,
  leaseAccount,
  listOverdueReauthorizations,
  needsReauthorizationSince,
  refreshedBy,
  requireReauthorization,
} from '../../../schema/calendar-accounts/lease-queries.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { workOff } from '../../kit/work-off.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { authorizeUrl } from '../authorize-url.ts';
import { endConnections } from './end-connections.ts';
import { REFRESH_FAILED } from './refresh-failed-event.ts';

const REAUTHORIZE_WITHIN_MS = 7 * DAY;

interface Refused {
  id: string;
  email: string;
  providerId: string;
  /**
   * Owner of the lease on the calendar account, under which the provider refused to refresh the token. If another
   * request holds the lease by now, the refusal is stale.
   */
  owner: string;
  /** True if the provider also rejected an access token that had not yet expired. */
  isRevoked: boolean;
}

/**
 * Ends a grant that the provider no longer honors: the person revoked it, or must consent again. Every platform gets
 * one event.
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
      event: (publishableKey) => ({
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

/**
 * Ends the connections of people who were asked to consent again and did not do so within seven days. The people who
 * were asked first come first.
 */
export async function endOverdueReauthorizations(ctx: Ctx, until: number): Promise<void> {
  const latest = ctx.clock.now() - REAUTHORIZE_WITHIN_MS;
  const when = needsReauthorizationSince(latest);
  const tried: string[] = [];
  await workOff(ctx, {
    until,
    atOnce: 1,
    perTenant: 1,
    list: ({ limit }) => listOverdueReauthorizations(ctx.db, { latest, limit, except: tried }),
    tenantOf: ({ userId }) => userId,
    async run(account) {
      tried.push(account.userId);
      await endConnections(ctx, { ...account, reason: 'token_expired', when });
    },
  });
}
