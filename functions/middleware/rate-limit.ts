import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError, waitOf } from '../../lib/kit/errors.ts';
import {
  DOCS_REQUESTS_PER_MINUTE,
  KEYLESS_REQUESTS_PER_MINUTE,
  planLimitsOf,
  USER_REQUESTS_PER_MINUTE,
} from '../../lib/kit/plans.ts';
import { networkOf } from '../../lib/kit/url-safety.ts';
import type { AppEnv, KnownCaller } from '../http/env.ts';

/** Needs no API key. Sets the rate limit headers if Redis answers. */
export const rateLimitByIp = () =>
  createMiddleware<AppEnv>(async function rateLimitByIp(c, next) {
    await countByIp(c);
    await next();
  });

export const rateLimitDocs = () =>
  createMiddleware<AppEnv>(async function rateLimitDocs(c, next) {
    await count(c, `docs:${networkOf(c.req.header('CF-Connecting-IP') ?? '')}`, DOCS_REQUESTS_PER_MINUTE);
    await next();
  });

export const countByIp = (c: Context<AppEnv>) =>
  count(c, `ip:${networkOf(c.req.header('CF-Connecting-IP') ?? '')}`, KEYLESS_REQUESTS_PER_MINUTE);

/** A new key of the owner gets no rate limit of its own. Throws `rate_limited`. */
export async function countByCaller(c: Context<AppEnv>, caller: KnownCaller): Promise<void> {
  if (caller.kind === 'user') return count(c, `user:${caller.userId}`, USER_REQUESTS_PER_MINUTE);
  const { id, plan } = caller.platform;
  const { requestsPerMinute } = planLimitsOf(plan);
  if (requestsPerMinute !== null) await count(c, `platform:${id}`, requestsPerMinute);
}

/** Somebody with many IP addresses cannot request one page without limit. Throws `rate_limited`. */
export const countByToken = (c: Context<AppEnv>, tokenHash: string) =>
  count(c, `page:${tokenHash}`, KEYLESS_REQUESTS_PER_MINUTE);

/** A language model reads each text. Throws `rate_limited`. */
export const countTextByToken = (c: Context<AppEnv>, tokenHash: string) =>
  count(c, `text:${tokenHash}`, TEXTS_PER_MINUTE);

const TEXTS_PER_MINUTE = 6;

async function count(c: Context<AppEnv>, id: string, perMinute: number): Promise<void> {
  const verdict = await c.var.ctx.limiter.take(id, perMinute);
  if (verdict === undefined) return;
  c.header('X-RateLimit-Limit', String(verdict.limit));
  c.header('X-RateLimit-Remaining', String(verdict.remaining));
  c.header('X-RateLimit-Reset', String(Math.ceil(verdict.resetAt / 1000)));
  if (verdict.allowed) return;
  const seconds = Math.max(1, Math.ceil((verdict.resetAt - c.var.ctx.clock.now()) / 1000));
  throw new AppError(
    'rate_limited',
    `You can send at most ${verdict.limit} requests per minute. Try again ${waitOf(seconds)}.`,
    { retryAfterSeconds: seconds, usage: { limit: verdict.limit, used: verdict.limit, resetsAt: verdict.resetAt } },
  );
}
