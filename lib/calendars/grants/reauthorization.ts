import {
  isAccountHeldBy,
  leaseAccount,
  listOverdueReauthorizations,
  needsReauthorizationSince,
  refreshedBy,
  requireReauthorization,
} from '../../../schema/access/calendar-accounts.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { workOff } from '../../kit/work-off.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { authorizeUrl } from '../authorize-url.ts';
import { endConnections } from './end-connections.ts';

export const REAUTHORIZE_WITHIN_MS = 7 * DAY;

/** Texts of every `user.calendar.refresh_failed` event: the reason, the possible causes and the advice. */
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
