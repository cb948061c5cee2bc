import { isRedirectUri, MOST_REDIRECT_URIS } from '../../schema/api/platform.ts';
import { insertKeys } from '../../schema/api-keys/queries.ts';
import { insertPlatform } from '../../schema/platforms/queries.ts';
import { insertEndpoint } from '../../schema/webhook-endpoints/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { ID_PREFIX } from '../ids.ts';
import { maskKey, sha256 } from '../keys.ts';
import { isPlan, PLANS } from '../plans.ts';
import { webhookSecretOf } from '../sealed-places.ts';
import { newSecret } from '../webhooks/delivery-headers.ts';
import { isSafeWebhookUrl } from '../webhooks/url-safety.ts';

export interface NewPlatform {
  name: string;
  email: string;
  plan: string;
  redirectUris?: string[] | undefined;
  webhookUrl?: string | undefined;
  /** A developer's own machine may receive webhooks. */
  allowLocal?: boolean | undefined;
}

/** What is shown once. */
export interface CreatedPlatform {
  id: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string | null;
}

/** Opens a platform with both keys and, given a URL, a webhook endpoint for all events. */
export async function createPlatform(
  { db, clock, ids, keys, sealer }: Pick<Ctx, 'db' | 'clock' | 'ids' | 'keys' | 'sealer'>,
  input: NewPlatform,
): Promise<CreatedPlatform> {
  validate(input);
  const now = clock.now();
  const { name, email, plan, redirectUris = [], webhookUrl } = input;
  const id = ids.id(ID_PREFIX.platform);
  const [secretKey, publishableKey] = [await keys.create('sk_live_'), await keys.create('pk_live_')];
  const platform = insertPlatform(db, { id, name, email, plan, redirectUris, createdAt: now });
  const hashed = insertKeys(db, [
    { ...(await keyRow(secretKey)), kind: 'secret', platformId: id, createdAt: now },
    { ...(await keyRow(publishableKey)), kind: 'publishable', platformId: id, publishableKey, createdAt: now },
  ]);
  if (webhookUrl === undefined) {
    await db.batch([platform, hashed]);
    return { id, secretKey, publishableKey, webhookSecret: null };
  }
  const webhookSecret = newSecret(ids);
  const secret = await sealer.seal(webhookSecret, webhookSecretOf(id));
  await db.batch([platform, hashed, insertEndpoint(db, { platformId: id, url: webhookUrl, secret, now })]);
  return { id, secretKey, publishableKey, webhookSecret };
}

const keyRow = async (key: string) => ({ hash: await sha256(key), masked: maskKey(key) });

function validate({ name, email, plan, redirectUris = [], webhookUrl, allowLocal = false }: NewPlatform) {
  const invalid = (field: string, message: string) => new AppError('invalid_request', message, { field });
  if (name.trim() === '') throw invalid('name', 'The platform needs a name.');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalid('email', `${email} is not an e-mail address.`);
  if (!isPlan(plan)) throw invalid('plan', `The plan must be one of ${Object.keys(PLANS).join(', ')}.`);
  if (redirectUris.length > MOST_REDIRECT_URIS)
    throw invalid('redirect_uris', `A platform may have at most ${MOST_REDIRECT_URIS} redirect URIs.`);
  const refused = redirectUris.find((uri) => !isRedirectUri(uri));
  if (refused !== undefined)
    throw invalid('redirect_uris', `${refused} is no redirect URI: HTTPS is required, HTTP only for localhost.`);
  if (webhookUrl === undefined) return;
  const verdict = isSafeWebhookUrl(webhookUrl, { allowLocal });
  if (!verdict.safe) throw invalid('webhook_url', `The webhook URL ${verdict.reason}`);
}
