import {
  type EndpointRow,
  type EndpointSettings,
  findEndpoint,
  hasOtherSettings,
  hasOtherUrl,
  hasSecret,
  putEndpoint,
  replaceSecret,
  updateEndpoint,
} from '../../schema/access/webhook-endpoints.ts';
import { toEnvelope } from '../../schema/answers/render.ts';
import type { ErrorCode } from '../../schema/api/http-errors.ts';
import { insertTestDelivery, leaseDeliveries } from '../../schema/delivery/deliveries-attempt.ts';
import type { DeliveryRow } from '../../schema/delivery/deliveries-log.ts';
import { TEST_EVENT_ID } from '../../schema/tables/deliveries.ts';
import { DAY } from '../engine/time/dates.ts';
import { changePlatform } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, errorOf, InternalError, invalid } from '../kit/errors.ts';
import type { SealedPlace } from '../kit/ports.ts';
import { webhookSecretPlace } from '../kit/reseal.ts';
import { checkUrl } from '../kit/url-safety.ts';
import { attemptDeliveries } from './deliver.ts';
import { newSecret } from './delivery-headers.ts';
import { readDelivery } from './delivery-log.ts';
import { newDeliveryId, securityChange } from './outbox.ts';
import { sampleData } from './samples.ts';

/** Time for which a previous webhook secret stays valid after it was replaced, 24 hours as the API documents. */
export const OVERLAP_MS = DAY;

/** Returns a platform's webhook endpoint with its encrypted secret. Throws `webhook_not_configured`. */
export async function readWebhook(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(ctx.db, { platformId });
  if (endpoint === undefined) throw errorOf('webhook_not_configured');
  return endpoint;
}

/**
 * Serves `PUT /v1/platform/webhook`. Options left out keep their values. A new URL gets a new secret, which is returned
 * here and never again. The previous one stays valid for 24 h, because a new URL is mostly the same receiver at another
 * address, which does not have the new secret yet. A receiver that knows only the new secret also works. Throws
 * `invalid_request` for the URL, and `unauthorized` if the key was replaced meanwhile.
 */
export async function configureWebhook(
  ctx: Ctx,
  platformId: string,
  { url, ...settings }: EndpointSettings & { url?: string | undefined },
  ofForm?: string,
): Promise<{ endpoint: EndpointRow; secret: string | undefined }> {
  const action = 'endpoint.settings_changed';
  const guard = hasOtherSettings(platformId, settings);
  // A receiver that is to hear of security changes no more still hears of this one.
  const isTold = settings.enabled === false || settings.events?.includes('platform.security_changed') === false;
  const change = securityChange(ctx, { platformId, action, details: detailsOf(settings), guard, isTold });
  const audit = { muted: change.told, audit: change.audited };
  if (url === undefined) {
    const update = updateEndpoint(ctx.db, { ...settings, platformId, now: ctx.clock.now() });
    const { muted, ...done } = await changePlatform(ctx, platformId, { ...audit, endpoint: update });
    const [endpoint] = done.endpoint;
    if (endpoint === undefined) throw invalid('url', '`url` is required. Send it with the request.');
    change.publish(ctx, muted);
    return { endpoint, secret: undefined };
  }
  const refusal = { code: 'invalid_request', field: 'url' } as const;
  const stored = ofForm === undefined ? undefined : await findEndpoint(ctx.db, { platformId });
  if (stored !== undefined && ofForm !== undefined) await assertNotReplaced(ctx, platformId, stored, ofForm);
  const set = await endpointAt(ctx, { ...settings, platformId, url }, refusal, ofForm);
  const { told, muted, ...done } = await changePlatform(ctx, platformId, {
    ...audit,
    told: set.change.told,
    audited: set.change.audited,
    endpoint: set.statement,
  });
  const [endpoint] = done.endpoint;
  if (endpoint === undefined) throw new InternalError('The webhook endpoint was not saved.');
  set.change.publish(ctx, told);
  change.publish(ctx, muted);
  return { endpoint, secret: await set.secretOf(endpoint) };
}

const detailsOf = ({ enabled, events, maxRetries, timeoutSeconds, redeliverHours }: EndpointSettings) => ({
  ...(enabled === undefined ? {} : { enabled: String(enabled) }),
  ...(events === undefined ? {} : { events: events.join(', ') }),
  ...(maxRetries === undefined ? {} : { max_retries: maxRetries }),
  ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
  ...(redeliverHours === undefined ? {} : { redeliver_hours: redeliverHours }),
});

/**
 * Throws an error with `code` for a URL that must not receive events. For a new URL, `change` writes to the audit log
 * and sends `platform.security_changed`. It must come before `statement` in the batch, because it compares with the
 * stored URL. Afterwards `secretOf` returns, for the stored row, the new secret if the URL is new.
 */
