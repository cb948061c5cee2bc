import { type CallOptions, type ClientOptions, createCall, sleep, type WriteOptions } from './call.ts';
import { JobTimeoutError } from './errors.ts';
import type * as api from './types.ts';

export type { Verified, VerifiedEvent, VerifyFailure, WebhookToVerify } from '../webhooks/verify.ts';
export { verifyWebhook } from '../webhooks/verify.ts';
export type { CallOptions, ClientOptions, WriteOptions } from './call.ts';
export type { ErrorCode, ErrorFacts } from './errors.ts';
export { JobTimeoutError, TandemConnectionError, TandemError } from './errors.ts';
export type * from './types.ts';

/** A part of a list; without `limit` all of it is answered. */
export interface Page {
  /** 1 to 200. */
  limit?: number | undefined;
  /** The `pagination.next_cursor` of the page before. */
  cursor?: string | null | undefined;
}

export type Tandem = ReturnType<typeof createTandem>;

/**
 * The API as methods, each named as the operation in the reference (`operationId`), in the API's own words. It answers
 * the body of a success; everything else is thrown: `TandemError` with the `code`, `TandemConnectionError` without an answer. What
 * can be sent again safely is, and what books, moves or cancels carries an `Idempotency-Key` for it.
 */
export function createTandem(options: ClientOptions) {
  const call = createCall(options);

  const read = <Answer>(path: string, query?: object, options?: CallOptions) =>
    call<Answer>({ method: 'GET', path, ...(query === undefined ? {} : { query }), repeat: 'freely', options });

  const search = <Answer>(
    path: string,
    body: unknown,
    { fresh, ...options }: CallOptions & { fresh?: boolean | undefined } = {},
  ) => call<Answer>({ method: 'POST', path, query: { fresh }, body, repeat: 'freely', options });

  const act = <Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown, options?: WriteOptions) =>
    call<Answer>({ method, path, body, repeat: 'by_key', options });

  const change = <Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, options?: CallOptions) =>
    call<Answer>({ method, path, body, repeat: method === 'PUT' ? 'freely' : 'never', options });

  return {
    // Scheduling

    /** The best times for two people; `fresh` reads both calendars now. */
    findAvailability: (body: api.AvailabilityRequest, options?: CallOptions & { fresh?: boolean | undefined }) =>
      search<api.AvailabilityAnswer>('/v1/availability', body, options),

    /** Whether a time would be offered, or whose rules stand against it. */
    explainAvailability: (body: api.ExplainRequest, options?: CallOptions & { fresh?: boolean | undefined }) =>
      search<api.ExplainAnswer>('/v1/availability/explain', body, options),

    /** Books a time; with `require_free` only a free one, else a `slot_unavailable` with alternatives is thrown. */
    scheduleMeeting: (body: api.ScheduleRequest, options?: WriteOptions) =>
      act<api.BookedMeeting>('POST', '/v1/schedule', body, options),

    /** Has Tandem pick a time and book it in the background; `waitForJob` or a webhook tells the result. */
    scheduleAutomatically: (body: api.AutoScheduleRequest, options?: WriteOptions) =>
      act<api.AcceptedJob>('POST', '/v1/schedule/auto', body, options),

    /** How a job stands. */
    getJob: (jobId: string, options?: CallOptions) => read<api.Job>(`/v1/jobs/${segment(jobId)}`, undefined, options),

    waitForJob,

    // Meetings

    /** The platform's meetings, in order of their start, 50 a page unless `limit` says else. */
    listMeetings: (
      query?: Page & {
        from?: string | undefined;
        to?: string | undefined;
        status?: api.Meeting['status'] | undefined;
        attendee?: string | undefined;
      },
      options?: CallOptions,
    ) => read<api.Meetings>('/v1/meetings', query, options),

    /** Reads a meeting, also a cancelled or rescheduled one. */
    getMeeting: (meetingId: string, options?: CallOptions) => read<api.Meeting>(meeting(meetingId), undefined, options),

    /** Changes the time or the second attendee. */
    updateMeeting: (meetingId: string, body: api.UpdateMeetingRequest, options?: WriteOptions) =>
      act<api.UpdatedMeeting>('PUT', meeting(meetingId), body, options),

    /** Cancels for both. */
    cancelMeeting: (meetingId: string, options?: WriteOptions) =>
      act<api.CancelledMeeting>('DELETE', meeting(meetingId), undefined, options),

    /** Moves it to the best other time, and learns from the reason. */
    rescheduleMeeting: (meetingId: string, body: api.RescheduleRequest, options?: WriteOptions) =>
      act<api.RescheduledMeeting>('POST', `${meeting(meetingId)}/reschedule`, body, options),

    /** A person's meetings with this platform, in order of their start. */
    listUserMeetings: (
      email: string,
      query?: Page & { from?: string | undefined; to?: string | undefined; status?: api.Meeting['status'] | undefined },
      options?: CallOptions,
    ) => read<api.UserMeetings>(`/v1/users/${segment(email)}/meetings`, query, options),

    // People and calendars

    /** The link with which a person connects their calendar. */
    getOauthUrl: (
      query: { user_email: string; redirect_uri?: string | undefined; state?: string | undefined },
      options?: CallOptions,
    ) => read<api.OauthUrl>('/v1/platform/oauth-url', query, options),

    /** Whether a person's calendar is connected. */
    getUserStatus: (email: string, options?: CallOptions) =>
      read<api.UserStatus>(`/v1/users/${segment(email)}/status`, undefined, options),

    /** One person's free intervals. */
    getUserAvailability: (
      email: string,
      query: {
        start_date: string;
        end_date: string;
        duration_minutes?: number | undefined;
        fresh?: boolean | undefined;
      },
      options?: CallOptions,
    ) => read<api.UserAvailability>(`/v1/users/${segment(email)}/availability`, query, options),

    /** The platform's connections. */
    listCalendars: (query?: Page, options?: CallOptions) => read<api.Connections>('/v1/calendars', query, options),

    /** Ends a person's connection. */
    disconnectCalendar: (email: string, options?: CallOptions) =>
      change<api.Disconnected>('DELETE', `/v1/calendars/${segment(email)}`, undefined, options),

    // Platform

    /** Usage and statistics at a glance. */
    getDashboard: (options?: CallOptions) => read<api.Dashboard>('/v1/platform/dashboard', undefined, options),

    /** A link that opens the dashboard once, within ten minutes. */
    createDashboardLink: (options?: CallOptions) =>
      change<api.DashboardLink>('POST', '/v1/platform/dashboard-link', undefined, options),

    /** The people who connected a calendar, with their preferences. */
    listPlatformUsers: (query?: Page, options?: CallOptions) =>
      read<api.PlatformUsers>('/v1/platform/users', query, options),

    /** How one person's calendar stands. */
    getPlatformUserStatus: (email: string, options?: CallOptions) =>
      read<api.PlatformUserStatus>('/v1/platform/users/status', { email }, options),

    getSettings: (options?: CallOptions) => read<api.Settings>('/v1/platform/settings', undefined, options),

    /** Changes the settings that are given. */
    updateSettings: (body: api.SettingsRequest, options?: CallOptions) =>
      change<api.UpdatedSettings>('PUT', '/v1/platform/settings', body, options),

    /** The next secret key; this one is dead at once. */
    regeneratePlatformKey: (options?: CallOptions) =>
      change<api.RegeneratedKey>('POST', '/v1/platform/regenerate-key', undefined, options),

    // Webhooks

    /** Where events go, and which. */
    getWebhook: (options?: CallOptions) => read<api.ShownWebhook>('/v1/platform/webhook', undefined, options),

    configureWebhook: (body: api.WebhookRequest, options?: CallOptions) =>
      change<api.ConfiguredWebhook>('PUT', '/v1/platform/webhook', body, options),

    /** The next signing secret; the one before signs too for 24 hours. */
    rotateWebhookSecret: (options?: CallOptions) =>
      change<api.RotatedSecret>('POST', '/v1/platform/webhook/rotate-secret', undefined, options),

    /** Sends a test event or a sample of `event_type`, once, and says how it went. */
    testWebhook: (body?: api.WebhookTestRequest, options?: CallOptions) =>
      change<api.TestedWebhook>('POST', '/v1/platform/webhook/test', body, options),

    /** Deliveries, newest first. */
    listDeliveries: (
      query?: Page & { event?: string | undefined; status?: 'success' | 'failed' | 'pending' | undefined },
      options?: CallOptions,
    ) => read<api.DeliveryLog>('/v1/platform/webhook/logs', query, options),

    /** A delivery with its attempts. */
    getDelivery: (deliveryId: string, options?: CallOptions) =>
      read<api.DeliveryWithAttempts>(delivery(deliveryId), undefined, options),

    /** Sends the event of a delivery again: the same id, the same bytes. */
    replayDelivery: (deliveryId: string, options?: CallOptions) =>
      change<api.ReplayedDelivery>('POST', `${delivery(deliveryId)}/replay`, undefined, options),

    /** Sends again every event since an instant. */
    replayDeliveries: (body: api.WebhookReplayRequest, options?: CallOptions) =>
      change<api.ReplayedSince>('POST', '/v1/platform/webhook/replay', body, options),

    // A person, with their own key

    getPreferences: (options?: CallOptions) => read<api.UserPreferences>('/v1/user/preferences', undefined, options),

    /** Changes the preferences that are given. */
    updatePreferences: (body: api.PreferencesRequest, options?: CallOptions) =>
      change<api.UpdatedPreferences>('PUT', '/v1/user/preferences', body, options),

    getUserInfo: (options?: CallOptions) => read<api.UserInfo>('/v1/user/info', undefined, options),

    /** What was learned about the person, and from what. */
    getLearning: (query?: Page, options?: CallOptions) => read<api.Learning>('/v1/user/learning', query, options),

    /** Undoes one learned change. */
    undoLearning: (id: string, options?: CallOptions) =>
      change<api.UndoneLearning>('POST', `/v1/user/learning/${segment(id)}/undo`, undefined, options),

    /** Forgets all that was learned. */
    resetLearning: (options?: CallOptions) =>
      change<api.ResetLearning>('DELETE', '/v1/user/learning', undefined, options),

    /** Everything held about the person. */
    exportUser: (options?: CallOptions) => read<api.UserExport>('/v1/user/export', undefined, options),

    /** Deletes the person; the key works no more. */
    deleteUser: (options?: CallOptions) => change<api.DeletedUser>('DELETE', '/v1/user', undefined, options),

    /** The person's next key; this one is dead at once. */
    regenerateUserKey: (options?: CallOptions) =>
      change<api.RegeneratedKey>('POST', '/v1/user/api-key/regenerate', undefined, options),

    /** Whether the service is up. */
    getHealth: (options?: CallOptions) => read<api.Health>('/health', undefined, options),
  };

  /**
   * Asks until the job has ended, after 1 second, then every 2. A failed job is an answer, not an error: look at `status`.
   * Throws `JobTimeoutError` after `timeoutSeconds`, 120 by default; the job itself goes on.
   */
  async function waitForJob(
    jobId: string,
    { timeoutSeconds = 120, signal }: CallOptions & { timeoutSeconds?: number | undefined } = {},
  ): Promise<api.Job> {
    const path = `/v1/jobs/${segment(jobId)}`;
    const until = Date.now() + timeoutSeconds * 1_000;
    for (let pause = 1_000; ; pause = 2_000) {
      const job = await read<api.Job>(path, undefined, { signal });
      if (job.status !== 'processing') return job;
      if (Date.now() + pause > until) throw new JobTimeoutError(jobId, timeoutSeconds);
      await sleep(pause, signal);
    }
  }
}

const segment = encodeURIComponent;
const meeting = (id: string) => `/v1/meetings/${segment(id)}`;
const delivery = (id: string) => `/v1/platform/webhook/logs/${segment(id)}`;
