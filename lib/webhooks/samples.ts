import { type EventData, type EventType, isEventType } from '../../schema/api/webhook-events.ts';

const ATTENDEES = ['ada@example.com', 'bob@example.com'];
const USER = { user_email: 'ada@example.com', provider_id: '108000000000000000000' };
const START = '2030-01-15T10:00:00Z';
const END = '2030-01-15T10:30:00Z';
const METADATA = { order: '1042' };
const LINK = 'https://meet.google.com/abc-defg-hij';

type Samples = { [T in EventType]: (at: string, platformId: string) => EventData<T> };

/** One event of each type with exactly its fields, about people and meetings that do not exist. */
export const SAMPLES: Samples = {
  'user.calendar.connected': (at) => ({
    ...USER,
    connected_at: at,
    timezone: 'Europe/London',
    preferences: { timezone: 'Europe/London', working_hours_start: 8, working_hours_end: 18 },
    calendar_access: 'read_write',
  }),
  'user.calendar.disconnected': (at) => ({ ...USER, disconnected_at: at, reason: 'user_requested' }),
  'user.calendar.refresh_failed': (at) => ({
    ...USER,
    failed_at: at,
    reason: 'user_revoked_or_expired',
    action: 'reauthorization_required',
    possible_causes: ['The user withdrew access in their account.'],
    oauth_url:
      'https://example.com/v1/auth/calendar/authorize?platform_key=pk_live_sample&user_email=ada%40example.com',
    suggested_user_message: 'Please connect your calendar again.',
  }),
  'meeting.scheduling.completed': () => ({
    job_id: 'sched_sample',
    success: true,
    meeting_id: 'meet_sample',
    provider_event_id: 'sampleevent',
    meet_link: LINK,
    chosen_slot: { start_time: START, end_time: END, score: 0.92, match_quality: 'excellent' },
    attendees: ATTENDEES,
    metadata: METADATA,
    agent_reasoning: 'The best time for both.',
    processing_time_ms: 1_200,
  }),
  'meeting.scheduling.failed': () => ({
    job_id: 'sched_sample',
    success: false,
    error_code: 'NO_AVAILABILITY',
    error_message: 'No time is free for both.',
    attendees: ATTENDEES,
    metadata: METADATA,
    suggestions: ['Try a shorter meeting.'],
    processing_time_ms: 1_200,
  }),
  'meeting.scheduled': (at, platformId) => ({
    meeting_id: 'meet_sample',
    attendees: ATTENDEES,
    start_time: START,
    end_time: END,
    duration: 30,
    location: 'Google Meet',
    meeting_url: LINK,
    metadata: METADATA,
    scheduled_at: at,
    scheduled_by: platformId,
  }),
  'meeting.updated': (at, platformId) => ({
    meeting_id: 'meet_sample',
    attendees: ATTENDEES,
    metadata: METADATA,
    updated_at: at,
    changes: {
      updated_by: platformId,
      reason: 'meeting_rescheduled',
      old_start_time: '2030-01-14T10:00:00Z',
      new_start_time: START,
      old_end_time: '2030-01-14T10:30:00Z',
      new_end_time: END,
    },
  }),
  'meeting.cancelled': (at, platformId) => ({
    meeting_id: 'meet_sample',
    attendees: ATTENDEES,
    metadata: METADATA,
    start_time: START,
    cancelled_at: at,
    cancelled_by: platformId,
    reason: 'cancelled_by_platform',
    calendar_event: 'deleted',
  }),
  'platform.usage_warning': (at) => ({
    current_usage: 800,
    limit: 1_000,
    percentage: 80,
    warned_at: at,
    plan: 'pro',
    message: '80% of the monthly meetings are used.',
  }),
  'platform.usage_limit_reached': (at) => ({
    current_usage: 1_000,
    limit: 1_000,
    reached_at: at,
    plan: 'pro',
    message: 'All monthly meetings are used.',
  }),
};

/** The data of a test: a sample of the type, or a sentence for `webhook.test`. */
export function sampleData(type: string, at: string, platformId: string): Record<string, unknown> {
  return isEventType(type) ? SAMPLES[type](at, platformId) : { message: 'Webhooks reach this endpoint.' };
}
