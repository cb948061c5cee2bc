import type { ErrorCode } from '../../schema/api/http-errors.ts';
import type { SaidSlot } from '../words/slots.ts';
import { isFormerAddress } from './former-address.ts';

/** The data that accompanies an API error's message. */
export interface ErrorDetails {
  field?: string;
  email?: string;
  /** Email address of the person the error is about, for an error whose answer has no `email` field to send it in. */
  about?: string;
  retryAfterSeconds?: number;
  /** The limit that the request would exceed, the amount used so far, and the time when the limit resets. */
  usage?: { limit: number | null; used: number; resetsAt: number };
  /** Sentences that each suggest one change that would open free times. */
  suggestions?: string[];
  /** True if a retry soon may succeed, because the cause of the error passes by itself. */
  mayPass?: boolean;
  /** The free slots offered in place of the slot that was refused, best first. */
  alternatives?: SaidSlot[];
}

/** A failure on our side. The log stores its message, so the message must contain no user data. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** A refusal of a request: an error code, its data, and a message that gives the cause and the caller's next step. */
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

const SEND_LINK = 'Send them the link from GET /v1/platform/oauth-url.';

export const userNotFound = (email: string, field = 'attendees') =>
  new AppError('user_not_found', `${email} has no calendar connected to this platform. ${SEND_LINK}`, {
    field,
    email,
  });

export const reconnectRequired = (email: string, field = 'attendees') =>
  new AppError(
    'calendar_reconnect_required',
    `${email} must connect their calendar again, because access to it was revoked or has expired. ${SEND_LINK}`,
    { field, about: email },
  );

/**
 * Returns the error for an attendee who disconnected from the meeting's platform or deleted their account. Connections
 * to other platforms do not count.
 */
export const noLongerConnected = (email: string) =>
  new AppError(
    'calendar_reconnect_required',
    isFormerAddress(email)
      ? "One attendee's account was deleted, so this meeting can only be cancelled."
      : `${email} is no longer connected to this platform, and must connect their calendar again before you can change this meeting. ${SEND_LINK}`,
  );

/** Returns a phrase for the time until a retry, such as "in 5 seconds", or "in a minute" if nobody said how long. */
export function waitOf(seconds: number | undefined): string {
  if (seconds === undefined) return 'in a minute';
  const whole = Math.max(1, Math.ceil(seconds));
  return whole === 1 ? 'in 1 second' : `in ${whole} seconds`;
}

export const calendarUnavailable = (email: string, retryAfterSeconds?: number, cause?: unknown) =>
  new AppError(
    'calendar_unavailable',
    `The calendar of ${email} could not be reached. Try again ${waitOf(retryAfterSeconds)}.`,
    retryAfterSeconds === undefined ? { about: email } : { about: email, retryAfterSeconds },
    cause,
  );

/**
 * Adds to a calendar error a sentence about the outcome, such as "Nothing was booked." Returns any other error
 * unchanged.
 */
export const withOutcome = (error: unknown, what: string) =>
  error instanceof AppError && error.code.startsWith('calendar_')
    ? new AppError(error.code, `${error.message} ${what}`, error.details, error.cause)
    : error;

/**
 * Returns the error for a call that may have reached the calendar but got no answer. The background sweep later finds
 * out if the call took effect.
 */
export const outcomeUnknown = (email: string, what: string, cause: Error & { retryAfterSeconds: number | undefined }) =>
  new AppError(
    'calendar_unavailable',
    `The calendar of ${email} did not respond. ${what}`,
    cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds },
    cause,
  );

/** Returns the error for a user who was deleted after their API key was checked. */
export const userGone = () => new AppError('unauthorized', KEY_NOT_VALID);

/** The message for an API key that is unknown, incomplete, replaced or revoked. */
export const KEY_NOT_VALID =
  'The API key is not valid. Send the whole key, and check that it was not replaced or revoked.';

export const meetingNotFound = () =>
  new AppError(
    'meeting_not_found',
    'No meeting has this ID. Use an ID from the answer to a booking or from GET /v1/meetings.',
  );

