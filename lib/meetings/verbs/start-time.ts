import { assertWithinHorizon } from '../../availability/search-window.ts';
import { AppError } from '../../kit/errors.ts';

/** Returns a sentence that gives the server's time, because the caller's clock may be wrong. */
export const nowIs = (now: number) => `The time on our server is ${new Date(now).toISOString().replace(/\.\d+/, '')}.`;

/**
 * Throws `invalid_time` for a meeting's start, in epoch milliseconds, that is not in the future or is more than 400
 * days ahead. The error names `field`, the request field that held the start.
 */
export function assertStart(start: number, now: number, field = 'start_time'): void {
  if (start <= now) throw new AppError('invalid_time', `\`${field}\` must be in the future. ${nowIs(now)}`, { field });
  assertWithinHorizon(start, now, field);
}
