import { beginOutage, holdAccount, isHeldBy, refreshedBy } from '../../schema/calendar-accounts/hold-queries.ts';
import type { Ctx } from '../context.ts';
import { emitToConnected, kickAll } from '../webhooks/emit-to-connected.ts';
import { endConnections } from './end-connections.ts';
import { authorizeUrl } from './oauth-url.ts';

interface Refused {
  id: string;
  email: string;
  providerId: string;
  /** Who claimed the refresh that was refused; another's claim means that nothing is known any more. */
  owner: string;
  /** Whether the provider also refused an access token that had not expired. */
  isRevoked: boolean;
}

/** The provider ended a grant: revoked by the person, or an outage that a new consent ends. Told once to all platforms. */
export async function endGrant(ctx: Ctx, { id: userId, email, providerId, owner, isRevoked }: Refused): Promise<void> {
  const when = refreshedBy(owner);
  if (isRevoked) {
    await endConnections(ctx, { userId, email, providerId, reason: 'revoked', when });
    return;
  }
  const now = ctx.clock.now();
  const held = { userId, owner: ctx.ids.id('out_'), now };
  const [, told] = await ctx.db.batch([
    holdAccount(ctx.db, { ...held, when }),
    emitToConnected(ctx, {
      email,
      type: 'user.calendar.refresh_failed',
      now,
      data: (publishableKey) => ({
        user_email: email,
        provider_id: providerId,
        failed_at: new Date(now).toISOString(),
        reason: 'user_revoked_or_expired',
        action: 'reauthorization_required',
        possible_causes: [
          'The person removed access in their Google account.',
          'The person changed their Google password.',
          'The access was not used for six months.',
          'An administrator of their organisation withdrew access.',
        ],
        oauth_url: authorizeUrl(ctx, publishableKey, email),
        suggested_user_message:
          'Your calendar connection has ended. Please connect your calendar again to keep scheduling meetings.',
      }),
      onlyIf: isHeldBy(userId, held.owner),
    }),
    beginOutage(ctx.db, held),
  ]);
  kickAll(ctx, told);
}
