import type { Ctx } from '../context.ts';
import { CalendarError } from '../ports.ts';

/** No further try starts later than this after the first. */
const BUDGET_MS = 6_000;
const FIRST_WAIT_MS = 250;

/**
 * Repeats a calendar call that may be repeated while it fails in a way that may pass, with backoff and the provider's
 * `Retry-After`, within a request's time budget. A refusal after an unknown outcome is itself unknown: `unavailable`.
 */
export async function persist<T>(ctx: Ctx, call: () => Promise<T>): Promise<T> {
  const lastStart = ctx.clock.now() + BUDGET_MS;
  for (let wait = FIRST_WAIT_MS, isUnknown = false; ; wait *= 2, isUnknown = true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CalendarError) || error.kind !== 'unavailable')
        throw isUnknown ? new CalendarError('unavailable', String(error), undefined, error) : error;
      const pause = Math.max(wait, (error.retryAfterSeconds ?? 0) * 1_000);
      if (ctx.clock.now() + pause > lastStart) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
