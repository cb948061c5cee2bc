import { Hono } from 'hono';
import type { wholePreferences } from '../../lib/users/person.ts';
import { readPreferences, updatePreferences } from '../../lib/users/preferences.ts';
import * as api from '../../schema/api/preferences.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';

export const preferences = new Hono<AppEnv>();

serve(preferences, api.getPreferences, async ({ ctx, user: { userId } }) => {
  const { email, preferences } = await readPreferences(ctx, userId);
  return { email, preferences: toPreferencesAnswer(preferences) };
});

serve(preferences, api.updatePreferences, async ({ ctx, user: { userId }, body }) => {
  const { email, preferences } = await updatePreferences(ctx, userId, body);
  return { success: true, email, preferences: toPreferencesAnswer(preferences) };
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
