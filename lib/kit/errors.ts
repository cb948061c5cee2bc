import type { ErrorCode } from '../../schema/api/http-errors.ts';
import type { SaidSlot } from '../engine/types.ts';
import { quotedWords } from '../words/people.ts';
import { isFormerAddress, isMadeUp } from './ids.ts';

export interface ErrorDetails {
  field?: string;
  /** Names the person whom the error is about. The dashboard shows the error at that person's field. */
  email?: string;
  retryAfterSeconds?: number;
  usage?: { limit: number | null; used: number; resetsAt: number };
  suggestions?: string[];
  /** True if a retry soon may succeed, because the cause of the error passes by itself. */
  mayPass?: boolean;
  alternatives?: SaidSlot[];
  /** The words of a reason for which nothing moved. The API's answer has them in its message alone. */
  unclear?: { kind: 'not_understood'; words: string[] } | { kind: 'cancels'; words: string };
}

/** A failure on our side. The log stores its message, so the message must contain no user data. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** Error for a change that is based on an older state than the present one. Whoever decided on it must look again. */
export class StateChanged extends Error {}

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

export const invalid = (field: string, message: string) => new AppError('invalid_request', message, { field });

const fixed = (code: ErrorCode, message: string) => () => new AppError(code, message);

export const FIXED = {
  meeting_not_found:
    'No meeting has the ID in the request. Use an ID from the response to a booking or from GET /v1/meetings.',
  job_not_found:
    'No scheduling job has the ID in the request. Use a job ID that POST /v1/schedule/auto returned, at most 30 days after the job ended.',
  batch_not_found:
    'No batch has the ID in the request. Use a batch ID that POST /v1/schedule/batch returned, at most 30 days after the batch ended.',
  batch_ended:
    'This batch has completed, so it can no longer be cancelled. To cancel one of its meetings, call DELETE /v1/meetings/{meeting_id}.',
  webhook_not_configured: 'This platform has no webhook URL. Set a URL with PUT /v1/platform/webhook.',
  webhook_disabled:
    'The webhook is disabled. To enable the webhook, send `"enabled": true` with PUT /v1/platform/webhook.',
  delivery_not_found:
    'No webhook delivery in the log has the ID in the request. Deliveries stay in the log for 30 days. GET /v1/platform/webhook/logs lists the deliveries with their IDs.',
  delivery_in_progress:
    'This webhook delivery is still in progress. Replay the delivery once GET /v1/platform/webhook/logs/{id} shows that the delivery succeeded or failed.',
  secret_rotated:
    'Another request rotated the webhook secret at the same time. Use the secret that the other request returned, or rotate the secret again.',
  proposal_not_found:
    'No proposal has the ID in the request. Use an ID that POST /v1/proposals returned. A proposal can be read until 30 days after it was answered or expired.',
  platform_suspended:
    'This platform is suspended, so its API keys do not work. Ask the operator of this service to resume the platform.',
} as const satisfies Partial<Record<ErrorCode, string>>;

export const errorOf = (code: keyof typeof FIXED) => new AppError(code, FIXED[code]);

/** What a platform can do about a person without a working connection. It ends the messages of errors about such a person. */
export const SEND_LINK = 'Send them the link from GET /v1/platform/oauth-url.';

export const userNotFound = (email: string, field = 'attendees') =>
  new AppError(
    'user_not_found',
    isMadeUp(email)
      ? `${email} is nobody's address. Tandem made it up for somebody who was deleted, or for its own use.`
      : `${email} has no calendar connected to this platform. ${SEND_LINK}`,
    { field, email },
  );

export const reconnectRequired = (email: string, field = 'attendees') =>
  new AppError(
    'calendar_reconnect_required',
    `${email} must connect their calendar again, because access to it was revoked or has expired. ${SEND_LINK}`,
    { field, email },
  );

export const peopleKeptChanging = fixed(
  'internal_error',
  'Nothing was changed, because one of the people in the request connected or disconnected a calendar at the same time. Send the same request again.',
);

/** They disconnected from this platform or deleted their account. Connections to other platforms do not count. */
export const noLongerConnected = (email: string) =>
  new AppError(
    'calendar_reconnect_required',
    isFormerAddress(email)
      ? "One attendee's account was deleted, so this meeting can only be cancelled."
      : `${email} is no longer connected to this platform, and must connect their calendar again before you can change this meeting. ${SEND_LINK}`,
    isFormerAddress(email) ? {} : { email },
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
    retryAfterSeconds === undefined ? { email } : { email, retryAfterSeconds },
    cause,
  );

export const hasCode = (error: unknown, ...codes: ErrorCode[]): error is AppError =>
  error instanceof AppError && codes.includes(error.code);

/** Adds a sentence such as "Nothing was booked." to an error of the calendar. Returns any other error unchanged. */
export const withOutcome = (error: unknown, what: string) =>
  error instanceof AppError && error.code.startsWith('calendar_')
    ? new AppError(error.code, `${error.message} ${what}`, error.details, error.cause)
    : error;

/** The call may have reached the calendar but got no answer. The background sweep later finds out if it took effect. */
export const outcomeUnknown = (email: string, what: string, cause: Error & { retryAfterSeconds: number | undefined }) =>
  new AppError(
    'calendar_unavailable',
    `The calendar of ${email} did not respond. ${what}`,
    cause.retryAfterSeconds === undefined ? { email } : { email, retryAfterSeconds: cause.retryAfterSeconds },
    cause,
  );

export const userGone = () => new AppError('unauthorized', keyNotValid());

