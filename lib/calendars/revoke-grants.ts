import { claimRevocations, deleteRevocation } from '../../schema/revocations/queries.ts';
import type { Ctx } from '../context.ts';

const AT_ONCE = 20;

/** Ends at the provider the grants that ended here, of one user or all that are due; what fails comes up again. */
export async function revokeGrants(ctx: Ctx, { userId }: { userId?: string } = {}): Promise<void> {
  const claimed = await claimRevocations(ctx.db, { now: ctx.clock.now(), limit: AT_ONCE, userId });
  await Promise.all(claimed.map((revocation) => revoke(ctx, revocation)));
}

async function revoke(ctx: Ctx, revocation: Awaited<ReturnType<typeof claimRevocations>>[number]): Promise<void> {
  try {
    await ctx.oauth.revoke(await ctx.sealer.open(revocation.token));
    await deleteRevocation(ctx.db, revocation);
  } catch (error) {
    const { userId, attempts } = revocation;
    ctx.log('warn', 'a grant is not revoked yet', { user_id: userId, attempts, error: String(error) });
  }
}
