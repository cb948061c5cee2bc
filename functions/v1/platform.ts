import { Hono } from 'hono';
import { readDashboard } from '../../lib/platforms/dashboard.ts';
import { dashboardLink } from '../../lib/platforms/dashboard-session.ts';
import { readSettings, updateSettings } from '../../lib/platforms/settings.ts';
import * as api from '../../schema/api/platform.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const platform = new Hono<AppEnv>();

serve(platform, api.getDashboard, async ({ ctx, platform }) => {
  const { name, email, plan, usage, connectedUsers, stats, maskedKey } = await readDashboard(ctx, platform);
  return {
    platform: { id: platform.id, name, email, plan },
    usage: {
      this_month: usage.used,
      limit: usage.limit,
      remaining: usage.remaining,
      can_schedule: usage.remaining !== 0,
    },
    connected_users: connectedUsers,
    stats: {
      total_meetings_scheduled: stats.total,
      meetings_this_month: stats.thisMonth,
      meetings_last_month: stats.lastMonth,
      average_acceptance_time_hours: stats.acceptanceHours,
      reschedule_rate: stats.rescheduleRate,
      cancellation_rate: stats.cancellationRate,
    },
    api_key_masked: maskedKey,
  };
});

serve(platform, api.createDashboardLink, async ({ ctx, platform, body }) => {
  const { url, expiresAt } = await dashboardLink(ctx, platform.id, { readOnly: body.read_only });
  return {
    success: true,
    url,
    expires_at: new Date(expiresAt).toISOString(),
    message: "Redirect your admin's browser to this link within 10 minutes. The link opens the dashboard once.",
    read_only: body.read_only,
  };
});

serve(platform, api.getSettings, async ({ ctx, platform }) => {
  const { name, email, plan, redirectUris, webhookUrl, onDecline, logoUrl, defaultPreferences } = await readSettings(
    ctx,
    platform.id,
  );
  return {
    name,
    email,
    redirect_uris: redirectUris,
    webhook_url: webhookUrl,
    plan,
    on_decline: onDecline,
    logo_url: logoUrl,
    default_preferences: defaultPreferences,
  };
});

serve(platform, api.updateSettings, async ({ ctx, platform, body }) => {
  const given = {
    redirectUris: body.redirect_uris,
    webhookUrl: body.webhook_url,
    onDecline: body.on_decline,
    logoUrl: body.logo_url === '' ? null : body.logo_url,
    defaultPreferences: body.default_preferences,
  };
  const { redirectUris, webhookUrl, onDecline, logoUrl, defaultPreferences, shownSecret } = await updateSettings(
    ctx,
    platform.id,
    given,
  );
  return {
    success: true,
    message:
      shownSecret === undefined
        ? 'The settings are saved.'
        : 'The settings are saved. Store the webhook secret now, because it is not shown again.',
    redirect_uris: redirectUris,
    webhook_url: webhookUrl,
    on_decline: onDecline,
    logo_url: logoUrl,
    default_preferences: defaultPreferences,
    webhook_secret: shownSecret,
  };
});
