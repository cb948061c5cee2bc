import { Hono } from 'hono';
import { toPreferencesAnswer } from '../../lib/people/preferences.ts';
import { listPlatformUsers, platformUserStatus } from '../../lib/platforms/people.ts';
import { readAuditLog } from '../../lib/platforms/settings.ts';
import type { AuditRow } from '../../schema/access/audit-log.ts';
import { toPagination } from '../../schema/api/paging.ts';
import * as api from '../../schema/api/platform-users.ts';
import type { AppEnv } from '../http/env.ts';
import { serve } from '../http/serve.ts';

export const platformUsers = new Hono<AppEnv>();

serve(platformUsers, api.listPlatformUsers, async ({ ctx, platform, query: { limit, cursor: after } }) => {
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

serve(platformUsers, api.getPlatformUserStatus, async ({ ctx, platform, query: { email } }) =>
  toStatusAnswer(email, await platformUserStatus(ctx, { platformId: platform.id, email })),
);

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

serve(platformUsers, api.listAuditLog, async ({ ctx, platform, query: { limit, cursor: after } }) => {
  const { entries, next } = await readAuditLog(ctx, platform.id, { limit, after });
  return { entries: entries.map(toEntry), pagination: toPagination(next) };
});

const toEntry = ({ at, actorKind, actor, requestId, id, action, network, details }: AuditRow): api.AuditEntry => ({
  id,
  at: new Date(at).toISOString(),
  action,
  by: { kind: actorKind, id: actor },
  network,
  request_id: requestId,
  details,
});
