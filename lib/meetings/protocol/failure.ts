import type { ErrorCode } from '../../../schema/api/http-errors.ts';
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

/** Sentences for a failed meeting of a batch, keyed by those that name the endpoint of jobs. */
const IN_BATCH: Record<string, string> = {
  [say('advice.then')]: 'Then send the meeting in a new batch.',
  [say('advice.later')]: 'Send the meeting in a new batch in a few minutes.',
  [say('advice.again')]: 'Send the meeting in a new batch.',
};

export const inBatch = (suggestions: string[]): string[] => suggestions.map((line) => IN_BATCH[line] ?? line);

/** Another run would fail too. They replace those of `GOOGLE_API_ERROR`, which tell the caller to try again. */
const REFUSED: string[] = [say('advice.check_calendar'), say('advice.then'), say('advice.other_first')];

/** Names the two people, who read the message, and leaves out how to connect a calendar, which suggestions say. */
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

const CODES = new Map<ErrorCode, JobFailure['code']>([
  ['no_availability', 'NO_AVAILABILITY'],
  ['user_not_found', 'CALENDAR_NOT_FOUND'],
  ['calendar_reconnect_required', 'TOKEN_EXPIRED'],
  ['unknown_time_zone', 'TIMEZONE_ERROR'],
  ['quota_exceeded', 'USAGE_LIMIT_EXCEEDED'],
  ['calendar_unavailable', 'GOOGLE_API_ERROR'],
  ['calendar_refused', 'GOOGLE_API_ERROR'],
]);

function classify(error: unknown): [JobFailure['code'], boolean] {
  const code = error instanceof AppError ? CODES.get(error.code) : undefined;
  if (code === undefined || !(error instanceof AppError)) return ['INTERNAL_ERROR', true];
  if (error.code === 'calendar_refused' && isMissing(error)) return ['CALENDAR_NOT_FOUND', false];
  return [code, error.code === 'calendar_unavailable' || error.details.mayPass === true];
}

const isMissing = ({ cause }: AppError) => cause instanceof CalendarError && cause.kind === 'not_found';
