import { Hono } from 'hono';
import type * as z from 'zod';
import { invalid } from '../../lib/kit/errors.ts';
import { toPreferencesAnswer } from '../../lib/people/preferences.ts';
import { regenerateUserKey } from '../../lib/people/regenerate-key.ts';
import { dashboardLink, readDashboard } from '../../lib/platforms/dashboard.ts';
import { regeneratePlatformKey } from '../../lib/platforms/keys.ts';
import { listPlatformUsers, platformUserStatus } from '../../lib/platforms/people.ts';
import { readAuditLog, readSettings, updateSettings } from '../../lib/platforms/settings.ts';
import type { AuditRow } from '../../schema/access/audit-log.ts';
import * as keysApi from '../../schema/api/keys.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as platformApi from '../../schema/api/platform.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const platform = new Hono<AppEnv>();

serve(platform, platformApi.getDashboard, async ({ ctx, platform }) => {
  const { name, email, plan, usage, connectedUsers, stats, maskedKey } = await readDashboard(ctx, platform);
  const { used, limit, remaining } = usage;
  return {
    platform: { id: platform.id, name, email, plan },
    usage: { this_month: used, limit, remaining, can_schedule: remaining !== 0 },
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
  const settings = await readSettings(ctx, platform.id);
  const { name, email, plan } = settings;
  const { redirect_uris, webhook_url, ...others } = toSettingsAnswer(settings);
  return { name, email, redirect_uris, webhook_url, plan, ...others };
});

serve(platform, platformApi.updateSettings, async ({ ctx, platform, body }) => {
  const { shownSecret, ...settings } = await updateSettings(ctx, platform.id, {
    redirectUris: body.redirect_uris,
    webhookUrl: body.webhook_url,
    onDecline: body.on_decline,
    logoUrl: body.logo_url === '' ? null : body.logo_url,
    defaultPreferences: body.default_preferences,
  });
  return {
    success: true,
    message:
      shownSecret === undefined
        ? 'The settings are saved.'
        : 'The settings are saved. Store the webhook secret now, because it is not shown again.',
    ...toSettingsAnswer(settings),
    webhook_secret: shownSecret,
  };
});

const toSettingsAnswer = (settings: Awaited<ReturnType<typeof readSettings>>) => ({
  redirect_uris: settings.redirectUris,
  webhook_url: settings.webhookUrl,
  on_decline: settings.onDecline,
  logo_url: settings.logoUrl,
  default_preferences: settings.defaultPreferences,
});

serve(platform, platformApi.listPlatformUsers, async ({ ctx, platform, query: { limit, cursor: after } }) => {
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

serve(platform, platformApi.getPlatformUserStatus, async ({ ctx, platform, query: { email } }) =>
  toStatusAnswer(email, await platformUserStatus(ctx, { platformId: platform.id, email })),
);

const toStatusAnswer = (
  email: string,
  status: Awaited<ReturnType<typeof platformUserStatus>>,
): platformApi.PlatformUserStatus =>
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

serve(platform, platformApi.listAuditLog, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { rows, next } = await readAuditLog(ctx, platform.id, { limit, after });
  return { entries: rows.map(toEntry), pagination: toPagination(next) };
});

const toEntry = (row: AuditRow): platformApi.AuditEntry => ({
  id: row.id,
  at: new Date(row.at).toISOString(),
  action: row.action,
  by: { kind: row.actorKind, id: row.actor },
  network: row.network,
  request_id: row.requestId,
  details: row.details,
});

serve(platform, keysApi.regeneratePlatformKey, async ({ ctx, platform, ...asked }) =>
  toAnswer(await regeneratePlatformKey(ctx, platform.id, toNextKey(asked))),
);

serve(platform, keysApi.regenerateUserKey, async ({ ctx, user: { userId }, ...asked }) =>
  toAnswer(await regenerateUserKey(ctx, userId, toNextKey(asked))),
);

const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

type AskedKey = { body: z.output<typeof keysApi.KeyRequest>; idempotencyKey?: string | undefined };

/** Throws `invalid_request` for a guessable `Idempotency-Key`: with the kept key, it opens the new one. */
function toNextKey({ body, idempotencyKey }: AskedKey) {
  const { keep_old_for_hours: keepHours } = body;
  if (keepHours !== undefined && idempotencyKey !== undefined && !RANDOM_UUID.test(idempotencyKey))
    throw invalid(
      'Idempotency-Key',
      'With `keep_old_for_hours`, Idempotency-Key must be a random UUID (version 4 or 7): whoever has the old key and guesses it would get the new key.',
    );
  return { keepHours, idempotencyKey };
}

function toAnswer({ key, formerUntil }: { key: string; formerUntil: number | undefined }) {
  const former = formerUntil === undefined ? 'no longer works' : 'still works until the time in old_key_valid_until';
  return {
    success: true as const,
    api_key: key,
    old_key_valid_until: formerUntil === undefined ? undefined : new Date(formerUntil).toISOString(),
    message: `Store this key now, because it is not shown again. The previous key ${former}.`,
  };
}
