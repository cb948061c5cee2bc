import { DAY } from '../engine/time/dates.ts';
import { AppError } from '../kit/errors.ts';

const FARTHEST_DAYS = 400;

/**
 * Throws `invalid_time` for a meeting's start, in epoch milliseconds, that is not in the future or is more than 400
 * days ahead. The error names `field`, the request field that held the start.
 */
export function assertStart(start: number, now: number, field = 'start_time'): void {
  const refuse = (rule: string) => new AppError('invalid_time', `\`${field}\` ${rule}.`, { field });
  if (start <= now) throw refuse('must be in the future');
  if (start > now + FARTHEST_DAYS * DAY) throw refuse(`must be at most ${FARTHEST_DAYS} days from now`);
}
