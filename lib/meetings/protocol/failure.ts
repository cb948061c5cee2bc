import type { EventData } from '../../../schema/api/webhook-events.ts';
import { CalendarError } from '../../kit/calendar-ports.ts';
import { AppError, SEND_LINK } from '../../kit/errors.ts';
import { say } from '../../words/patterns.ts';
import { namesOf } from '../../words/people.ts';

export type JobErrorCode = EventData<'meeting.scheduling.failed'>['error_code'];

/** `mayPass` is true if another run may succeed. */
export interface JobFailure {
  code: Exclude<JobErrorCode, 'CANCELLED'>;
  message: string;
  suggestions: string[];
  mayPass: boolean;
}

/** Used for failures without better suggestions. */
export const SUGGESTIONS: Record<JobErrorCode, string[]> = {
  NO_AVAILABILITY: [say('advice.shorter')],
  CALENDAR_NOT_FOUND: [say('advice.connect'), say('advice.then')],
  TOKEN_EXPIRED: [say('advice.reconnect'), say('advice.then')],
  TIMEZONE_ERROR: [say('advice.time_zone'), say('advice.then')],
  GOOGLE_API_ERROR: [say('advice.later')],
  USAGE_LIMIT_EXCEEDED: [say('advice.next_month'), say('advice.upgrade')],
  CANCELLED: [say('advice.still_wanted')],
  INTERNAL_ERROR: [say('advice.again')],
};

export const IN_NEW_BATCH = 'Then send the meeting in a new batch.';

/** Suggestions for a failed meeting of a batch, keyed by its code. They replace those that name the endpoint of jobs. */
export const ADVICE: Record<JobFailure['code'], string[]> = {
  ...SUGGESTIONS,
  CALENDAR_NOT_FOUND: [say('advice.connect'), IN_NEW_BATCH],
  TOKEN_EXPIRED: [say('advice.reconnect'), IN_NEW_BATCH],
  TIMEZONE_ERROR: [say('advice.time_zone'), IN_NEW_BATCH],
  GOOGLE_API_ERROR: ['Send the meeting in a new batch in a few minutes.'],
  INTERNAL_ERROR: ['Send the meeting in a new batch.'],
};

/** Another run would fail too. They replace those of `GOOGLE_API_ERROR`, which tell the caller to try again. */
export const REFUSED: string[] = [say('advice.check_calendar'), say('advice.then'), say('advice.other_first')];

/**
 * Calls the attendees by name, because the two people read the message. It leaves out how to connect a calendar,
 * because the suggestions say it.
 */
export function failureOf(error: unknown, [one, two]: readonly [string, string]): JobFailure {
  const names = namesOf([{ email: one }, { email: two }]);
  const [code, mayPass] = classify(error);
  const message =
    error instanceof AppError && code !== 'INTERNAL_ERROR'
      ? [one, two].reduce(
          (text, email) => text.replaceAll(email, names.full(email)),
          error.message.replace(` ${SEND_LINK}`, ''),
        )
      : 'Something went wrong on our side. Nothing was booked.';
  const opening = error instanceof AppError ? (error.details.suggestions ?? []) : [];
  const usual = code === 'GOOGLE_API_ERROR' && !mayPass ? REFUSED : SUGGESTIONS[code];
  return { code, message, suggestions: opening.length > 0 ? opening : usual, mayPass };
}

function classify(error: unknown): [JobFailure['code'], boolean] {
  if (!(error instanceof AppError)) return ['INTERNAL_ERROR', true];
  switch (error.code) {
    case 'no_availability':
      return ['NO_AVAILABILITY', false];
    case 'user_not_found':
      return ['CALENDAR_NOT_FOUND', false];
    case 'calendar_reconnect_required':
      return ['TOKEN_EXPIRED', false];
    case 'unknown_time_zone':
      return ['TIMEZONE_ERROR', false];
    case 'quota_exceeded':
      return ['USAGE_LIMIT_EXCEEDED', error.details.mayPass ?? false];
    case 'calendar_unavailable':
      return ['GOOGLE_API_ERROR', true];
    case 'calendar_refused':
      return isMissing(error) ? ['CALENDAR_NOT_FOUND', false] : ['GOOGLE_API_ERROR', false];
    default:
      return ['INTERNAL_ERROR', true];
  }
}

const isMissing = ({ cause }: AppError) => cause instanceof CalendarError && cause.kind === 'not_found';
