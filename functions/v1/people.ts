import { Hono } from 'hono';
import { userAvailability } from '../../lib/availability/user-availability.ts';
import { oauthUrl } from '../../lib/calendars/authorize-url.ts';
import { disconnect, platformConnections } from '../../lib/calendars/connections.ts';
import { userStatus } from '../../lib/users/info.ts';
import * as api from '../../schema/api/people.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';
import { toCalendarAnswer } from '../slot-answer.ts';

export const people = new Hono<AppEnv>();

serve(people, api.getOauthUrl, async ({ ctx, platform, query: { user_email: email } }) => {
  const { url, instructions } = await oauthUrl(ctx, { platformId: platform.id, email });
  return { oauth_url: url, instructions };
});

serve(people, api.getUserStatus, async ({ ctx, platform, params: { email } }) => {
  const { isConnected, lastSync, provider } = await userStatus(ctx, { platformId: platform.id, email });
  return { email, calendar_connected: isConnected, last_sync: lastSync, provider };
});

serve(people, api.getUserAvailability, async ({ ctx, platform, params: { email }, query }) => {
  const { start_date: startDate, end_date: endDate, duration_minutes: durationMinutes } = query;
  const found = await userAvailability(ctx, platform, { email, durationMinutes, dateRange: { startDate, endDate } });
  return {
    email,
    timezone: found.timeZone,
    duration_minutes: durationMinutes,
    search_window: found.window,
    intervals: found.intervals.map(({ startTime, endTime }) => ({ start_time: startTime, end_time: endTime })),
    calendars: found.calendars.map(toCalendarAnswer),
  };
});

serve(people, api.listCalendars, async ({ ctx, platform }) => {
  const connections = await platformConnections(ctx, platform.id);
  return {
    success: true,
    connections: connections.map((connection) => ({
      user_email: connection.email,
      provider_id: connection.providerId,
      calendar_provider: connection.provider,
      status: connection.status,
      connected_at: connection.connectedAt,
      last_used_at: connection.lastUsedAt,
      onboarding_complete: connection.onboardingCompleted,
      timezone: connection.timeZone,
    })),
    count: connections.length,
  };
});

serve(people, api.disconnectCalendar, async ({ ctx, platform, params: { email } }) => {
  await disconnect(ctx, { platformId: platform.id, email });
  return {
    success: true,
    message: `The calendar of ${email} is disconnected from all platforms, and access to it is revoked.`,
    email,
    platform_id: platform.id,
  };
});
