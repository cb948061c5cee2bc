import { findOldestUnfinished } from '../../schema/upkeep/sealed.ts';
import { MINUTE } from '../engine/time/dates.ts';
import type { Ctx } from './context.ts';

/** A run starts each minute and takes at most about a minute. Beyond this age the minute timer counts as failing. */
const LATEST_TICK_MS = 5 * MINUTE;

/** A service that does not answer is undefined, and the log says why. */
export async function readReadiness(ctx: Ctx) {
  const [oldest, vitals, queue] = await Promise.all([
    answerOf(ctx, 'database', findOldestUnfinished(ctx.db)),
    answerOf(ctx, 'redis', ctx.vitals.read(ctx.clock.now())),
    answerOf(
      ctx,
      'queue',
      ctx.checkQueue().then(() => 'answers' as const),
    ),
  ]);
  const lastTickAt = vitals?.lastTickAt;
  const isTicking = lastTickAt !== undefined && ctx.clock.now() - lastTickAt <= LATEST_TICK_MS;
  return { oldest, vitals, queue, isTicking };
}

async function answerOf<T>(ctx: Ctx, part: 'database' | 'redis' | 'queue', asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    ctx.log('error', 'a part of the service does not answer', { part, error });
    return undefined;
  }
}
