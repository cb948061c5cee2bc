import type { EventData } from '../../../schema/api/webhook-events.ts';
import { deleteSnapshotOf } from '../../../schema/busy-snapshots/queries.ts';
import {
  claimAccount,
  closeAccount,
  isClaimedBy,
  listOverdueReauthorizations,
  needsReauthorizationSince,
  refreshedBy,
  requireReauthorization,
} from '../../../schema/calendar-accounts/claim-queries.ts';
import { endConnectionsOf } from '../../../schema/connections/queries.ts';
import { batch } from '../../../schema/db.ts';
import { insertRevocation } from '../../../schema/revocations/queries.ts';
import { deleteChannelsOf } from '../../../schema/watch-channels/queries.ts';
import type { Ctx } from '../../context.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { workOff } from '../../work-off.ts';
import { authorizeUrl } from '../authorize-url.ts';

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
        oauth_url: authorizeUrl(ctx, publishableKey, { email }),
        suggested_user_message:
          'Your calendar connection has ended. Please connect your calendar again to keep scheduling meetings.',
      }),
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

type When = Parameters<typeof claimAccount>[1]['when'];

interface Ending {
  userId: string;
  email: string;
  providerId: string;
  reason: EventData<'user.calendar.disconnected'>['reason'];
  when: When;
}

/**
 * Ends the person's grant and their connections with all platforms in one batch, if `when` holds: every platform is
 * told, the tokens are deleted, and the refresh token is left to be revoked. Answers the platforms that had them.
 */
export async function endConnections(ctx: Ctx, ending: Ending): Promise<string[]> {
  const { disconnected, ended } = await batch(ctx.db, endingOf(ctx, ending, ctx.clock.now()));
  publishAll(ctx, disconnected);
  return ended.map(({ platformId }) => platformId);
}

/** The statements of that, for the batch of what ends them. */
export function endingOf(ctx: Ctx, { userId, email, providerId, reason, when }: Ending, now: number) {
  const owner = ctx.ids.id('end_');
  const claim = { userId, owner, now };
  return {
    claimed: claimAccount(ctx.db, { userId, owner, when }),
    disconnected: insertEventForConnected(ctx, {
      userId,
      type: 'user.calendar.disconnected',
      now,
      data: () => ({
        user_email: email,
        provider_id: providerId,
        disconnected_at: new Date(now).toISOString(),
        reason,
      }),
      guard: isClaimedBy(userId, owner),
    }),
    revocation: insertRevocation(ctx.db, claim),
    forgotten: deleteSnapshotOf(ctx.db, claim),
    unwatched: deleteChannelsOf(ctx.db, claim),
    ended: endConnectionsOf(ctx.db, claim),
    closed: closeAccount(ctx.db, claim),
  };
}
