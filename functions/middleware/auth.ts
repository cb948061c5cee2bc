import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import { sha256 } from '../../lib/keys.ts';
import { findCaller } from '../../schema/api-keys/queries.ts';
import type { AppEnv, Caller } from '../env.ts';

const KEY = /^(?:sk_live_|pk_live_|sk_user_)[\w-]{20,100}$/;

/** Finds out who calls, by `X-API-Key` or `Authorization: Bearer`; 401 without a live key, 403 for one of another kind. */
export const auth = (kind: Caller['kind']) =>
  createMiddleware<AppEnv>(async function auth(c, next) {
    const bearer = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
    const key = c.req.header('X-API-Key') ?? bearer;
    if (key === undefined)
      throw new AppError('unauthorized', 'Send an API key as X-API-Key or as Authorization: Bearer.');
    const keyHash = await sha256(key);
    const found = KEY.test(key) ? await findCaller(c.var.ctx.db, { hash: keyHash }) : undefined;
    if (found === undefined) throw new AppError('unauthorized', 'The API key is not valid.');
    if (found.kind === 'secret' && found.platform)
      c.set('caller', { kind: 'secret', keyHash, platform: found.platform });
    if (found.kind === 'user' && found.user)
      c.set('caller', { kind: 'user', keyHash, userId: found.user.id, email: found.user.email });
    if (c.var.caller?.kind !== kind) throw new AppError('forbidden', FORBIDDEN[found.kind]);
    await next();
  });

const FORBIDDEN = {
  secret: 'A platform key gives no access here; use a user key (sk_user_).',
  publishable: 'A publishable key serves only the authorize URL; use the secret key (sk_live_) on your server.',
  user: 'A user key gives no access here; use the platform key (sk_live_).',
};
