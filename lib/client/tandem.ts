import { type CallOptions, type ClientOptions, createCall, type WriteOptions } from './call.ts';
import { type Page, requestsOf, waitingOf } from './requests.ts';
import type { Answers, Bodies } from './types.ts';

export type { VerifyFailure, WebhookToVerify } from '../webhooks/verify.ts';
export type { CallOptions, ClientOptions, WriteOptions } from './call.ts';
export type { ErrorCode, ErrorFacts } from './errors.ts';
export { BatchTimeoutError, JobTimeoutError, TandemConnectionError, TandemError } from './errors.ts';
export type { Page, WaitForBatchOptions, WaitOptions } from './requests.ts';
export type * from './types.ts';
export { type Verified, verifyWebhook } from './webhooks.ts';

export type Tandem = ReturnType<typeof createTandem>;

interface MeetingFilter extends Page {
  from?: string | undefined;
  to?: string | undefined;
  status?: Answers['Meeting']['status'] | undefined;
}

type Rescheduled<Body> = Body extends { propose: true } ? 'ProposedReschedule' : 'RescheduledMeeting';

/**
 * Creates a client with one method per API operation, under its `operationId`. A method returns the body of a success.
 * It throws `TandemError` with a `code`, or `TandemConnectionError` if there was no answer. Safe requests are retried.
 * Requests that book, move or cancel carry an `Idempotency-Key`, so they are safe to retry.
 */
