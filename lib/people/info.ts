import { findPreferences, findUserStatus } from '../../schema/access/users.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import { sumMonths } from '../../schema/meetings/meeting-months.ts';
import type { Ctx } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { wholePreferences } from '../person/person.ts';
import { monthsAt, statisticsOf } from '../usage/statistics.ts';

/** Returns a user with their preferences and meeting statistics. Months are UTC months. */
export async function userInfo(ctx: Ctx, userId: string) {
  const [user, [months]] = await Promise.all([
    findPreferences(ctx.db, userId),
    sumMonths(ctx.db, monthsAt(userId, ctx.clock.now())),
  ]);
  if (user === undefined || months === undefined) throw userGone();
  return {
    email: user.email,
    preferences: wholePreferences(user),
    stats: statisticsOf(months),
    onboardingCompleted: user.onboardingCompleted,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}

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
