import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import { sha256 } from '../../lib/keys.ts';
import { findCaller } from '../../schema/api-keys/queries.ts';
import type { AppEnv, Caller } from '../env.ts';
import { countByIp, countByOwner } from './rate-limit.ts';

const WITHOUT_KEY = /^\/v1\/auth\//;
const OF_USER = /^\/v1\/user(?:\/|$)/;

/**
 * Finds out who calls, by `X-API-Key` or `Authorization: Bearer`, and counts the request: against the key's owner, or
 * by IP where there is no live key. 401 without one, 403 for one of another kind than the path takes: a user key under
 * `/v1/user`, elsewhere a platform's secret key.
 */
export const auth = () =>
  createMiddleware<AppEnv>(async function auth(c, next) {
    if (WITHOUT_KEY.test(c.req.path)) return next();
    const caller = await callerOf(c);
    c.set('caller', caller);
    await countByOwner(c, caller);
    if (caller.kind !== (OF_USER.test(c.req.path) ? 'user' : 'secret'))
      throw new AppError('forbidden', FORBIDDEN[caller.kind]);
    await next();
  });

const FORBIDDEN = {
  secret: 'A platform key gives no access here; use a user key (sk_user_).',
  publishable: 'A publishable key serves only the authorize URL; use the secret key (sk_live_) on your server.',
  user: 'A user key gives no access here; use the platform key (sk_live_).',
};

/** Hashes of genuine keys that have ended, which is for ever: each costs one query. */
const ended = new Set<string>();
const MOST_REMEMBERED = 10_000;

/** Nothing is looked up for a key that was never made or that gives no access anywhere. */
async function callerOf(c: Context<AppEnv>): Promise<Caller> {
  const { ctx } = c.var;
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  const key = c.req.header('X-API-Key') ?? bearer;
  if (key === undefined) return refuse(c, 'unauthorized', 'Send an API key as X-API-Key or as Authorization: Bearer.');
  if (!(await ctx.keys.isGenuine(key))) return refuse(c, 'unauthorized', NOT_VALID);
  if (key.startsWith('pk_live_')) return refuse(c, 'forbidden', FORBIDDEN.publishable);
  const hash = await sha256(key);
  const found = ended.has(hash) ? undefined : await findCaller(ctx.db, { hash });
  if (found?.platform) return { kind: 'secret', platform: found.platform };
  if (found?.user) return { kind: 'user', userId: found.user.id, email: found.user.email };
  if (ended.size >= MOST_REMEMBERED) ended.clear();
  ended.add(hash);
  return refuse(c, 'unauthorized', NOT_VALID);
}

const NOT_VALID = 'The API key is not valid.';

async function refuse(c: Context<AppEnv>, code: 'unauthorized' | 'forbidden', message: string): Promise<never> {
  await countByIp(c);
  throw new AppError(code, message);
}
