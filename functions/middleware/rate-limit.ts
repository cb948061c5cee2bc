import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../lib/errors.ts';
import { networkOf } from '../../lib/ip-address.ts';
import { KEYLESS_REQUESTS_PER_MINUTE, limitsOf, USER_REQUESTS_PER_MINUTE } from '../../lib/plans.ts';
import type { AppEnv, Caller } from '../env.ts';

/** Counts by IP what needs no key; the headers say how much is left, unless the store is silent. */
export const rateLimitByIp = () =>
  createMiddleware<AppEnv>(async function rateLimitByIp(c, next) {
    await countByIp(c);
    await next();
  });

/** Counts a request without a valid key against its network; throws `rate_limited`. */
export const countByIp = (c: Context<AppEnv>) =>
  count(c, `ip:${networkOf(c.req.header('CF-Connecting-IP') ?? '')}`, KEYLESS_REQUESTS_PER_MINUTE);

/** Counts a request against whom its key belongs to, so that a new key is no new budget; throws `rate_limited`. */
export async function countByOwner(c: Context<AppEnv>, caller: Caller): Promise<void> {
  const perMinute = perMinuteOf(caller);
  if (perMinute !== null) await count(c, idOf(caller), perMinute);
}

/** Whether a request of this caller was refused in this minute, as far as this isolate knows. */
export const wasRefused = (c: Context<AppEnv>, caller: Caller): boolean =>
  (refusedUntil.get(idOf(caller)) ?? 0) > c.var.ctx.clock.now();

const idOf = (caller: Caller) => (caller.kind === 'user' ? `user:${caller.userId}` : `platform:${caller.platform.id}`);

const perMinuteOf = (caller: Caller): number | null =>
  caller.kind === 'user' ? USER_REQUESTS_PER_MINUTE : limitsOf(caller.platform.plan).requestsPerMinute;

const refusedUntil = new Map<string, number>();
const MOST_REFUSED = 10_000;

async function count(c: Context<AppEnv>, id: string, perMinute: number): Promise<void> {
  const verdict = await c.var.ctx.limiter.take(id, perMinute);
  if (verdict === undefined) return;
  c.header('X-RateLimit-Limit', String(verdict.limit));
  c.header('X-RateLimit-Remaining', String(verdict.remaining));
  c.header('X-RateLimit-Reset', String(Math.ceil(verdict.resetAt / 1000)));
  if (verdict.allowed) return;
  if (refusedUntil.size >= MOST_REFUSED) refusedUntil.clear();
  refusedUntil.set(id, verdict.resetAt);
  const seconds = Math.max(1, Math.ceil((verdict.resetAt - c.var.ctx.clock.now()) / 1000));
  const again = seconds === 1 ? 'a second' : `${seconds} seconds`;
  throw new AppError('rate_limited', `At most ${verdict.limit} requests a minute; try again in ${again}.`, {
    retryAfterSeconds: seconds,
    body: { limit: verdict.limit, used: verdict.limit, resets_at: new Date(verdict.resetAt).toISOString() },
  });
}