export async function endpointAt(
  ctx: Ctx,
  endpoint: EndpointSettings & { platformId: string; url: string },
  { code, field }: { code: ErrorCode; field: string },
  fresh = newSecret(ctx.ids),
) {
  const verdict = await checkUrl(ctx, endpoint.url, { at: 'save' });
  if (!verdict.safe) throw new AppError(code, `The webhook URL ${verdict.reason}`, { field });
  const now = ctx.clock.now();
  const place = webhookSecretPlace(endpoint.platformId);
  const secret = await ctx.sealer.seal(fresh, place);
  const { platformId, url } = endpoint;
  const [details, guard] = [{ host: new URL(url).host }, hasOtherUrl(platformId, url)];
  return {
    change: securityChange(ctx, { platformId, action: 'endpoint.changed', details, guard }),
    statement: putEndpoint(ctx.db, { ...endpoint, secret, overlapUntil: now + OVERLAP_MS, now }),
    secretOf: async (stored: { secret: string | null }) =>
      stored.secret === secret || (await isSealed(ctx, fresh, stored.secret, place)) ? fresh : undefined,
  };
}

/** Returns false if there is none or it cannot be decrypted. */
const isSealed = async ({ sealer }: Pick<Ctx, 'sealer'>, secret: string, sealed: string | null, place: SealedPlace) =>
  sealed !== null && (await sealer.open(sealed, place).catch(() => undefined)) === secret;

/** Throws `secret_rotated` if the secret was replaced, because an old form must not bring it back. */
async function assertNotReplaced(ctx: Ctx, platformId: string, stored: EndpointRow, secret: string): Promise<void> {
  const is = (sealed: string) => isSealed(ctx, secret, sealed, webhookSecretPlace(platformId));
  const former = await Promise.all(stored.previousSecrets.map((one) => is(one.secret)));
  if (!former.includes(true) || (await is(stored.secret))) return;
  throw new AppError(
    'secret_rotated',
    'This form already made a webhook secret, and that secret was replaced since. Reload the page to make another.',
  );
}

/**
 * Replaces a platform's webhook secret. Returns the new secret here and never again, and keeps the previous one valid
 * for 24 h. Of two concurrent rotations one is refused with `secret_rotated`, so that the secret shown is the current
 * one. Concurrent rotations to the same secret both succeed. Throws `unauthorized` if the key was replaced meanwhile.
 */
export async function rotateSecret(ctx: Ctx, platformId: string, secret = newSecret(ctx.ids)) {
  const place = webhookSecretPlace(platformId);
  const now = ctx.clock.now();
  const previousValidUntil = now + OVERLAP_MS;
  const to = await ctx.sealer.seal(secret, place);
  for (let former: string | undefined; ; ) {
    const stored = await readWebhook(ctx, platformId);
    const { secret: from, previousSecrets } = stored;
    await assertNotReplaced(ctx, platformId, stored, secret);
    if (await isSealed(ctx, secret, from, place))
      return { secret, previousValidUntil: previousSecrets[0]?.validUntil ?? previousValidUntil };
    // If another process only encrypted the same secret again under another key, it is still the secret to replace.
    if (former !== undefined && (await ctx.sealer.open(from, place)) !== (await ctx.sealer.open(former, place)))
      throw errorOf('secret_rotated');
    const change = securityChange(ctx, { platformId, action: 'secret.rotated', guard: hasSecret(platformId, to) });
    const { replaced, told } = await changePlatform(ctx, platformId, {
      replaced: replaceSecret(ctx.db, { platformId, from, to, validUntil: previousValidUntil, now }),
      told: change.told,
      audited: change.audited,
    });
    if (replaced.length > 0) {
      change.publish(ctx, told);
      return { secret, previousValidUntil };
    }
    former = from;
  }
}

/** Makes one attempt, even if the endpoint is disabled or has no subscription. Throws `webhook_not_configured`. */
export async function testWebhook(ctx: Ctx, platformId: string, type: string): Promise<DeliveryRow> {
  const now = ctx.clock.now();
  const id = newDeliveryId(ctx.ids, platformId);
  const data = sampleData(type, now, platformId);
  const envelope = toEnvelope({ id: ctx.ids.id(TEST_EVENT_ID), type, at: now, platformId, data });
  const test = { id, eventId: envelope.id, platformId, eventType: type, body: JSON.stringify(envelope), now };
  // One transaction writes and leases the delivery, so that no sweep can take it in between.
  const [, [leased]] = await ctx.db.batch([
    insertTestDelivery(ctx.db, test),
    leaseDeliveries(ctx.db, { ids: [id], owner: ctx.ids.id('lease_'), now }),
  ]);
  if (leased === undefined) await readWebhook(ctx, platformId);
  else await attemptDeliveries(ctx, [leased], { waits: false });
  return readDelivery(ctx, platformId, id);
}
