import type { ErrorCode } from '../../schema/api/http-errors.ts';
import {
  type EndpointRow,
  type EndpointSettings,
  findEndpoint,
  putEndpoint,
  replaceSecret,
  updateEndpoint,
} from '../../schema/webhook-endpoints/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError, InternalError } from '../errors.ts';
import { webhookSecretOf } from '../sealed-places.ts';
import { checkWebhookUrl } from './url-safety.ts';

/** How long a former secret stays valid (`interface.md`, Events). */
const OVERLAP_MS = 24 * 3_600_000;

/** A platform's endpoint, its secret sealed. Throws `webhook_not_configured`. */
export async function readWebhook(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(ctx.db, { platformId });
  if (endpoint === undefined)
    throw new AppError('webhook_not_configured', 'Set a URL first: PUT /v1/platform/webhook.');
  return endpoint;
}

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
  if (url === undefined) {
    const endpoint = await updateEndpoint(ctx.db, { ...settings, platformId, now: ctx.clock.now() });
    if (endpoint === undefined) throw new AppError('invalid_request', 'url is required.', { field: 'url' });
    return { endpoint, secret: undefined };
  }
  const set = await endpointAt(ctx, { ...settings, platformId, url }, { code: 'invalid_request', field: 'url' });
  const [endpoint] = await set.statement;
  if (endpoint === undefined) throw new InternalError('the endpoint was not written');
  return { endpoint, secret: set.secretOf(endpoint) };
}

/**
 * The statement that sets a platform's URL, and what secret may be shown once it went in: that of a new URL. Throws the
 * refusal for a URL that no event may be posted to.
 */
export async function endpointAt(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'dns' | 'config'>,
  endpoint: EndpointSettings & { platformId: string; url: string },
  { code, field }: { code: ErrorCode; field: string },
) {
  const verdict = await checkWebhookUrl(ctx, endpoint.url, { at: 'save' });
  if (!verdict.safe) throw new AppError(code, `The webhook URL ${verdict.reason}`, { field });
  const now = ctx.clock.now();
  const fresh = ctx.ids.secret('whsec_');
  const secret = await ctx.sealer.seal(fresh, webhookSecretOf(endpoint.platformId));
  return {
    statement: putEndpoint(ctx.db, { ...endpoint, secret, overlapUntil: now + OVERLAP_MS, now }),
    secretOf: (stored: { secret: string | null }) => (stored.secret === secret ? fresh : undefined),
  };
}

/**
 * A new secret, answered here and never again; the former stays valid for 24 h. Of two at once one is refused with
 * `secret_rotated`, so that the secret shown is the one in force.
 */
export async function rotateSecret(
  ctx: Ctx,
  platformId: string,
): Promise<{ secret: string; previousValidUntil: number }> {
  const place = webhookSecretOf(platformId);
  const secret = ctx.ids.secret('whsec_');
  const now = ctx.clock.now();
  const previousValidUntil = now + OVERLAP_MS;
  const to = await ctx.sealer.seal(secret, place);
  let { secret: from } = await readWebhook(ctx, platformId);
  while (!(await replaceSecret(ctx.db, { platformId, from, to, validUntil: previousValidUntil, now }))) {
    const { secret: current } = await readWebhook(ctx, platformId);
    // The same one sealed anew is still the one to replace.
    if ((await ctx.sealer.open(current, place)) !== (await ctx.sealer.open(from, place)))
      throw new AppError('secret_rotated', 'The secret was replaced by another request at the same time.');
    from = current;
  }
  return { secret, previousValidUntil };
}
