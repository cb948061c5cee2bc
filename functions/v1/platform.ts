import { Hono } from 'hono';
import { toPreferencesAnswer } from '../../lib/people/preferences.ts';
import { readDashboard } from '../../lib/platforms/dashboard.ts';
import { dashboardLink } from '../../lib/platforms/dashboard-session.ts';
import { listPlatformUsers, platformUserStatus } from '../../lib/platforms/people.ts';
import { readAuditLog, readSettings, updateSettings } from '../../lib/platforms/settings.ts';
import type { AuditRow } from '../../schema/access/audit-log.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as platformApi from '../../schema/api/platform.ts';
import * as platformUsersApi from '../../schema/api/platform-users.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const platform = new Hono<AppEnv>();

serve(platform, platformApi.getDashboard, async ({ ctx, platform }) => {
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

serve(platform, platformApi.createDashboardLink, async ({ ctx, platform, body }) => {
  const { url, expiresAt } = await dashboardLink(ctx, platform.id, { readOnly: body.read_only });
  return {
    success: true,
    url,
    expires_at: new Date(expiresAt).toISOString(),
    message: "Redirect your admin's browser to this link within 10 minutes. The link opens the dashboard once.",
    read_only: body.read_only,
  };
});

serve(platform, platformApi.getSettings, async ({ ctx, platform }) => {
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

serve(platform, platformApi.updateSettings, async ({ ctx, platform, body }) => {
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

serve(platform, platformUsersApi.listPlatformUsers, async ({ ctx, platform, query: { limit, cursor: after } }) => {
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

serve(platform, platformUsersApi.getPlatformUserStatus, async ({ ctx, platform, query: { email } }) =>
  toStatusAnswer(email, await platformUserStatus(ctx, { platformId: platform.id, email })),
);

const toStatusAnswer = (
  email: string,
  status: Awaited<ReturnType<typeof platformUserStatus>>,
): platformUsersApi.PlatformUserStatus =>
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

serve(platform, platformUsersApi.listAuditLog, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { entries, next } = await readAuditLog(ctx, platform.id, { limit, after });
  return { entries: entries.map(toEntry), pagination: toPagination(next) };
});

const toEntry = ({
  at,
  actorKind,
  actor,
  requestId,
  id,
  action,
  network,
  details,
}: AuditRow): platformUsersApi.AuditEntry => ({
  id,
  at: new Date(at).toISOString(),
  action,
  by: { kind: actorKind, id: actor },
  network,
  request_id: requestId,
  details,
});
