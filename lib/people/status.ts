import { findUserStatus } from '../../schema/access/users-find.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import type { Ctx } from '../kit/context.ts';

/** An unknown person counts as not connected. */
export async function userStatus(ctx: Ctx, input: { platformId: string; email: string }) {
  const email = input.email.toLowerCase();
  const found = await findUserStatus(ctx.db, { platformId: input.platformId, email });
  const isConnected = found?.accountStatus === 'connected' && found.disconnectedAt === null;
  const lastSyncAt = isConnected ? found.lastSyncAt : null;
  return {
    email,
    isConnected,
    lastSync: lastSyncAt === null ? null : new Date(lastSyncAt).toISOString(),
    provider: PROVIDER,
  };
}
