import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import { sha256 } from '../../lib/keys.ts';
import { confirm, identify, NOT_VALID, refuse } from '../caller.ts';
import type { AppEnv } from '../env.ts';
import { READING_PATHS } from '../groups.ts';
import { countByOwner, wasRefused } from './rate-limit.ts';

const WITHOUT_KEY = /^\/v1\/auth\//;
const OF_USER = /^\/v1\/user(?:\/|$)/;
const OF_EITHER = /^\/mcp$/;

/**
 * Finds out who calls, by `X-API-Key` or `Authorization: Bearer`, and counts the request: against the key's owner, or
 * by IP where there is no live key. 401 without one, 403 for one of another kind than the path takes: either at `/mcp`, a
 * user key under `/v1/user`, elsewhere a platform's secret key. What only reads is counted while it reads; whatever comes
 * of a request, it is answered once the key is known to be live.
 */
export const auth = () =>
  createMiddleware<AppEnv>(async function auth(c, next) {
    if (WITHOUT_KEY.test(c.req.path)) return next();
    await identify(c, await hashOf(c));
    try {
      const { caller, claim } = c.var;
      const { path } = c.req;
      const isOfKind = OF_EITHER.test(path) || caller.kind === (OF_USER.test(path) ? 'user' : 'secret');
      const counted = countByOwner(c, caller);
      // It may refuse before anybody waits for it.
      counted.catch(() => undefined);
      if (claim !== undefined && isOfKind && onlyReads(c) && !wasRefused(c, caller)) claim.opening.admission = counted;
      else await counted;
      if (!isOfKind) throw new AppError('forbidden', FORBIDDEN[caller.kind]);
      await next();
      await counted;
    } finally {
      await confirm(c);
    }
  });

const onlyReads = ({ req }: Context<AppEnv>) =>
  ['GET', 'HEAD'].includes(req.method) || READING_PATHS.includes(req.path);

const FORBIDDEN = {
  secret: 'A platform key gives no access here; use a user key (sk_user_).',
  publishable: 'A publishable key serves only the authorize URL; use the secret key (sk_live_) on your server.',
  user: 'A user key gives no access here; use the platform key (sk_live_).',
};

/** Nothing is looked up for a key that was never made or that gives no access anywhere. */
async function hashOf(c: Context<AppEnv>): Promise<string> {
  const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  const key = c.req.header('X-API-Key') ?? bearer;
  if (key === undefined) return refuse(c, 'unauthorized', 'Send an API key as X-API-Key or as Authorization: Bearer.');
  if (!(await c.var.ctx.keys.isGenuine(key))) return refuse(c, 'unauthorized', NOT_VALID);
  if (key.startsWith('pk_live_')) return refuse(c, 'forbidden', FORBIDDEN.publishable);
  return sha256(key);
}
