import { sumMonths } from '../../schema/meeting-months/queries.ts';
import { findPreferences } from '../../schema/users/queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { monthsAt, statisticsOf } from '../usage/statistics.ts';
import { wholePreferences } from './person.ts';

/** A user with preferences and statistics; months are those of UTC. */
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
