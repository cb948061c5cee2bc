import { Hono } from 'hono';
import { oauthUrl } from '../../lib/calendars/authorize-url.ts';
import * as api from '../../schema/api/calendar-oauth.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const calendarOauth = new Hono<AppEnv>();

serve(calendarOauth, api.getOauthUrl, async ({ ctx, platform, query }) => {
  const { user_email: email, redirect_uri: redirectUri, state } = query;
  const { url, instructions } = await oauthUrl(ctx, platform, { email, redirectUri, state });
  return { oauth_url: url, instructions };
});
