import {
  type EndpointRow,
  type EndpointSettings,
  putEndpoint,
  updateEndpoint,
} from '../../schema/webhook-endpoints/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { OVERLAP_MS } from './rotate-secret.ts';
import { checkWebhookUrl } from './url-safety.ts';

/**
 * Sets where a platform's events go and how; what is left out keeps its value. A new URL gets a new secret, answered
 * here and never again (`interface.md`, PUT /v1/platform/webhook). The former stays valid for 24 h as after a rotation:
 * the new address is mostly the same receiver moved, which may hold the former secret until it is handed the new one,
 * and a receiver that knows only the new one sees it sign first. Throws `invalid_request` for the URL.
 */
export async function configureWebhook(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'dns' | 'config'>,
  platformId: string,
  { url, ...settings }: EndpointSettings & { url?: string | undefined },
): Promise<{ endpoint: EndpointRow; secret: string | undefined }> {
  const now = ctx.clock.now();
  if (url === undefined) {
    const endpoint = await updateEndpoint(ctx.db, { ...settings, platformId, now });
    if (endpoint === undefined) throw new AppError('invalid_request', 'url is required.', { field: 'url' });
    return { endpoint, secret: undefined };
  }
  const verdict = await checkWebhookUrl(ctx, url, { at: 'save' });
  if (!verdict.safe) throw new AppError('invalid_request', `The webhook URL ${verdict.reason}`, { field: 'url' });
  const fresh = ctx.ids.secret('whsec_');
  const secret = await ctx.sealer.seal(fresh);
  const overlapUntil = now + OVERLAP_MS;
  const endpoint = await putEndpoint(ctx.db, { ...settings, platformId, url, secret, overlapUntil, now });
  return { endpoint, secret: endpoint.secret === secret ? fresh : undefined };
}
