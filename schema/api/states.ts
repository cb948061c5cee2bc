/** A meeting is `pending` until the calendar has the event, and `failed` if the event was never created. */
export const MEETING_STATUSES = ['pending', 'failed', 'scheduled', 'updated', 'cancelled', 'rescheduled'] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

/** Meetings with these statuses take place or took place, so their time is taken. */
export const LIVE_STATUSES = ['scheduled', 'updated'] as const satisfies MeetingStatus[];

export const SHOWN_STATUSES = [...LIVE_STATUSES, 'cancelled', 'rescheduled'] as const satisfies MeetingStatus[];
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

const isOneOf =
  <T extends MeetingStatus>(statuses: readonly T[]) =>
  (status: MeetingStatus): status is T =>
    statuses.some((one) => one === status);

export const isLive = isOneOf(LIVE_STATUSES);
export const isShown = isOneOf(SHOWN_STATUSES);

export const PROPOSAL_STATUSES = ['open', 'accepted', 'declined', 'countered', 'expired', 'withdrawn'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export const ON_EXPIRY = ['cancel', 'book_first'] as const;
export type OnExpiry = (typeof ON_EXPIRY)[number];

/** Statuses of a proposal's time. A held time reserves the time of both people. */
export const TIME_STATUSES = ['held', 'accepted', 'released'] as const;
export type TimeStatus = (typeof TIME_STATUSES)[number];

/** A dry run is `planned` until it is committed. A cancelled batch ends once its bookings are finished or undone. */
export const BATCH_STATUSES = ['processing', 'planned', 'completed', 'cancelled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** `open` has no time yet, and `placed` has one that is not booked. The other states are final. */
export const BATCH_MEETING_STATES = ['open', 'placed', 'booked', 'unplaced', 'failed', 'cancelled'] as const;
export type BatchMeetingState = (typeof BATCH_MEETING_STATES)[number];

const REASONS = [
  'CALENDAR_NOT_FOUND',
  'TOKEN_EXPIRED',
  'TIMEZONE_ERROR',
  'GOOGLE_API_ERROR',
  'USAGE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
] as const;

export const JOB_REASONS = ['NO_AVAILABILITY', ...REASONS, 'CANCELLED'] as const;
/** `TIMES_TAKEN`: the batch's other meetings took the times. `ROUND_LIMIT`: a limit of the batch is reached. */
export const BATCH_REASONS = ['NO_AVAILABILITY', 'TIMES_TAKEN', 'ROUND_LIMIT', ...REASONS] as const;

export const ACTOR_KINDS = ['key', 'session', 'operator', 'person', 'google', 'service'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const AUDIT_ACTIONS = [
  'key.created',
  'key.replaced',
  'key.reissued',
  'key.revoked',
  'link.created',
  'secret.rotated',
  'endpoint.changed',
  'endpoint.settings_changed',
  'redirect_uris.changed',
  'settings.changed',
  'session.opened',
  'session.ended',
  'sessions.ended',
  'person.disconnected',
  'person.erased',
  'platform.created',
  'platform.renamed',
  'platform.plan_changed',
  'platform.suspended',
  'platform.resumed',
  'platform.deleted',
] as const;
/** No platform is shown these, because they are about a person alone. */
export const OWN_ACTIONS = ['preferences.changed'] as const;
export type PlatformAction = (typeof AUDIT_ACTIONS)[number];
export type AuditAction = PlatformAction | (typeof OWN_ACTIONS)[number];

/** Kinds of changes that Tandem reports to a platform's webhook endpoint by `platform.security_changed`. */
export const SECURITY_CHANGES = [
  'key.replaced',
  'key.reissued',
  'secret.rotated',
  'endpoint.changed',
  'redirect_uris.changed',
] as const satisfies AuditAction[];
export type SecurityAction = (typeof SECURITY_CHANGES)[number];
