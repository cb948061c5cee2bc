import type { OnDecline } from '../../schema/api/platform.ts';
import { batch } from '../../schema/db.ts';
import { selectSettings, updatePlatform } from '../../schema/platforms/queries.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { endpointAt } from '../webhooks/endpoint.ts';

/** A platform's settings; `webhookUrl` is null where none was ever set. */
export async function readSettings(ctx: Ctx, platformId: string) {
  const [settings] = await selectSettings(ctx.db, { platformId });
  if (settings === undefined) throw userGone();
  return settings;
}

interface GivenSettings {
  redirectUris: string[] | undefined;
  webhookUrl: string | undefined;
  onDecline: OnDecline | undefined;
}

/**
 * Changes the given settings and no others, all or none. A new webhook URL gets a new secret, answered here and never
 * again. Throws `invalid_webhook_url`.
 */
export async function updateSettings(ctx: Ctx, platformId: string, { webhookUrl, ...given }: GivenSettings) {
  const refusal = { code: 'invalid_webhook_url', field: 'webhook_url' } as const;
  const endpoint =
    webhookUrl === undefined ? undefined : await endpointAt(ctx, { platformId, url: webhookUrl }, refusal);
  const {
    settings: [settings],
  } = await batch(ctx.db, {
    platform: updatePlatform(ctx.db, { platformId, ...given }),
    ...(endpoint && { endpoint: endpoint.statement }),
    settings: selectSettings(ctx.db, { platformId }),
  });
  if (settings === undefined) throw userGone();
  return { ...settings, shownSecret: await endpoint?.secretOf({ secret: settings.webhookSecret }) };
}
