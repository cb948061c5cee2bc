import type { EventData } from '../../schema/api/events.ts';
import { closeAccount, holdAccount, isHeldBy } from '../../schema/calendar-accounts/hold-queries.ts';
import { endConnectionsOf } from '../../schema/connections/queries.ts';
import { insertRevocation } from '../../schema/revocations/queries.ts';
import type { Ctx } from '../context.ts';
import { emitToConnected, kickAll } from '../webhooks/emit-to-connected.ts';

type When = Parameters<typeof holdAccount>[1]['when'];

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
export async function endConnections(ctx: Ctx, { userId, email, providerId, reason, when }: Ending): Promise<string[]> {
  const now = ctx.clock.now();
  const owner = ctx.ids.id('end_');
  const held = { userId, owner, now };
  const [, told, , ended] = await ctx.db.batch([
    holdAccount(ctx.db, { userId, owner, when }),
    emitToConnected(ctx, {
      email,
      type: 'user.calendar.disconnected',
      now,
      data: () => ({
        user_email: email,
        provider_id: providerId,
        disconnected_at: new Date(now).toISOString(),
        reason,
      }),
      onlyIf: isHeldBy(userId, owner),
    }),
    insertRevocation(ctx.db, held),
    endConnectionsOf(ctx.db, held),
    closeAccount(ctx.db, held),
  ]);
  kickAll(ctx, told);
  return ended.map(({ platformId }) => platformId);
}
