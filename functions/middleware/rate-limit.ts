import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import { limitsOf, PAGE_REQUESTS_PER_MINUTE, USER_REQUESTS_PER_MINUTE } from '../../lib/plans.ts';
import type { AppEnv } from '../env.ts';

/** Counts the request against its key's minute and says so in the headers; an unlimited plan and a silent store send none. */
export const rateLimit = () =>
  createMiddleware<AppEnv>(async function rateLimit(c, next) {
    const { caller } = c.var;
    const perMinute =
      caller.kind === 'secret' ? limitsOf(caller.platform.plan).requestsPerMinute : USER_REQUESTS_PER_MINUTE;
    if (perMinute !== null) await count(c, caller.keyHash, perMinute);
    await next();
  });

/** The same for pages and OAuth, by IP. */
export const rateLimitByIp = () =>
  createMiddleware<AppEnv>(async function rateLimitByIp(c, next) {
    await count(c, `ip:${c.req.header('CF-Connecting-IP') ?? 'unknown'}`, PAGE_REQUESTS_PER_MINUTE);
    await next();
  });

async function count(c: Context<AppEnv>, id: string, perMinute: number): Promise<void> {
  const verdict = await c.var.ctx.limiter.take(id, perMinute);
  if (verdict === undefined) return;
  c.header('X-RateLimit-Limit', String(verdict.limit));
  c.header('X-RateLimit-Remaining', String(verdict.remaining));
  c.header('X-RateLimit-Reset', String(Math.ceil(verdict.resetAt / 1000)));
  if (verdict.allowed) return;
  throw new AppError('rate_limited', `At most ${verdict.limit} requests a minute; try again at resets_at.`, {
    retryAfterSeconds: Math.max(1, (verdict.resetAt - c.var.ctx.clock.now()) / 1000),
    body: { limit: verdict.limit, used: verdict.limit, resets_at: new Date(verdict.resetAt).toISOString() },
  });
}
