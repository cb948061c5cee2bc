import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import type { Actor } from '../../lib/kit/context.ts';
import { AppError, errorOf, formerKey, InternalError, keyNotValid } from '../../lib/kit/errors.ts';
import { sha256 } from '../../lib/kit/ids.ts';
import { findKeyOwner, type KeyOwner } from '../../schema/access/api-keys.ts';
import type { AppEnv, Caller, KnownCaller } from '../http/env.ts';
import { keyCheckOf } from '../http/groups.ts';
import { valuesOf } from '../http/headers.ts';
import { countByCaller, countByIp } from './rate-limit.ts';

/** `checkedAt` is when Postgres last confirmed the caller in a query of its own, in epoch milliseconds. */
type Known = { caller: KnownCaller; actor: Actor; checkedAt: number };

/** The SHA-256 of the API key is the map's key. Null marks a revoked key, which never becomes valid again. */
const known = new Map<string, Known | null>();
const MOST_KNOWN = 10_000;

/** Postgres has not checked the key again. `admitted` resolves once the handler may do more than read, or rejects. */
function beginAs(c: Context<AppEnv>, { caller, actor }: Known, admitted: Promise<void>): void {
  c.set('known', caller);
  c.set('ctx', { ...c.var.ctx, admitted, actor });
}

type SentKey = { hash: string; header: string };

const JUST_REPLACED_MS = 5_000;

/** The audit log attributes changes to the owner. Throws `unauthorized` and `platform_suspended`. */
async function checkKey(c: Context<AppEnv>, { hash, header }: SentKey): Promise<Caller> {
  if (known.get(hash) === null) return refuse(c, 'unauthorized', keyNotValid(header));
  const now = c.var.ctx.clock.now();
  const found = await findKeyOwner(c.var.ctx.db, { hash, now });
  // Another request may have replaced the key while this one was on its way, and then its end lies just ahead of `now`.
  const owner = found?.revokedAt != null && found.revokedAt - now < JUST_REPLACED_MS ? undefined : found;
  const caller = owner && callerOf(owner);
  if (known.size >= MOST_KNOWN) known.clear();
  const actor: Actor = { kind: 'key', id: owner?.masked ?? '', credential: { key: hash } };
  known.set(hash, caller === undefined ? null : { caller: knownOf(caller), actor, checkedAt: now });
  if (caller === undefined) return refuse(c, 'unauthorized', keyNotValid(header));
  c.set('caller', caller);
  if (owner?.suspendedAt != null) throw errorOf('platform_suspended');
  c.set('ctx', { ...c.var.ctx, actor });
  return caller;
}

function callerOf({ platform, user, agentHost, revokedAt }: KeyOwner): Caller {
  const isFormer = revokedAt !== null && agentHost === null;
  if (platform !== null) return { kind: 'secret', platform, isFormer };
  if (user !== null) return { kind: 'user', userId: user.id, email: user.email, isAgent: agentHost !== null, isFormer };
  throw new InternalError('An API key has neither a platform nor a user.');
}

function knownOf(caller: Caller): KnownCaller {
  if (caller.kind === 'user') return { kind: 'user', userId: caller.userId, isAgent: caller.isAgent };
  const { id, plan } = caller.platform;
  return { kind: 'secret', platform: { id, plan } };
}

export async function refuse(c: Context<AppEnv>, code: 'unauthorized' | 'forbidden', message: string): Promise<never> {
  await countByIp(c);
  throw new AppError(code, message);
}

const WITHOUT_KEY = /^\/v1\/auth\//;
const OF_USER = /^\/v1\/user(?:\/|$)/;
const OF_EITHER = /^\/mcp\/?$/;

/**
 * Identifies the caller by the API key in `Authorization: Bearer` or `X-API-Key`, and counts the request against the
 * rate limit of the key's owner, or of the IP address without a valid key. Throws 401 without a valid key, and 403 for
 * a key of the wrong kind. A request begins once it was counted and its key was checked. If this isolate knows the
 * caller, it may begin earlier: a read once it was counted, though its answer waits for the check, and a change as the
 * operation's `keyCheck` says. With `in_batch`, the key is still checked here if the request was refused, because it
 * may no longer work, and once a minute, because the caller's plan, which sets the rate limit, may have changed.
 */
export const auth = () =>
  createMiddleware<AppEnv>(async function auth(c, next) {
    if (WITHOUT_KEY.test(c.req.path)) return next();
    const key = await keyOf(c);
    const found = known.get(key.hash);
    if (found == null) {
      await admit(c, key, undefined);
      return next();
    }
    const counted = countByCaller(c, found.caller);
    const check = isOfKind(c, found.caller) ? keyCheckOf(c.req) : 'first';
    const isFresh = found.checkedAt > c.var.ctx.clock.now() - MINUTE;
    if (isFresh && check === 'in_batch' && (await passes(counted))) {
      beginAs(c, found, Promise.resolve());
      await next();
      return admitRefused(c, key, counted);
    }
    const admitted = admit(c, key, counted);
    // The check may reject before anything awaits it, and that must not become an unhandled rejection.
    admitted.catch(() => undefined);
    const mayBegin = check === 'beside_load' || (check === 'beside_read' && (await passes(counted)));
    if (mayBegin) beginAs(c, found, admitted);
    else await admitted;
    await next();
    await admitted;
  });

