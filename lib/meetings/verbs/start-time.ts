import { assertWithinHorizon } from '../../availability/search-window.ts';
import { AppError } from '../../kit/errors.ts';

/** The caller's clock may be wrong. */
export const nowIs = (now: number) => `The time on our server is ${new Date(now).toISOString().replace(/\.\d+/, '')}.`;

/** Throws `invalid_time`, naming `field`, for a start that is not ahead or is more than 400 days ahead. */
export function assertStart(start: number, now: number, field = 'start_time'): void {
  if (start <= now) throw new AppError('invalid_time', `\`${field}\` must be in the future. ${nowIs(now)}`, { field });
  assertWithinHorizon(start, now, field);
}
