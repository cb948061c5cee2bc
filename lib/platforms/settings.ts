import { type AuditRow, listAudit } from '../../schema/access/audit-log.ts';
import { hasOther, selectSettings, updatePlatform } from '../../schema/access/platforms.ts';
import type { OnDecline } from '../../schema/api/platform.ts';
import type { SuggestedPreferences } from '../../schema/api/preferences.ts';
import type { Guard } from '../../schema/db.ts';
import { DEFAULT_WORK_HOURS } from '../engine/rules/defaults.ts';
import { parseMinute } from '../engine/time/dates.ts';
import { audited, changePlatform } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { invalid, userGone } from '../kit/errors.ts';
import { type PageRequest, readPage } from '../kit/read-page.ts';
import { endpointAt } from '../webhooks/endpoint.ts';
import { securityChange } from '../webhooks/outbox.ts';

export async function readSettings(ctx: Ctx, platformId: string) {
  const [settings] = await selectSettings(ctx.db, { platformId });
  if (settings === undefined) throw userGone();
  return settings;
}

interface GivenSettings {
  redirectUris: string[] | undefined;
  webhookUrl: string | undefined;
  onDecline: OnDecline | undefined;
  logoUrl: string | null | undefined;
  defaultPreferences: SuggestedPreferences | undefined;
}

/**
 * Changes the given settings of a platform and keeps its other settings. Changes all given settings or none, and writes
 * those that differ into the audit log in the same batch. A new webhook URL gets a new signing secret, which is
 * returned here and never again. Throws `invalid_webhook_url`, and `unauthorized` if the key was replaced meanwhile.
 */
export async function updateSettings(ctx: Ctx, platformId: string, { webhookUrl, ...settings }: GivenSettings) {
  const { defaultPreferences: defaults } = settings;
  const given = { ...settings, defaultPreferences: defaults && suggestionOf(defaults) };
  const refusal = { code: 'invalid_webhook_url', field: 'webhook_url' } as const;
  const endpoint =
    webhookUrl === undefined ? undefined : await endpointAt(ctx, { platformId, url: webhookUrl }, refusal);
  const uris = given.redirectUris && redirectChange(ctx, platformId, given.redirectUris);
  const { onDecline, logoUrl, defaultPreferences } = given;
  const changed = (details: Record<string, string>, guard: Guard) =>
    audited(ctx, { platformId, action: 'settings.changed', details, guard });
  const done = await changePlatform(ctx, platformId, {
    ...(uris && { urisTold: uris.told, urisAudited: uris.audited }),
    ...(onDecline && { onDecline: changed({ on_decline: onDecline }, hasOther(platformId, 'onDecline', onDecline)) }),
    ...(logoUrl !== undefined && {
      logo: changed({ logo_url: originOf(logoUrl) }, hasOther(platformId, 'logoUrl', logoUrl)),
    }),
    ...(defaultPreferences !== undefined && {
      defaults: changed(
        { default_preferences: Object.keys(defaultPreferences ?? {}).join(', ') || 'none' },
        hasOther(platformId, 'defaultPreferences', defaultPreferences),
      ),
    }),
    ...(endpoint && { urlTold: endpoint.change.told, urlAudited: endpoint.change.audited }),
    platform: updatePlatform(ctx.db, { platformId, ...given }),
    ...(endpoint && { endpoint: endpoint.statement }),
    settings: selectSettings(ctx.db, { platformId }),
  });
  const [stored] = done.settings;
  if (stored === undefined) throw userGone();
  if (done.urisTold !== undefined) uris?.publish(ctx, done.urisTold);
  if (done.urlTold !== undefined) endpoint?.change.publish(ctx, done.urlTold);
  return { ...stored, shownSecret: await endpoint?.secretOf({ secret: stored.webhookSecret }) };
}

const LEAST_HOURS = 10;

/** Leaves out hours that name no day. Returns null for a suggestion without parts, and refuses a week that leaves no time. */
function suggestionOf({ work_hours: days = {}, ...others }: SuggestedPreferences): SuggestedPreferences | null {
  const suggested = Object.keys(days).length === 0 ? others : { ...others, work_hours: days };
  const week = Object.values({ ...DEFAULT_WORK_HOURS, ...days });
  const minutes = week.reduce(
    (sum, day) => sum + (day?.enabled ? parseMinute(day.end ?? '') - parseMinute(day.start ?? '') : 0),
    0,
  );
  if (minutes < LEAST_HOURS * 60)
    throw invalid(
      'default_preferences.work_hours',
      `\`default_preferences.work_hours\` must leave at least ${LEAST_HOURS} work hours a week.`,
    );
  return Object.keys(suggested).length === 0 ? null : suggested;
}

const redirectChange = (ctx: Ctx, platformId: string, uris: string[]) =>
  securityChange(ctx, {
    platformId,
    action: 'redirect_uris.changed',
    details: { hosts: [...new Set(uris.map((uri) => new URL(uri).host))].join(', ') },
    guard: hasOther(platformId, 'redirectUris', uris),
  });

const originOf = (logoUrl: string | null) => (logoUrl === null ? 'none' : new URL(logoUrl).origin);

export async function readAuditLog(ctx: Pick<Ctx, 'db'>, platformId: string, asked: PageRequest) {
  const placeOf = ({ at, id }: AuditRow) => ({ at, id });
  return readPage({ ...asked, placeOf }, (page) => listAudit(ctx.db, { platformId, ...page }));
}
