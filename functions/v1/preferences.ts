import { Hono } from 'hono';
import { readPreferences, toPreferencesAnswer, updatePreferences } from '../../lib/users/preferences.ts';
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