export const keyNotValid = (header?: string) =>
  `The API key${header === undefined ? '' : ` in the header ${header}`} is not valid. Send the whole key, and check that it was not replaced or revoked.`;

export const meetingEnded = fixed(
  'meeting_not_found',
  'This meeting was cancelled or rescheduled, so it can no longer be changed. If it was rescheduled, GET /v1/meetings/{id} gives the ID of the new meeting.',
);

export const eventDeleted = fixed(
  'meeting_not_found',
  "This meeting's event was deleted in the calendar, so the meeting can no longer be changed. Book a new meeting instead.",
);

export const meetingBusy = (retryAfterSeconds = 5) =>
  new AppError(
    'meeting_busy',
    `Another change to this meeting is still in progress. Try again ${waitOf(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  );

export const batchNotPlanned = ({ isDryRun, status }: { isDryRun: boolean; status: string }) => {
  const state =
    status === 'processing'
      ? 'still being planned. Commit it once GET /v1/batches/{batch_id} shows the status `planned`'
      : `${status}. To book its meetings, send them again with POST /v1/schedule/batch`;
  const why = isDryRun
    ? `is ${state}`
    : 'was not sent with `dry_run`, so it books its meetings by itself. GET /v1/batches/{batch_id} shows how many are booked';
  return new AppError('batch_not_planned', `Nothing was committed, because this batch ${why}.`);
};

export const proposalEnded = (status: string) =>
  new AppError(
    'proposal_ended',
    `This proposal can no longer be changed, because it is ${status}. To offer other times, make a new proposal with POST /v1/proposals.`,
  );

export const proposalBusy = (retryAfterSeconds = 5) =>
  new AppError('proposal_busy', `A time of this proposal is being booked. Try again ${waitOf(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  });

/** `left` is the number of the proposal's other times that can still be accepted. */
export const timeUnavailable = (left: number) => {
  const others = left === 1 ? 'One other time' : `${left} other times`;
  const next =
    left === 0
      ? 'No other time of the proposal is left either. To offer other times, make a new proposal with POST /v1/proposals.'
      : `${others} of the proposal can still be accepted. GET /v1/proposals/{proposal_id} shows the times.`;
  return new AppError('time_unavailable', `This time of the proposal is no longer free. ${next}`, { field: 'time_id' });
};

export const tooManyProposals = (most: { ofPerson: number; ofPair: number; heldHours: number }) =>
  new AppError(
    'too_many_proposals',
    `A person can be in at most ${most.ofPerson} open proposals of your platform, which hold at most ${most.heldHours} hours of theirs with buffers, and two people can have at most ${most.ofPair} with each other. Withdraw an open proposal, or wait until a proposal ends.`,
    { field: 'attendees' },
  );

export const formerKey = fixed(
  'forbidden',
  'This API key was replaced. Until it expires it reads and books, but it makes and changes no key, session, webhook or setting. Use the new key.',
);

export const alreadyProposed = (id: string) =>
  new AppError(
    'too_many_proposals',
    `This meeting already has the open proposal ${id}. Withdraw the proposal with DELETE /v1/proposals/${id}, or wait until the proposal ends.`,
    { field: 'meeting_id' },
  );

export const meetingForbidden = fixed(
  'forbidden',
  'Another platform created this meeting, so you cannot read or change it. Use the ID of a meeting that your platform booked.',
);

/** `why` says who is not free. */
export const slotUnavailable = (alternatives: SaidSlot[], why: string) => {
  const advice =
    alternatives.length === 0
      ? 'No other time near the requested time is free. Search for another time with POST /v1/availability.'
      : 'Book one of the alternatives instead.';
  return new AppError('slot_unavailable', `Nothing was booked: ${why}. ${advice}`, {
    field: 'start_time',
    alternatives,
  });
};

/** `words` are those about time that were not understood, and `times` says when to meet. */
export const reasonUnclear = (words: string[], alternatives: SaidSlot[], field: 'reason' | 'when' = 'reason') => {
  const advice = alternatives.length === 0 ? '' : ', or take one of the alternatives';
  return new AppError(
    'reason_unclear',
    `Nothing was changed, because these words about time were not understood: ${quotedWords(...words)}. Say the time in other words${advice}.`,
    { field, alternatives, unclear: { kind: 'not_understood', words } },
  );
};

export const asksToCancel = (words: string) =>
  new AppError(
    'reason_unclear',
    `Nothing was changed, because ${quotedWords(words)} asks to cancel the meeting and not to move it. To cancel it, use DELETE /v1/meetings/{meeting_id}.`,
    { field: 'reason', unclear: { kind: 'cancels', words } },
  );

/** The times are in ISO 8601. `who` is the one person who is not free at them, if the other is. */
export const timesUnavailable = (times: string[], who: string | undefined, alternatives: SaidSlot[]) => {
  const which =
    times.length === 0
      ? 'at least one of these times was just taken or comes too close to another meeting of one of the two people'
      : `${who === undefined ? 'the two people are not both' : `${who} is not`} free at ${times.join(', ')}`;
  const advice =
    alternatives.length === 0
      ? 'No other time near the requested times is free. Search for other times with POST /v1/availability.'
      : 'Propose some of the alternatives instead.';
  return new AppError('slot_unavailable', `No proposal was made, because ${which}. ${advice}`, {
    field: 'times',
    alternatives,
  });
};

export const unknownTimeZone = (email: string) =>
  new AppError(
    'unknown_time_zone',
    `The time zone of ${email} is unknown, because their calendar names none of the IANA database. Set one with PUT /v1/user/preferences and the API key of ${email}.`,
    { field: 'attendees', email },
  );
