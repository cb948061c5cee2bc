import { CalendarError } from '../kit/calendar-ports.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, calendarUnavailable, reconnectRequired } from '../kit/errors.ts';
import { type Account, accessTokenOf, refreshToken } from './grants/access-token.ts';

/** Refreshes a rejected token once, and repeats the call. Throws `CalendarError` for the provider's other errors. */
export async function withCalendar<T>(ctx: Ctx, person: Account, call: (accessToken: string) => Promise<T>) {
  const token = await accessTokenOf(ctx, person);
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'unauthorized') throw error;
    return call(await refreshToken(ctx, person, { refused: true }));
  }
}

export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CalendarError && ['not_found', 'forbidden'].includes(error.kind)) return undefined;
    throw error;
  }
}

export function calendarFailure(error: unknown, email: string): unknown {
  if (!(error instanceof CalendarError)) return error;
  if (error.kind === 'unauthorized') return reconnectRequired(email);
  if (error.kind === 'unavailable') return calendarUnavailable(email, error.retryAfterSeconds, error);
  if (error.kind === 'changed')
    return new AppError(
      'calendar_unavailable',
      `The event on the calendar of ${email} kept changing while Tandem tried to update the event. Send the same request again.`,
      { email },
      error,
    );
  return new AppError(
    'calendar_refused',
    `The calendar of ${email} refused the request. Check that ${email} may still use that calendar.`,
    { email },
    error,
  );
}

/** Time in milliseconds after the first attempt of a calendar call within which a retry may start. */
const BUDGET_MS = 6_000;
const FIRST_WAIT_MS = 250;

/**
 * Pauses grow, honor `Retry-After` and stay within the budget. Use it only for calls that are safe to repeat. After an
 * attempt that may have succeeded a refusal proves nothing, so it becomes `unavailable`.
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
