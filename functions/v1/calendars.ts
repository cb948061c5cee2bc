import { Hono } from 'hono';
import * as z from 'zod';
import { disconnect, platformConnections } from '../../lib/calendars/connections.ts';
import { Email } from '../../schema/api/fields.ts';
import { check } from '../body.ts';
import { type AppEnv, platformOf } from '../env.ts';

export const calendars = new Hono<AppEnv>();

calendars.get('/v1/calendars', async (c) => {
  const connections = await platformConnections(c.var.ctx, platformOf(c).id);
  return c.json({
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
  });
});

calendars.delete('/v1/calendars/:email', async (c) => {
  const { email } = check(z.object({ email: Email }), c.req.param());
  const platformId = platformOf(c).id;
  await disconnect(c.var.ctx, { platformId, email });
  return c.json({
    success: true,
    message: `The calendar of ${email} is disconnected from all platforms, and access to it is revoked.`,
    email,
    platform_id: platformId,
  });
});
