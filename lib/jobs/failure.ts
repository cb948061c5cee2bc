import type { EventData } from '../../schema/api/webhook-events.ts';
import { AppError } from '../errors.ts';
import { CalendarError } from '../ports.ts';

export type JobErrorCode = EventData<'meeting.scheduling.failed'>['error_code'];

/** Why a job failed, in the words of its event; `mayPass` tells whether another run can end otherwise. */
export interface JobFailure {
  code: JobErrorCode;
  message: string;
  suggestions: string[];
  mayPass: boolean;
}

/** What to do next, where nothing better is known. */
export const SUGGESTIONS: Record<JobErrorCode, string[]> = {
  NO_AVAILABILITY: ['Book a time of your own choice with POST /v1/schedule.'],
  CALENDAR_NOT_FOUND: [
    'Send the person the URL of GET /v1/platform/oauth-url to connect their calendar.',
    'Then ask again with POST /v1/schedule/auto.',
  ],
  TOKEN_EXPIRED: [
    'Send the person the URL of GET /v1/platform/oauth-url to connect their calendar again.',
    'Then ask again with POST /v1/schedule/auto.',
  ],
  TIMEZONE_ERROR: [
    'Let the person set preferences.timezone to an IANA zone such as Europe/Berlin with PUT /v1/user/preferences.',
    'Then ask again with POST /v1/schedule/auto.',
  ],
  GOOGLE_API_ERROR: ['Ask again in a few minutes with POST /v1/schedule/auto.'],
  USAGE_LIMIT_EXCEEDED: ['Wait for the next month, when the quota starts anew.', 'Move to a larger plan.'],
  INTERNAL_ERROR: ['Ask again with POST /v1/schedule/auto; nothing was booked.'],
};

/** The failure behind whatever ended a run. */
export function failureOf(error: unknown): JobFailure {
  const [code, mayPass] = classify(error);
  const message =
    error instanceof AppError && code !== 'INTERNAL_ERROR'
      ? error.message
      : 'Something went wrong on our side; nothing was booked.';
  const opening = error instanceof AppError ? (error.details.suggestions ?? []) : [];
  return { code, message, suggestions: opening.length > 0 ? opening : SUGGESTIONS[code], mayPass };
}

function classify(error: unknown): [JobErrorCode, boolean] {
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
