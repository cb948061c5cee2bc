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
import type { SealedPlace } from '../ports.ts';
import { webhookSecretOf } from '../sealed-places.ts';
import { newSecret } from './delivery-headers.ts';
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
  fresh = newSecret(ctx.ids),
): Promise<{ endpoint: EndpointRow; secret: string | undefined }> {
  if (url === undefined) {
    const endpoint = await updateEndpoint(ctx.db, { ...settings, platformId, now: ctx.clock.now() });
    if (endpoint === undefined) throw new AppError('invalid_request', 'url is required.', { field: 'url' });
    return { endpoint, secret: undefined };
  }
  const refusal = { code: 'invalid_request', field: 'url' } as const;
  const set = await endpointAt(ctx, { ...settings, platformId, url }, refusal, fresh);
  const [endpoint] = await set.statement;
  if (endpoint === undefined) throw new InternalError('the endpoint was not written');
  return { endpoint, secret: await set.secretOf(endpoint) };
}

/**
 * The statement that sets a platform's URL, and what secret may be shown once it went in: that of a new URL. Throws the
 * refusal for a URL that no event may be posted to.
 */
export async function endpointAt(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'dns' | 'config'>,
  endpoint: EndpointSettings & { platformId: string; url: string },
  { code, field }: { code: ErrorCode; field: string },
  fresh = newSecret(ctx.ids),
) {
  const verdict = await checkWebhookUrl(ctx, endpoint.url, { at: 'save' });
  if (!verdict.safe) throw new AppError(code, `The webhook URL ${verdict.reason}`, { field });
  const now = ctx.clock.now();
  const place = webhookSecretOf(endpoint.platformId);
  const secret = await ctx.sealer.seal(fresh, place);
  return {
    statement: putEndpoint(ctx.db, { ...endpoint, secret, overlapUntil: now + OVERLAP_MS, now }),
    secretOf: async (stored: { secret: string | null }) =>
      stored.secret === secret || (await isSealed(ctx, fresh, stored.secret, place)) ? fresh : undefined,
  };
}

/** Whether it is this secret that was sealed. */
const isSealed = async ({ sealer }: Pick<Ctx, 'sealer'>, secret: string, sealed: string | null, place: SealedPlace) =>
  sealed !== null && (await sealer.open(sealed, place).catch(() => undefined)) === secret;

/**
 * A new secret, answered here and never again; the former stays valid for 24 h. Of two at once one is refused with
 * `secret_rotated`, so that the secret shown is the one in force; not so where both bring the same.
 */
export async function rotateSecret(
  ctx: Ctx,
  platformId: string,
  secret = newSecret(ctx.ids),
): Promise<{ secret: string; previousValidUntil: number }> {
  const place = webhookSecretOf(platformId);
  const now = ctx.clock.now();
  const previousValidUntil = now + OVERLAP_MS;
  const to = await ctx.sealer.seal(secret, place);
  for (let former: string | undefined; ; ) {
    const { secret: from, previousSecrets } = await readWebhook(ctx, platformId);
    if (await isSealed(ctx, secret, from, place))
      return { secret, previousValidUntil: previousSecrets[0]?.validUntil ?? previousValidUntil };
    // The same one sealed anew is still the one to replace.
    if (former !== undefined && (await ctx.sealer.open(from, place)) !== (await ctx.sealer.open(former, place)))
      throw new AppError('secret_rotated', 'The secret was replaced by another request at the same time.');
    if (await replaceSecret(ctx.db, { platformId, from, to, validUntil: previousValidUntil, now }))
      return { secret, previousValidUntil };
    former = from;
  }
}
