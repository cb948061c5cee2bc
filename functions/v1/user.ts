import { Hono } from 'hono';
import { userInfo } from '../../lib/users/info.ts';
import { readPreferences, updatePreferences } from '../../lib/users/preferences.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { readBody } from '../body.ts';
import { type AppEnv, userOf } from '../env.ts';

export const user = new Hono<AppEnv>();

user.get('/v1/user/preferences', async (c) => c.json(await readPreferences(c.var.ctx, userOf(c).userId)));

user.put('/v1/user/preferences', async (c) => {
  const given = await readBody(c, PreferencesRequest);
  return c.json({ success: true, ...(await updatePreferences(c.var.ctx, userOf(c).userId, given)) });
});

user.get('/v1/user/info', async (c) => {
  const info = await userInfo(c.var.ctx, userOf(c).userId);
  return c.json({
    email: info.email,
    preferences: info.preferences,
    stats: {
      total_meetings_scheduled: info.stats.total,
      meetings_this_month: info.stats.thisMonth,
      average_acceptance_time_hours: info.stats.acceptanceHours,
      reschedule_rate: info.stats.rescheduleRate,
      fast_acceptance_rate: info.stats.fastAcceptanceRate,
      preferred_times: info.preferredTimes,
    },
    onboarding_completed: info.onboardingCompleted,
    created_at: info.createdAt,
  });
});
