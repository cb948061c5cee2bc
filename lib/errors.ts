import type { ErrorCode } from '../schema/api/http-errors.ts';
import { isFormerAddress } from './former-address.ts';
import type { Slot } from './scheduling/types.ts';

/** Facts beside the message: `field`, `email`, `retryAfterSeconds`, and body fields of the 429 and 409 answers. */
export interface ErrorDetails {
  field?: string;
  email?: string;
  /** Whom it is about, where the answer has no field for that. */
  about?: string;
  retryAfterSeconds?: number;
  body?: Record<string, unknown>;
  /** Single changes that would open times, in words. */
  suggestions?: string[];
  /** Whether another try soon can end otherwise. */
  mayPass?: boolean;
  /** Free slots to take instead, best first. */
  alternatives?: Slot[];
}

/** A failure of ours. Its message is for the log: it holds no words but our own. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** A refusal in the domain's words: a code, a sentence that says what to do, and facts. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

export const userNotFound = (email: string, field = 'attendees') =>
  new AppError('user_not_found', `${email} has not connected a calendar with this platform.`, {
    field,
    email,
  });

export const reconnectRequired = (email: string, field = 'attendees') =>
  new AppError('calendar_reconnect_required', `${email} must connect their calendar again: the grant has ended.`, {
    field,
    about: email,
  });

/**
 * Somebody of a meeting ended their connection with its platform, or is a user no more; what other platforms may do does
 * not matter.
 */
export const noLongerConnected = (email: string) =>
  new AppError(
    'calendar_reconnect_required',
    isFormerAddress(email)
      ? 'One of the two is a user no more, so that this meeting can only be cancelled.'
      : `${email} is no longer connected with this platform; they must connect their calendar with it again.`,
  );

export const calendarUnavailable = (email: string, retryAfterSeconds?: number, cause?: unknown) =>
  new AppError(
    'calendar_unavailable',
    `The calendar of ${email} could not be reached; try again.`,
    retryAfterSeconds === undefined ? { about: email } : { about: email, retryAfterSeconds },
    cause,
  );

/** A calendar's refusal, with what that left of an operation that was undone. */
export const withOutcome = (error: unknown, what: string) =>
  error instanceof AppError && error.code.startsWith('calendar_')
    ? new AppError(error.code, `${error.message} ${what}`, error.details, error.cause)
    : error;

/** A call that may have reached the calendar got no answer; whoever reconciles it finds out what came of it. */
export const outcomeUnknown = (email: string, what: string, cause: Error & { retryAfterSeconds: number | undefined }) =>
  new AppError(
    'calendar_unavailable',
    `The calendar of ${email} did not answer. ${what}`,
    cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds },
    cause,
  );

/** Who the key belongs to ended between the look at the key and now. */
export const userGone = () => new AppError('unauthorized', 'The API key is not valid.');

export const meetingNotFound = () =>
  new AppError('meeting_not_found', 'There is no meeting of this id, or it was cancelled or rescheduled.');

export const meetingBusy = (retryAfterSeconds = 5) =>
  new AppError('meeting_busy', 'Another change of this meeting is still under way; try again.', {
    retryAfterSeconds,
  });

export const meetingForbidden = () => new AppError('forbidden', 'This meeting was made by another platform.');

export const slotUnavailable = (alternatives: Slot[], { isDayFull }: { isDayFull: boolean }) => {
  const cause = isDayFull
    ? 'At least one of the two takes no more meetings on this day'
    : 'This time is not free for both';
  const advice = alternatives.length === 0 ? ', and no other time near it is free.' : '. Take one of the alternatives.';
  return new AppError('slot_unavailable', cause + advice, { field: 'start_time', alternatives });
};

export const unknownTimeZone = (email: string) =>
  new AppError(
    'unknown_time_zone',
    `The time zone of ${email}'s calendar is not a known IANA zone. They can set one with PUT /v1/user/preferences.`,
    { field: 'attendees', email },
  );