export const meetingEnded = () =>
  new AppError(
    'meeting_not_found',
    'This meeting was cancelled or rescheduled, so it can no longer be changed. If it was rescheduled, GET /v1/meetings/{id} gives the ID of the new meeting.',
  );

export const eventDeleted = () =>
  new AppError(
    'meeting_not_found',
    "This meeting's event was deleted in the calendar, so the meeting can no longer be changed. Book a new meeting instead.",
  );

export const meetingBusy = (retryAfterSeconds = 5) =>
  new AppError(
    'meeting_busy',
    `Another change to this meeting is still in progress. Try again ${waitOf(retryAfterSeconds)}.`,
    {
      retryAfterSeconds,
    },
  );

export const jobNotFound = () =>
  new AppError(
    'job_not_found',
    'No scheduling job has this ID. Use an ID from POST /v1/schedule/auto, at most 30 days after the job ended.',
  );

export const proposalNotFound = () =>
  new AppError(
    'proposal_not_found',
    'No proposal has this ID. Use an ID from POST /v1/proposals, at most 30 days after the proposal ended.',
  );

export const proposalEnded = (status: string) =>
  new AppError(
    'proposal_ended',
    `This proposal has already ended: it is ${status}. Make a new one to offer other times.`,
  );

export const proposalBusy = (retryAfterSeconds = 5) =>
  new AppError('proposal_busy', `A time of this proposal is being booked. Try again ${waitOf(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });

/** Returns the error for a time of a proposal that can no longer be accepted. `left` is the number of times that can. */
export const timeUnavailable = (left: number) => {
  const rest =
    left === 0 ? 'no other time is left' : left === 1 ? 'one other time is left' : `${left} other times are left`;
  return new AppError(
    'time_unavailable',
    `This time is no longer free, and ${rest}. GET /v1/proposals/{proposal_id} shows the times.`,
    { field: 'time_id' },
  );
};

export const tooManyProposals = (most: { ofRequester: number; ofPair: number }) =>
  new AppError(
    'too_many_proposals',
    `A requester can have ${most.ofRequester} open proposals, and two people ${most.ofPair} with each other. Withdraw one, or wait until one ends.`,
    { field: 'attendees' },
  );

export const meetingForbidden = () =>
  new AppError(
    'forbidden',
    'Another platform created this meeting, so you cannot read or change it. Use the ID of a meeting that your platform booked.',
  );

export const slotUnavailable = (alternatives: SaidSlot[], { isDayFull }: { isDayFull: boolean }) => {
  const cause = isDayFull
    ? 'one of the two people has reached their meeting limit for this day'
    : 'one of the two people is not free at this time';
  const advice =
    alternatives.length === 0
      ? 'No time near it is free either. Search for another one with POST /v1/availability.'
      : 'Book one of the alternatives instead.';
  return new AppError('slot_unavailable', `Nothing was booked, because at least ${cause}. ${advice}`, {
    field: 'start_time',
    alternatives,
  });
};

/** Returns the error for times of a proposal that are not free. The times are in ISO 8601. */
export const timesUnavailable = (times: string[], alternatives: SaidSlot[]) => {
  const which =
    times.length === 0
      ? 'at least one of these times was just taken or comes too close to another meeting of one of the two people'
      : `at least one of the two people is not free at ${times.join(', ')}`;
  const advice =
    alternatives.length === 0
      ? 'No time near it is free either. Search for other times with POST /v1/availability.'
      : 'Propose alternatives instead.';
  return new AppError('slot_unavailable', `No proposal was made, because ${which}. ${advice}`, {
    field: 'times',
    alternatives,
  });
};

export const unknownTimeZone = (email: string) =>
  new AppError(
    'unknown_time_zone',
    `The calendar of ${email} has a time zone that is not in the IANA database. ${email} can set a time zone with PUT /v1/user/preferences.`,
    { field: 'attendees', email },
  );
