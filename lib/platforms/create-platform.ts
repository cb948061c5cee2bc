import { insertKeys } from '../../schema/access/api-keys.ts';
import { insertPlatform } from '../../schema/access/platforms.ts';
import { insertEndpoint } from '../../schema/access/webhook-endpoints.ts';
import { isRedirectUri, MOST_REDIRECT_URIS } from '../../schema/api/platform.ts';
import { batch } from '../../schema/db.ts';
import { audited } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { invalid } from '../kit/errors.ts';
import { ID_PREFIX } from '../kit/ids.ts';
import { maskKey, sha256 } from '../kit/keys.ts';
import { isPlan, PLANS } from '../kit/plans.ts';
import { webhookSecretPlace } from '../kit/reseal.ts';
import { isSafeUrl } from '../kit/url-safety.ts';
import { newSecret } from '../webhooks/delivery-headers.ts';

export interface NewPlatform {
  name: string;
  email: string;
  plan: string;
  redirectUris?: string[] | undefined;
  webhookUrl?: string | undefined;
  allowLocal?: boolean | undefined;
}

/** A new platform's id, keys and webhook secret. The keys and the secret are shown only once. */
export type CreatedPlatform = { id: string; secretKey: string; publishableKey: string; webhookSecret: string | null };

/** With a webhook URL, also creates an endpoint for all events. The audit log names `by` as who created it. */
export async function createPlatform(
  { db, clock, ids, keys, sealer }: Pick<Ctx, 'db' | 'clock' | 'ids' | 'keys' | 'sealer'>,
  input: NewPlatform,
  by?: Pick<Ctx, 'actor' | 'requestId'>,
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
  const webhookSecret = webhookUrl === undefined ? null : newSecret(ids);
  const secret = webhookSecret === null ? '' : await sealer.seal(webhookSecret, webhookSecretPlace(id));
  const created = { platformId: id, action: 'platform.created', details: { plan } } as const;
  await batch(db, {
    platform,
    hashed,
    ...(webhookUrl !== undefined && { endpoint: insertEndpoint(db, { platformId: id, url: webhookUrl, secret, now }) }),
    ...(by !== undefined && { audited: audited({ db, clock, ids, network: null, ...by }, created) }),
  });
  return { id, secretKey, publishableKey, webhookSecret };
}

const keyRow = async (key: string) => ({ hash: await sha256(key), masked: maskKey(key) });

function validate({ name, email, plan, redirectUris = [], webhookUrl, allowLocal = false }: NewPlatform) {
  if (name.trim() === '') throw invalid('name', 'The name of the platform is empty. Give the platform a name.');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalid(
      'email',
      `The platform's address ${email} is not an email address. Give an email address such as owner@acme.com.`,
    );
  if (!isPlan(plan)) throw invalid('plan', `The plan must be one of ${Object.keys(PLANS).join(', ')}.`);
  if (redirectUris.length > MOST_REDIRECT_URIS)
    throw invalid('redirect_uris', `A platform can have at most ${MOST_REDIRECT_URIS} redirect URIs.`);
  const refused = redirectUris.find((uri) => !isRedirectUri(uri));
  if (refused !== undefined)
    throw invalid('redirect_uris', `${refused} is not a valid redirect URI. Use HTTPS, or HTTP for localhost only.`);
  if (webhookUrl === undefined) return;
  const verdict = isSafeUrl(webhookUrl, { allowLocal });
  if (!verdict.safe) throw invalid('webhook_url', `The webhook URL ${verdict.reason}`);
}
