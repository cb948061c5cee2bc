import { findPreferences } from '../../schema/users/preferences-queries.ts';
import { countUserStats } from '../../schema/users/stats-queries.ts';
import type { Ctx } from '../context.ts';
import { shownPreferences } from './shown-preferences.ts';

/** A user with preferences and stats; months are those of UTC, preferred times the learned weights. */
export async function userInfo(ctx: Ctx, userId: string) {
  const now = new Date(ctx.clock.now());
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const [user, stats] = await Promise.all([
    findPreferences(ctx.db, userId),
    countUserStats(ctx.db, { userId, monthStart }),
  ]);
  if (user === undefined || stats === undefined) throw new Error('the user of the key is gone');
  const { morning = 1, afternoon = 1, evening = 1 } = user.weights.time_of_day_preference ?? {};
  return {
    email: user.email,
    preferences: shownPreferences(user),
    stats,
    preferredTimes: { morning, afternoon, evening },
    onboardingCompleted: user.onboardingCompleted,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}
