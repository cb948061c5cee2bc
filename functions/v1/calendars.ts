import { Hono } from 'hono';
import { disconnect, platformConnections } from '../../lib/calendars/disconnect.ts';
import * as api from '../../schema/api/calendars.ts';
import { PROVIDER } from '../../schema/api/fields.ts';
import { toPagination } from '../../schema/api/paging.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const calendars = new Hono<AppEnv>();

serve(calendars, api.listCalendars, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { connections, next } = await platformConnections(ctx, platform.id, { limit, after });
  return {
    success: true,
    connections: connections.map((connection) => ({
      user_email: connection.email,
      provider_id: connection.providerId,
      calendar_provider: PROVIDER,
      status: connection.status,
      connected_at: new Date(connection.connectedAt).toISOString(),
      last_used_at: new Date(connection.lastUsedAt).toISOString(),
      onboarding_complete: connection.onboardingCompleted,
      timezone: connection.timeZone,
    })),
    count: connections.length,
    pagination: toPagination(next),
  };
});

serve(calendars, api.disconnectCalendar, async ({ ctx, platform, params: { email } }) => {
  await disconnect(ctx, { platformId: platform.id, email });
  return {
    success: true,
    message: `The calendar of ${email} is now disconnected from all platforms. To connect the calendar again, send the person the link from GET /v1/platform/oauth-url.`,
    email,
    platform_id: platform.id,
  };
});
