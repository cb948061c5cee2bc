import type { Ctx } from '../context.ts';
import { AppError, calendarUnavailable, reconnectRequired } from '../errors.ts';
import { CalendarError } from '../ports.ts';
import { type Account, accessTokenOf, refreshToken } from './grants/access-token.ts';

/**
 * Runs one calendar call with the person's token; a refused token is refreshed once and the call repeated.
 * Throws `CalendarError` for the provider's other refusals, so that the caller can tell them apart.
 */
export async function withCalendar<T>(
  ctx: Ctx,
  person: Account,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  const token = await accessTokenOf(ctx, person);
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'unauthorized') throw error;
    return call(await refreshToken(ctx, person, { refused: true }));
  }
}

/** The refusal the API shows for a failed calendar call. */
export function calendarFailure(error: unknown, email: string): unknown {
  if (!(error instanceof CalendarError)) return error;
  if (error.kind === 'unauthorized') return reconnectRequired(email);
  if (error.kind === 'unavailable') return calendarUnavailable(email, error.retryAfterSeconds, error);
  if (error.kind === 'changed')
    return new AppError(
      'calendar_unavailable',
      `The event on the calendar of ${email} kept changing; try again.`,
      { about: email },
      error,
    );
  return new AppError('calendar_refused', `The calendar of ${email} refused the request.`, { about: email }, error);
}

/** No further try starts later than this after the first. */
const BUDGET_MS = 6_000;
const FIRST_WAIT_MS = 250;

/**
 * Repeats a calendar call that may be repeated while it fails in a way that may pass, with backoff and the provider's
 * `Retry-After`, within a request's time budget. A refusal after an unknown outcome is itself unknown: `unavailable`.
 */
export async function retryTransient<T>(ctx: Ctx, call: () => Promise<T>): Promise<T> {
  const lastStart = ctx.clock.now() + BUDGET_MS;
  for (let wait = FIRST_WAIT_MS, isUnknown = false; ; wait *= 2, isUnknown = true) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CalendarError) || error.kind !== 'unavailable')
        throw isUnknown ? new CalendarError('unavailable', String(error), undefined, error) : error;
      const pause = Math.max(wait, (error.retryAfterSeconds ?? 0) * 1_000);
      if (ctx.clock.now() + pause > lastStart) throw error;
      await ctx.sleep(pause);
    }
  }
}
