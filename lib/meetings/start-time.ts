import { DAY } from '../engine/time/dates.ts';
import { AppError } from '../kit/errors.ts';

export const FARTHEST_DAYS = 400;

/** Returns a sentence that gives the server's time, because the caller's clock may be wrong. */
export const nowIs = (now: number) => `The time on our server is ${new Date(now).toISOString().replace(/\.\d+/, '')}.`;

/**
 * Throws `invalid_time` for a meeting's start, in epoch milliseconds, that is not in the future or is more than 400
 * days ahead. The error names `field`, the request field that held the start.
 */
export function assertStart(start: number, now: number, field = 'start_time'): void {
  if (start <= now) throw new AppError('invalid_time', `\`${field}\` must be in the future. ${nowIs(now)}`, { field });
  if (start > now + FARTHEST_DAYS * DAY)
    throw new AppError('invalid_time', `\`${field}\` must be at most ${FARTHEST_DAYS} days from now.`, {
      field,
    });
}