const passes = (counted: Promise<void>): Promise<boolean> =>
  counted.then(
    () => true,
    () => false,
  );

async function admit(c: Context<AppEnv>, key: SentKey, counted: Promise<void> | undefined): Promise<void> {
  // A revoked key gets 401 even if the rate limit is exceeded too, so the check is awaited first.
  counted?.catch(() => undefined);
  const caller = await checkKey(c, key);
  await (counted ?? countByCaller(c, caller));
  if (!isOfKind(c, caller)) throw new AppError('forbidden', FORBIDDEN[isAgent(caller) ? 'agent' : caller.kind]);
  if (caller.isFormer && !isOpenToFormer(c)) throw formerKey();
}

async function admitRefused(c: Context<AppEnv>, key: SentKey, counted: Promise<void>): Promise<void> {
  if (c.res.status < 400 || c.res.status >= 500) return;
  // The batch did nothing. If the check fails, its error must not advise to look for a change that was made.
  c.set('operation', undefined);
  await admit(c, key, counted);
}

/** It reads or books, or may be the retry of the request that replaced the key. */
const isOpenToFormer = ({ req }: Context<AppEnv>) =>
  ['GET', 'HEAD'].includes(req.method) ||
  !OF_SETTINGS.test(req.path) ||
  (REPLACES_KEY.test(req.path) && req.header('Idempotency-Key') !== undefined);

const OF_SETTINGS = /^\/v1\/(?:platform|user|users|calendars)(?:\/|$)/;
const REPLACES_KEY = /^\/v1\/(?:platform\/regenerate-key|user\/api-key\/regenerate)$/;

const isOfKind = ({ req: { path } }: Context<AppEnv>, caller: KnownCaller) =>
  OF_EITHER.test(path) || (!isAgent(caller) && caller.kind === (OF_USER.test(path) ? 'user' : 'secret'));

const isAgent = (caller: KnownCaller) => caller.kind === 'user' && caller.isAgent;

const FORBIDDEN = {
  secret: "This endpoint does not accept a platform's key. Use the API key of a person (sk_user_).",
  publishable:
    "A publishable key (pk_live_) works only in the link that connects a calendar. Use the secret key (sk_live_), or a person's API key (sk_user_) under /v1/user.",
  agent: 'The key of an agent that signed in works only on /mcp.',
  user: "This endpoint does not accept the API key of a person (sk_user_). Use the platform's secret key (sk_live_).",
};

async function keyOf(c: Context<AppEnv>): Promise<SentKey> {
  const sent = sentIn(c);
  const genuine: Sent[] = [];
  for (const one of sent) if (await c.var.ctx.keys.isGenuine(one.key)) genuine.push(one);
  const [only] = genuine;
  if (only === undefined) return refuse(c, 'unauthorized', withoutKey(c, sent));
  // Where a client joined two headers, the second key may lack its scheme.
  const hasBare = valuesOf(c.req.header('Authorization')).some((value) => /^sk_(?:live|user)_/.test(value));
  if (hasBare || genuine.some(({ key }) => key !== only.key)) return refuse(c, 'unauthorized', TWO_KEYS);
  if (only.key.startsWith('pk_live_')) return refuse(c, 'forbidden', FORBIDDEN.publishable);
  return { hash: await sha256(only.key), header: only.header };
}

type Sent = { header: string; key: string };

/** Returns what the two headers for API keys have. Proxies put credentials of their own there, or send a header twice. */
const sentIn = (c: Context<AppEnv>): Sent[] => [
  ...valuesOf(c.req.header('Authorization')).flatMap((value) => {
    const key = /^Bearer\s+(\S+)$/i.exec(value)?.[1];
    return key === undefined ? [] : [{ header: 'Authorization', key }];
  }),
  ...valuesOf(c.req.header('X-API-Key')).map((key) => ({ header: 'X-API-Key', key })),
];

const OURS = /\bsk_(?:live|user)_/;
const TWO_KEYS =
  'The request has two different API keys. Send one, in the header Authorization: Bearer or in X-API-Key.';

function withoutKey(c: Context<AppEnv>, sent: readonly Sent[]): string {
  if (OURS.test(new URL(c.req.url).search))
    return 'The API key is in the URL, where logs keep it. Replace the key, and send the new one in the header Authorization: Bearer.';
  const own = sent.filter(({ key }) => OURS.test(key));
  const headers = new Set((own.length > 0 ? own : sent).map(({ header }) => header));
  if (headers.size > 0) return keyNotValid([...headers].join(' or '));
  return valuesOf(c.req.header('Authorization')).length === 0
    ? 'The request has no API key. Send the API key in the header Authorization: Bearer or X-API-Key.'
    : 'The header Authorization must be Bearer, a blank and the API key.';
}
