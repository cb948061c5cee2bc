import { findPreferences } from '../../schema/access/users-preferences.ts';
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
