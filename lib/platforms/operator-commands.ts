import { insertKeys, insertNextKey, revokePlatformKeys } from '../../schema/access/api-keys.ts';
import {
  changePlatform,
  closeDeliveries,
  deleteEndpoint,
  endPlatform,
  failJobs,
  insertPlatform,
  listConnectedIds,
  lockPlatform,
  platformIs,
  platformsOwn,
} from '../../schema/access/platforms.ts';
import { endSessions } from '../../schema/access/sessions.ts';
import { insertEndpoint } from '../../schema/access/webhook-endpoints.ts';
import { isRedirectUri, MOST_REDIRECT_URIS } from '../../schema/api/platform.ts';
import { batch } from '../../schema/db.ts';
import { cancelBatchesOf } from '../../schema/meetings/batches.ts';
import { endProposals, isIdle, isOfSuspended, lockOpenProposals } from '../../schema/meetings/proposals-end.ts';
import { commitEndOfAccess } from '../calendars/disconnect.ts';
import { HOUR } from '../engine/time/dates.ts';
import { type Auditing, audited } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, invalid } from '../kit/errors.ts';
import { formerAddress, ID_PREFIX, maskKey, sha256 } from '../kit/ids.ts';
import { isPlan, PLANS } from '../kit/plans.ts';
import { webhookSecretPlace } from '../kit/reseal.ts';
import { isSafeUrl } from '../kit/url-safety.ts';
import { newSecret } from '../webhooks/delivery-headers.ts';
import { securityChange } from '../webhooks/outbox.ts';

export interface NewPlatform {
  name: string;
  email: string;
  plan: string;
  redirectUris?: string[] | undefined;
  webhookUrl?: string | undefined;
  allowLocal?: boolean | undefined;
}

/** The audit log names `by` as who created it. The keys and the webhook secret are shown only once. */
export async function createPlatform(
  { db, clock, ids, keys, sealer }: Pick<Ctx, 'db' | 'clock' | 'ids' | 'keys' | 'sealer'>,
  input: NewPlatform,
  by?: Pick<Ctx, 'actor' | 'requestId'>,
) {
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

const notThere = (platformId: string) =>
  new AppError(
    'not_found',
    `Tandem has no platform ${platformId}, or the platform was deleted. "npm run admin -- platforms list" shows the IDs of all platforms.`,
  );

async function change(ctx: Auditing, platformId: string, what: 'name' | 'plan', to: string): Promise<void> {
  const { changed } = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, {
      platformId,
      action: what === 'name' ? 'platform.renamed' : 'platform.plan_changed',
      details: { from: platformsOwn(what, platformId), to },
      guard: platformIs.otherwise(platformId, { [what]: to }),
    }),
    changed: changePlatform(ctx.db, { platformId, [what]: to }),
  });
  if (changed.length === 0) throw notThere(platformId);
}

export async function renamePlatform(ctx: Auditing, platformId: string, name: string): Promise<void> {
  if (name.trim() === '') throw invalid('name', 'The name of the platform is empty. Give the platform a name.');
  await change(ctx, platformId, 'name', name);
}

/** The limits apply at once. Throws `not_found` and, for an unknown plan, `invalid_request`. */
export async function changePlan(ctx: Auditing, platformId: string, plan: string): Promise<void> {
  if (!isPlan(plan)) throw invalid('plan', `The plan must be one of ${Object.keys(PLANS).join(', ')}.`);
  await change(ctx, platformId, 'plan', plan);
}

/** Its jobs and webhooks wait, and people keep access to their own pages. Throws `not_found`. */
export async function suspendPlatform(ctx: Auditing, platformId: string): Promise<void> {
  const now = ctx.clock.now();
  const { changed } = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, { platformId, action: 'platform.suspended', guard: platformIs.active(platformId) }),
    ended: endSessions(ctx.db, { owner: { platformId }, now, guard: platformIs.active(platformId) }),
    changed: changePlatform(ctx.db, { platformId, suspendedAt: now }),
    ...proposalsOfSuspended(ctx, platformId),
  });
  if (changed.length === 0) throw notThere(platformId);
}

const proposalsOfSuspended = (ctx: Auditing, platformId: string) => {
  const which = isOfSuspended(platformId);
  return {
    proposals: lockOpenProposals(ctx.db, which),
    proposalsEnded: endProposals(ctx.db, { which: isIdle(which), now: ctx.clock.now() }),
  };
};

/** The background sweep continues its waiting jobs and webhooks. Throws `not_found`. */
export async function resumePlatform(ctx: Auditing, platformId: string): Promise<void> {
  const { changed } = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, { platformId, action: 'platform.resumed', guard: platformIs.suspended(platformId) }),
    changed: changePlatform(ctx.db, { platformId, suspendedAt: null }),
  });
  if (changed.length === 0) throw notThere(platformId);
}

/** With `keepHours` the current key works on. Returns the key, which is shown once. Throws `not_found`. */
export async function reissueKey(ctx: Auditing & Pick<Ctx, 'keys'>, platformId: string, keepHours?: number) {
  const key = await ctx.keys.create('sk_live_');
  const [hash, masked, now] = [await sha256(key), maskKey(key), ctx.clock.now()];
  const guard = platformIs.there(platformId);
  const keep = keepHours === undefined ? undefined : { until: now + keepHours * HOUR, hash: undefined };
  const details = { key: masked };
  const { told, audited: row } = securityChange(ctx, { platformId, action: 'key.reissued', details, guard });
  const done = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    next: insertNextKey(ctx.db, { owner: { platformId }, hash, masked, now, keep, guard }),
    ended: endSessions(ctx.db, { owner: { platformId }, now, guard }),
    told,
    row,
  });
  if (done.row.rows.length === 0) throw notThere(platformId);
  return key;
}

/**
 * One batch revokes keys and ends sessions, jobs, deliveries and proposals. Then every person's connection ends, one
 * person at a time, and the next call finishes after an interruption. Meetings stay, because they are people's records
 * too. Returns the number of people disconnected. Throws `not_found`.
 */
export async function deletePlatform(ctx: Auditing, platformId: string): Promise<number> {
  const now = ctx.clock.now();
  const { there } = await batch(ctx.db, {
    there: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, { platformId, action: 'platform.deleted', guard: platformIs.there(platformId) }),
    ended: endPlatform(ctx.db, { platformId, email: formerAddress(ctx.ids), now }),
    keys: revokePlatformKeys(ctx.db, { platformId, now }),
    sessions: endSessions(ctx.db, { owner: { platformId }, now }),
    deliveries: closeDeliveries(ctx.db, { platformId, now }),
    endpoint: deleteEndpoint(ctx.db, { platformId }),
    jobs: failJobs(ctx.db, { platformId, now }),
    ...cancelBatchesOf(ctx.db, { platformId, now }),
    ...proposalsOfSuspended(ctx, platformId),
  });
  if (there.length === 0) throw notThere(platformId);
  const people = await listConnectedIds(ctx.db, { platformId });
  for (const userId of people) await commitEndOfAccess(ctx, { userId, platformId });
  return people.length;
}
