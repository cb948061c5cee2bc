import { Hono } from 'hono';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import { areZonesOld, ZONES_RELEASE } from '../../lib/engine/time/zone-table.ts';
import type { Ctx } from '../../lib/kit/context.ts';
import { AppError } from '../../lib/kit/errors.ts';
import { isSameText } from '../../lib/kit/hmac.ts';
import { findOldestUnfinished } from '../../schema/upkeep/sealed.ts';
import type { AppEnv } from '../http/env.ts';
import { countByIp } from '../middleware/rate-limit.ts';

/** A monitor calls `/health/ready` each minute with `HEALTH_TOKEN`. It answers 503 when a part is down. */
export const ready = new Hono<AppEnv>();

ready.get('/health/ready', async (c) => {
  const { ctx, env } = c.var;
  const token = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';
  if (!(await isSameText(token, env.HEALTH_TOKEN))) {
    await countByIp(c);
    throw new AppError(
      'unauthorized',
      'This path requires the health token. Send the value of HEALTH_TOKEN in the header Authorization: Bearer.',
    );
  }
  const { oldest, vitals, queue, isTicking } = await readReadiness(ctx);
  const parts = {
    database: stateOf(oldest !== undefined),
    redis: stateOf(vitals !== undefined),
    queue: stateOf(queue !== undefined),
    tick: stateOf(isTicking),
  };
  const isReady = Object.values(parts).every((state) => state === 'up');
  const ageOf = (at: number | undefined) =>
    at === undefined ? null : Math.max(0, Math.round((ctx.clock.now() - at) / 1_000));
  if (!isReady) c.set('refusal', 'not_ready');
  return c.json(
    {
      status: isReady ? 'ready' : 'not_ready',
      ...parts,
      last_tick_age_seconds: ageOf(vitals?.lastTickAt),
      oldest_unfinished_booking_age_seconds: ageOf(oldest?.bookingAt),
      oldest_undelivered_event_age_seconds: ageOf(oldest?.eventAt),
      searches: vitals === undefined ? null : toShares(vitals.searches),
      time_zones: {
        state: areZonesOld(ctx.clock.now()) ? 'old' : 'current',
        release: ZONES_RELEASE.name,
        released: ZONES_RELEASE.date,
        known_until: ZONES_RELEASE.knownUntil,
      },
      google_calls:
        vitals === undefined ? null : { last_24_hours: vitals.calendarCalls, daily_quota: GOOGLE_CALLS_A_DAY },
    },
    isReady ? 200 : 503,
  );
});

/** Calls of the Calendar API a day that Google's Standard Tier allows a project, as of November 2026. */
const GOOGLE_CALLS_A_DAY = 1_000_000;

const stateOf = (isUp: boolean) => (isUp ? 'up' : 'down');

function toShares({ since, snapshot, live }: { since: number; snapshot: number; live: number }) {
  const total = snapshot + live;
  const share = total === 0 ? null : Math.round((live / total) * 1_000) / 1_000;
  return { since: new Date(since).toISOString(), total, live, live_share: share };
}

/** A run starts each minute and takes at most about a minute. Beyond this age the minute timer counts as failing. */
const LATEST_TICK_MS = 5 * MINUTE;

/** A service that does not answer is undefined, and the log says why. */
export async function readReadiness(ctx: Ctx) {
  const [oldest, vitals, queue] = await Promise.all([
    answerOf(ctx, 'database', findOldestUnfinished(ctx.db)),
    answerOf(ctx, 'redis', ctx.vitals.read(ctx.clock.now())),
    answerOf(ctx, 'queue', askQueue(ctx)),
  ]);
  const lastTickAt = vitals?.lastTickAt;
  const isTicking = lastTickAt !== undefined && ctx.clock.now() - lastTickAt <= LATEST_TICK_MS;
  return { oldest, vitals, queue, isTicking };
}

const askQueue = (ctx: Ctx) => ctx.checkQueue().then(() => 'answers' as const);

async function answerOf<T>(ctx: Ctx, part: 'database' | 'redis' | 'queue', asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    ctx.log('error', 'a part of the service does not answer', { part, error });
    return undefined;
  }
}
