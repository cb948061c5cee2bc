import {
  claimAccount,
  isClaimedBy,
  listOverdueReauthorizations,
  needsReauthorizationSince,
  refreshedBy,
  requireReauthorization,
} from '../../../schema/calendar-accounts/claim-queries.ts';
import type { Ctx } from '../../context.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { workOff } from '../../work-off.ts';
import { authorizeUrl } from '../authorize-url.ts';
import { refreshFailedEvent } from '../webhook-events.ts';
import { endConnections } from './end.ts';

const REAUTHORIZE_WITHIN_MS = 7 * 86_400_000;

interface Refused {
  id: string;
  email: string;
  providerId: string;
  /** Who claimed the refresh that was refused; another's claim means that nothing is known any more. */
  owner: string;
  /** Whether the provider also refused an access token that had not expired. */
  isRevoked: boolean;
}

/** The provider ended a grant: revoked by the person, or in need of a new consent. Told once to all platforms. */
export async function endGrant(ctx: Ctx, { id: userId, email, providerId, owner, isRevoked }: Refused): Promise<void> {
  const when = refreshedBy(owner);
  if (isRevoked) {
    await endConnections(ctx, { userId, email, providerId, reason: 'revoked', when });
    return;
  }
  const now = ctx.clock.now();
  const claim = { userId, owner: ctx.ids.id('claim_'), now };
  const [, deliveries] = await ctx.db.batch([
    claimAccount(ctx.db, { ...claim, when }),
    insertEventForConnected(ctx, {
      userId,
      type: 'user.calendar.refresh_failed',
      now,
      data: (publishableKey) =>
        refreshFailedEvent({ email, providerId, now, oauthUrl: authorizeUrl(ctx, publishableKey, { email }) }),
      guard: isClaimedBy(userId, claim.owner),
    }),
    requireReauthorization(ctx.db, claim),
  ]);
  publishAll(ctx, deliveries);
}

/** Ends the connections of people who did not consent again within seven days, longest waiting first. */
export async function endOverdueReauthorizations(ctx: Ctx, until: number): Promise<void> {
  const latest = ctx.clock.now() - REAUTHORIZE_WITHIN_MS;
  const when = needsReauthorizationSince(latest);
  const tried: string[] = [];
  await workOff(ctx, {
    until,
    atOnce: 1,
    perOwner: 1,
    ownerOf: ({ userId }) => userId,
    claim: () => listOverdueReauthorizations(ctx.db, { latest, limit: 1, except: tried }),
    async run(account) {
      tried.push(account.userId);
      await endConnections(ctx, { ...account, reason: 'token_expired', when });
    },
  });
}
