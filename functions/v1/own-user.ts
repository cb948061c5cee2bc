import { Hono } from 'hono';
import { userInfo } from '../../lib/users/info.ts';
import type { wholePreferences } from '../../lib/users/person.ts';
import { readPreferences, updatePreferences } from '../../lib/users/preferences.ts';
import * as api from '../../schema/api/own-user.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';

export const ownUser = new Hono<AppEnv>();

serve(ownUser, api.getPreferences, async ({ ctx, user: { userId } }) => {
  const { email, preferences } = await readPreferences(ctx, userId);
  return { email, preferences: toPreferencesAnswer(preferences) };
});

serve(ownUser, api.updatePreferences, async ({ ctx, user: { userId }, body }) => {
  const { email, preferences } = await updatePreferences(ctx, userId, body);
  return { success: true, email, preferences: toPreferencesAnswer(preferences) };
});

serve(ownUser, api.getUserInfo, async ({ ctx, user: { userId } }) => {
  const { email, preferences, stats, preferredTimes, onboardingCompleted, createdAt } = await userInfo(ctx, userId);
  return {
    email,
    preferences: toPreferencesAnswer(preferences),
    stats: {
      total_meetings_scheduled: stats.total,
      meetings_this_month: stats.thisMonth,
      average_acceptance_time_hours: stats.acceptanceHours,
      reschedule_rate: stats.rescheduleRate,
      fast_acceptance_rate: stats.fastAcceptanceRate,
      preferred_times: preferredTimes,
    },
    onboarding_completed: onboardingCompleted,
    created_at: createdAt,
  };
});

export const toPreferencesAnswer = (whole: ReturnType<typeof wholePreferences>): api.Preferences => ({
  work_hours: whole.workHours,
  timezone: whole.timeZone,
  buffer_minutes: whole.bufferMinutes,
  availability_window_days: whole.availabilityWindowDays,
  max_meetings_per_day: whole.maxMeetingsPerDay,
  energy_pattern: whole.energyPattern,
  scheduling_context: whole.schedulingContext,
  focus_blocks: whole.focusBlocks.map(({ day, start, end, reason }) => ({ day, start, end, reason })),
});
