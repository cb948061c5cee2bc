import { Hono } from 'hono';
import {
  readPreferences,
  toPreferencesAnswer,
  toRulesAnswer,
  updatePreferences,
} from '../../lib/people/preferences.ts';
import * as api from '../../schema/api/preferences.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const preferences = new Hono<AppEnv>();

serve(preferences, api.getPreferences, async ({ ctx, user: { userId } }) => {
  const { email, preferences, rules } = await readPreferences(ctx, userId);
  return { email, rules: toRulesAnswer(rules), preferences: toPreferencesAnswer(preferences) };
});

serve(preferences, api.updatePreferences, async ({ ctx, user: { userId }, body }) => {
  const { email, preferences, rules, understood, notUnderstood, warnings } = await updatePreferences(ctx, userId, body);
  return {
    success: true,
    email,
    rules: toRulesAnswer(rules),
    preferences: toPreferencesAnswer(preferences),
    understood,
    not_understood: notUnderstood,
    warnings,
  };
});
