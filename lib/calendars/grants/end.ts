import type { EventData } from '../../../schema/api/webhook-events.ts';
import { deleteSnapshotOf } from '../../../schema/busy-snapshots/queries.ts';
import { claimAccount, closeAccount, isClaimedBy } from '../../../schema/calendar-accounts/claim-queries.ts';
import { endConnectionsOf } from '../../../schema/connections/queries.ts';
import { batch } from '../../../schema/db.ts';
import { insertRevocation } from '../../../schema/revocations/queries.ts';
import { deleteChannelsOf } from '../../../schema/watch-channels/queries.ts';
import type { Ctx } from '../../context.ts';
import { insertEventForConnected, publishAll } from '../../webhooks/outbox.ts';
import { disconnectedEvent } from '../webhook-events.ts';

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
      data: () => disconnectedEvent({ email, providerId, now, reason }),
      guard: isClaimedBy(userId, owner),
    }),
    revocation: insertRevocation(ctx.db, claim),
    forgotten: deleteSnapshotOf(ctx.db, claim),
    unwatched: deleteChannelsOf(ctx.db, claim),
    ended: endConnectionsOf(ctx.db, claim),
    closed: closeAccount(ctx.db, claim),
  };
}
