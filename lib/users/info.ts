import { findPreferences, findUserStatus } from '../../schema/users/queries.ts';
import { countUserStats } from '../../schema/users/stats-queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { wholePreferences } from './person.ts';

/** A user with preferences and stats; months are those of UTC, preferred times the learned weights. */
export async function userInfo(ctx: Ctx, userId: string) {
  const now = new Date(ctx.clock.now());
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const [user, stats] = await Promise.all([
    findPreferences(ctx.db, userId),
    countUserStats(ctx.db, { userId, monthStart }),
  ]);
  if (user === undefined || stats === undefined) throw userGone();
  const { morning = 1, afternoon = 1, evening = 1 } = user.weights.time_of_day_preference ?? {};
  return {
    email: user.email,
    preferences: wholePreferences(user),
    stats,
    preferredTimes: { morning, afternoon, evening },
    onboardingCompleted: user.onboardingCompleted,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}

/** Whether a person's calendar can be used by this platform; a stranger is simply not connected. */
export async function userStatus(ctx: Ctx, input: { platformId: string; email: string }) {
  const email = input.email.toLowerCase();
  const found = await findUserStatus(ctx.db, { platformId: input.platformId, email });
  const isConnected = found?.accountStatus === 'connected' && found.disconnectedAt === null;
  const lastSyncAt = isConnected ? found.lastSyncAt : null;
  return {
    email,
    isConnected,
    lastSync: lastSyncAt === null ? null : new Date(lastSyncAt).toISOString(),
    provider: 'google',
  };
}
