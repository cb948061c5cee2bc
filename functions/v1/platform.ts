import { Hono } from 'hono';
import { readDashboard } from '../../lib/platforms/dashboard.ts';
import { readSettings, updateSettings } from '../../lib/platforms/settings.ts';
import { listPlatformUsers, platformUserStatus } from '../../lib/platforms/users.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as api from '../../schema/api/platform.ts';
import type { AppEnv } from '../env.ts';
import { serve } from '../serve.ts';
import { toPreferencesAnswer } from './preferences.ts';

export const platform = new Hono<AppEnv>();

serve(platform, api.getDashboard, async ({ ctx, platform }) => {
  const { usage, connectedUsers, stats, maskedKey } = await readDashboard(ctx, platform);
  const { id, name, email, plan } = platform;
  return {
    platform: { id, name, email, plan },
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

serve(platform, api.listPlatformUsers, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { users, total, next } = await listPlatformUsers(ctx, platform.id, { limit, after });
  return {
    users: users.map((user) => ({
      email: user.email,
      provider_id: user.providerId,
      connected_at: new Date(user.connectedAt).toISOString(),
      preferences: toPreferencesAnswer(user.preferences),
    })),
    total,
    pagination: toPagination(next),
  };
});

serve(platform, api.getPlatformUserStatus, async ({ ctx, platform, query: { email } }) =>
  toStatusAnswer(email, await platformUserStatus(ctx, { platformId: platform.id, email })),
);

serve(platform, api.getSettings, async ({ ctx, platform }) => {
  const { name, email, plan, redirectUris, webhookUrl, onDecline } = await readSettings(ctx, platform.id);
  return { name, email, redirect_uris: redirectUris, webhook_url: webhookUrl, plan, on_decline: onDecline };
});

serve(platform, api.updateSettings, async ({ ctx, platform, body }) => {
  const given = { redirectUris: body.redirect_uris, webhookUrl: body.webhook_url, onDecline: body.on_decline };
  const { redirectUris, webhookUrl, onDecline, shownSecret } = await updateSettings(ctx, platform.id, given);
  return {
    success: true,
    message:
      shownSecret === undefined
        ? 'The settings are saved.'
        : 'The settings are saved. Keep the webhook secret now: it is not shown again.',
    redirect_uris: redirectUris,
    webhook_url: webhookUrl,
    on_decline: onDecline,
    webhook_secret: shownSecret,
  };
});

const toStatusAnswer = (
  email: string,
  status: Awaited<ReturnType<typeof platformUserStatus>>,
): api.PlatformUserStatus =>
  status.isConnected
    ? {
        connected: true,
        user_email: email,
        provider_id: status.user.providerId,
        connected_at: new Date(status.user.connectedAt).toISOString(),
        timezone: status.user.preferences.timeZone,
        preferences: toPreferencesAnswer(status.user.preferences),
        calendar_access: 'read_write',
      }
    : { connected: false, user_email: email, message: status.message };
