import { DAY } from '../engine/time/dates.ts';
import { AppError } from '../kit/errors.ts';

const FARTHEST_DAYS = 400;

/**
 * Throws `invalid_time` for a meeting's start, in epoch milliseconds, that is not in the future or is more than 400
 * days ahead.
 */
export function assertStart(start: number, now: number): void {
  if (start <= now) throw refuse('must be in the future');
  if (start > now + FARTHEST_DAYS * DAY) throw refuse(`must be at most ${FARTHEST_DAYS} days from now`);
}

const refuse = (rule: string) => new AppError('invalid_time', `\`start_time\` ${rule}.`, { field: 'start_time' });
