import { Hono } from 'hono';
import { userAvailability } from '../../lib/availability/search.ts';
import { oauthUrl } from '../../lib/calendars/authorize-url.ts';
import { disconnect, platformConnections } from '../../lib/calendars/disconnect.ts';
import { formatInZone } from '../../lib/engine/time/zone.ts';
import { eraseGuest } from '../../lib/people/account/erase.ts';
import { userStatus } from '../../lib/people/own-page.ts';
import * as calendarsApi from '../../schema/api/calendars.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import { toPagination } from '../../schema/api/paging.ts';
import { toCalendarAnswer } from '../http/answers.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const calendars = new Hono<AppEnv>();

serve(calendars, calendarsApi.getOauthUrl, async ({ ctx, platform, query }) => {
  const { user_email: email, redirect_uri: redirectUri, state } = query;
  const { url, instructions } = await oauthUrl(ctx, platform, { email, redirectUri, state });
  return { oauth_url: url, instructions };
});

serve(calendars, calendarsApi.getUserStatus, async ({ ctx, platform, params: { email } }) => {
  const { isConnected, lastSync, provider } = await userStatus(ctx, { platformId: platform.id, email });
  return { email, calendar_connected: isConnected, last_sync: lastSync, provider };
});

serve(calendars, calendarsApi.getUserAvailability, async ({ ctx, platform, params: { email }, query }) => {
  const { start_date: startDate, end_date: endDate, duration_minutes: durationMinutes, fresh: isFresh } = query;
  const dateRange = { startDate, endDate };
  const found = await userAvailability(ctx, platform, { email, durationMinutes, dateRange, isFresh });
  return {
    email,
    timezone: found.timeZone,
    duration_minutes: durationMinutes,
    search_window: found.window,
    intervals: found.intervals.map(({ start, end }) => ({
      start_time: formatInZone(found.timeZone, start),
      end_time: formatInZone(found.timeZone, end),
    })),
    calendars: found.calendars.map(toCalendarAnswer),
  };
});

serve(calendars, calendarsApi.eraseGuest, async ({ ctx, platform, params: { email } }) => {
  await eraseGuest(ctx, platform, email);
  return { success: true as const, email, message: 'The guest was erased from your meetings and proposals.' };
});

serve(calendars, calendarsApi.listCalendars, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { rows, next } = await platformConnections(ctx, platform.id, { limit, after });
  return {
    success: true,
    connections: rows.map((connection) => ({
      user_email: connection.email,
      provider_id: connection.providerId,
      calendar_provider: PROVIDER,
      status: connection.status,
      connected_at: new Date(connection.connectedAt).toISOString(),
      last_used_at: new Date(connection.lastUsedAt).toISOString(),
      onboarding_complete: connection.onboardingCompleted,
      timezone: connection.timeZone,
    })),
    count: rows.length,
    pagination: toPagination(next),
  };
});

serve(calendars, calendarsApi.disconnectCalendar, async ({ ctx, platform, params: { email } }) => {
  await disconnect(ctx, { platformId: platform.id, email });
  return {
    success: true,
    message: `The calendar of ${email} is now disconnected from all platforms. To connect the calendar again, send the person the link from GET /v1/platform/oauth-url.`,
    email,
    platform_id: platform.id,
  };
});