export function createTandem(options: ClientOptions) {
  const requests = requestsOf(createCall(options));
  const { read, post, act, end, change, renew } = requests;
  const { waitForJob, waitForBatch, listBatchMeetings } = waitingOf(requests);

  return {
    // Scheduling

    /** Finds the best times for two people to meet. With `fresh`, Tandem reads both calendars now. */
    findAvailability: (body: Bodies['AvailabilityRequest'], options?: CallOptions & { fresh?: boolean | undefined }) =>
      post<'AvailabilityAnswer'>('/v1/availability', body, options),

    /** Explains whether a search would offer a given time, and otherwise which rules exclude it. */
    explainAvailability: (body: Bodies['ExplainRequest'], options?: CallOptions & { fresh?: boolean | undefined }) =>
      post<'ExplainAnswer'>('/v1/availability/explain', body, options),

    /** Books a meeting at a given time. With `require_free`, throws `slot_unavailable` if it is not free. */
    scheduleMeeting: (body: Bodies['ScheduleRequest'], options?: WriteOptions) =>
      act<'BookedMeeting'>('POST', '/v1/schedule', body, options),

    /** Lets Tandem choose a time and book it in the background. Get the result with `waitForJob` or by webhook. */
    scheduleAutomatically: (body: Bodies['AutoScheduleRequest'], options?: WriteOptions) =>
      act<'AcceptedJob'>('POST', '/v1/schedule/auto', body, options),

    getJob: (jobId: string, options?: CallOptions) => read<'Job'>(`/v1/jobs/${segment(jobId)}`, undefined, options),

    waitForJob,

    /** Cancels a scheduling job that is still processing, and the booking that it has begun. Safe to repeat. */
    cancelJob: (jobId: string, options?: CallOptions) => end<'CancelledJob'>(`/v1/jobs/${segment(jobId)}`, options),

    // Batches

    /** Finds times for many meetings together, and books them in the background, unless it is a `dry_run`. */
    scheduleBatch: (body: Bodies['BatchRequest'], options?: WriteOptions) =>
      act<'AcceptedBatch'>('POST', '/v1/schedule/batch', body, options),

    /** Reads a batch with its counts and a page of its meetings, 100 per page unless `limit` is set. */
    getBatch: (batchId: string, query?: Page, options?: CallOptions) =>
      read<'Batch'>(batchPath(batchId), query, options),

    /** Books the meetings of a planned dry run. A repeated call does no harm. */
    commitBatch: (batchId: string, options?: CallOptions) =>
      post<'AcceptedBatch'>(`${batchPath(batchId)}/commit`, undefined, options),

    waitForBatch,

    listBatchMeetings,

    /** Stops everything in a batch that is not booked yet. A repeated call does no harm. */
    cancelBatch: (batchId: string, options?: CallOptions) => end<'CancelledBatch'>(batchPath(batchId), options),

    // Proposals

    /** Makes a proposal: several times for a meeting, which are reserved for both people until the proposal ends. */
    proposeTimes: (body: Bodies['ProposalRequest'], options?: WriteOptions) =>
      act<'MadeProposal'>('POST', '/v1/proposals', body, options),

    /** Lists the platform's proposals, newest first, 50 per page unless `limit` is set. */
    listProposals: (
      query?: Page & { status?: Answers['Proposal']['status'] | undefined; email?: string | undefined },
      options?: CallOptions,
    ) => read<'Proposals'>('/v1/proposals', query, options),

    getProposal: (proposalId: string, options?: CallOptions) =>
      read<'Proposal'>(proposal(proposalId), undefined, options),

    /** Books a time of an open proposal. A repeated call does no harm. */
    acceptProposal: (proposalId: string, body: Bodies['AcceptRequest'], options?: CallOptions) =>
      post<'SettledProposal'>(`${proposal(proposalId)}/accept`, body, options),

    /** Declines an open proposal and frees its times. A repeated call does no harm. */
    declineProposal: (proposalId: string, body?: Bodies['DeclineRequest'], options?: CallOptions) =>
      post<'SettledProposal'>(`${proposal(proposalId)}/decline`, body, options),

    /** Withdraws an open proposal and frees its times. A repeated call does no harm. */
    withdrawProposal: (proposalId: string, options?: CallOptions) => end<'Proposal'>(proposal(proposalId), options),

    // Meetings

    /** Lists the platform's meetings by start time, 50 per page unless `limit` is set. */
    listMeetings: (query?: MeetingFilter & { attendee?: string | undefined }, options?: CallOptions) =>
      read<'Meetings'>('/v1/meetings', query, options),

    /** Reads a meeting, even a cancelled or rescheduled one. */
    getMeeting: (meetingId: string, options?: CallOptions) => read<'Meeting'>(meeting(meetingId), undefined, options),

    /** Changes the time or the second attendee of a meeting. */
    updateMeeting: (meetingId: string, body: Bodies['UpdateMeetingRequest'], options?: WriteOptions) =>
      act<'UpdatedMeeting'>('PUT', meeting(meetingId), body, options),

    cancelMeeting: (meetingId: string, options?: WriteOptions) =>
      act<'CancelledMeeting'>('DELETE', meeting(meetingId), undefined, options),

    /** Moves a meeting to the best other time, and learns from the reason. With `propose`, offers the three best. */
    rescheduleMeeting: <const Body extends Bodies['RescheduleRequest']>(
      meetingId: string,
      body: Body,
      options?: WriteOptions,
    ) => act<Rescheduled<Body>>('POST', `${meeting(meetingId)}/reschedule`, body, options),

    /** Lists a person's meetings with this platform by start time. */
    listUserMeetings: (email: string, query?: MeetingFilter, options?: CallOptions) =>
      read<'UserMeetings'>(`/v1/users/${segment(email)}/meetings`, query, options),

    // People and calendars

    /** Returns the link with which a person connects their calendar. */
    getOauthUrl: (
      query: { user_email: string; redirect_uri?: string | undefined; state?: string | undefined },
      options?: CallOptions,
    ) => read<'OauthUrl'>('/v1/platform/oauth-url', query, options),

    getUserStatus: (email: string, options?: CallOptions) =>
      read<'UserStatus'>(`/v1/users/${segment(email)}/status`, undefined, options),

    /** Returns the free intervals of one person's calendar. */
    getUserAvailability: (
      email: string,
      query: {
        start_date?: string | undefined;
        end_date?: string | undefined;
        duration_minutes?: number | undefined;
        fresh?: boolean | undefined;
      },
      options?: CallOptions,
    ) => read<'UserAvailability'>(`/v1/users/${segment(email)}/availability`, query, options),

    /** Erases a guest (a person who never connected to the platform) from the platform's meetings and proposals. */
    eraseGuest: (email: string, options?: CallOptions) =>
      change<'ErasedGuest'>('DELETE', `/v1/users/${segment(email)}`, undefined, options),

    /** Lists the platform's connections to people's calendars. */
    listCalendars: (query?: Page, options?: CallOptions) => read<'Connections'>('/v1/calendars', query, options),

    disconnectCalendar: (email: string, options?: CallOptions) =>
      change<'Disconnected'>('DELETE', `/v1/calendars/${segment(email)}`, undefined, options),

    // Platform

    getDashboard: (options?: CallOptions) => read<'Dashboard'>('/v1/platform/dashboard', undefined, options),

    /** Creates a link that opens the dashboard once, within ten minutes. */
    createDashboardLink: (body?: Bodies['DashboardLinkRequest'], options?: CallOptions) =>
      change<'DashboardLink'>('POST', '/v1/platform/dashboard-link', body, options),

    /** Lists the people who connected a calendar, with their preferences. */
    listPlatformUsers: (query?: Page, options?: CallOptions) =>
      read<'PlatformUsers'>('/v1/platform/users', query, options),

    getPlatformUserStatus: (email: string, options?: CallOptions) =>
      read<'PlatformUserStatus'>(`/v1/platform/users/status?email=${segment(email)}`, undefined, options),

    /** Lists the changes of keys, secrets, settings, sessions and access, newest first, and who made each. */
    listAuditLog: (query?: Page, options?: CallOptions) => read<'AuditLog'>('/v1/platform/audit-log', query, options),

    getSettings: (options?: CallOptions) => read<'Settings'>('/v1/platform/settings', undefined, options),

    /** Keeps the settings that are not given. */
    updateSettings: (body: Bodies['SettingsRequest'], options?: CallOptions) =>
      change<'UpdatedSettings'>('PUT', '/v1/platform/settings', body, options),

    /** Creates a new secret key. The current key is revoked at once, or works for `keep_old_for_hours` more. */
    regeneratePlatformKey: (body?: Bodies['KeyRequest'], options?: WriteOptions) =>
      renew<'RegeneratedKey'>('/v1/platform/regenerate-key', body, options),

    // Webhooks

    getWebhook: (options?: CallOptions) => read<'ShownWebhook'>('/v1/platform/webhook', undefined, options),

    configureWebhook: (body: Bodies['WebhookRequest'], options?: CallOptions) =>
      change<'ConfiguredWebhook'>('PUT', '/v1/platform/webhook', body, options),

    /** Creates a new webhook secret. The previous secret also signs for 24 hours. */
    rotateWebhookSecret: (options?: CallOptions) =>
      change<'RotatedSecret'>('POST', '/v1/platform/webhook/rotate-secret', undefined, options),

    /** Sends a test event, or a sample event of `event_type`, to the webhook once. Returns the result. */
    testWebhook: (body?: Bodies['WebhookTestRequest'], options?: CallOptions) =>
      change<'TestedWebhook'>('POST', '/v1/platform/webhook/test', body, options),

    /** Lists the platform's webhook deliveries, newest first. */
    listDeliveries: (
      query?: Page & { event?: string | undefined; status?: 'success' | 'failed' | 'pending' | undefined },
      options?: CallOptions,
    ) => read<'DeliveryLog'>('/v1/platform/webhook/logs', query, options),

    getDelivery: (deliveryId: string, options?: CallOptions) =>
      read<'DeliveryWithAttempts'>(delivery(deliveryId), undefined, options),

    /** Sends a webhook delivery's event again with the same id and the same bytes. */
    replayDelivery: (deliveryId: string, options?: CallOptions) =>
      change<'ReplayedDelivery'>('POST', `${delivery(deliveryId)}/replay`, undefined, options),

    /** Sends every webhook event since a given time again. */
    replayDeliveries: (body: Bodies['WebhookReplayRequest'], options?: CallOptions) =>
      change<'ReplayedSince'>('POST', '/v1/platform/webhook/replay', body, options),

    // A person's own data, with the API key of that person

    getPreferences: (options?: CallOptions) => read<'UserPreferences'>('/v1/user/preferences', undefined, options),

    /** Keeps the preferences that are not given. */
    updatePreferences: (body: Bodies['PreferencesRequest'], options?: CallOptions) =>
      change<'UpdatedPreferences'>('PUT', '/v1/user/preferences', body, options),

    getUserInfo: (options?: CallOptions) => read<'UserInfo'>('/v1/user/info', undefined, options),

    /** Reads the preferences learned about the person, and the reasons they were learned from. */
    getLearning: (query?: Page, options?: CallOptions) => read<'Learning'>('/v1/user/learning', query, options),

    /** Undoes one change of the preferences that Tandem learned about the person. */
    undoLearning: (id: string, options?: CallOptions) =>
      change<'UndoneLearning'>('POST', `/v1/user/learning/${segment(id)}/undo`, undefined, options),

    resetLearning: (options?: CallOptions) =>
      change<'ResetLearning'>('DELETE', '/v1/user/learning', undefined, options),

    exportUser: (options?: CallOptions) => read<'UserExport'>('/v1/user/export', undefined, options),

    /** Deletes the person and revokes their key. */
    deleteUser: (options?: CallOptions) => change<'DeletedUser'>('DELETE', '/v1/user', undefined, options),

    /** Creates the person's next API key. The current one is revoked at once, or works for `keep_old_for_hours`. */
    regenerateUserKey: (body?: Bodies['KeyRequest'], options?: WriteOptions) =>
      renew<'RegeneratedKey'>('/v1/user/api-key/regenerate', body, options),

    getHealth: (options?: CallOptions) => read<'Health'>('/health', undefined, options),
  };
}

const segment = encodeURIComponent;
const meeting = (id: string) => `/v1/meetings/${segment(id)}`;
const batchPath = (id: string) => `/v1/batches/${segment(id)}`;
const proposal = (id: string) => `/v1/proposals/${segment(id)}`;
const delivery = (id: string) => `/v1/platform/webhook/logs/${segment(id)}`;
