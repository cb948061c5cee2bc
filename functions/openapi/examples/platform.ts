import type * as keysApi from '../../../schema/api/keys.ts';
import type * as platformApi from '../../../schema/api/platform.ts';
import type * as platformUsersApi from '../../../schema/api/platform-users.ts';
import type { SubscribedEvent } from '../../../schema/api/webhook-events/names.ts';
import type * as webhooksApi from '../../../schema/api/webhooks.ts';
import { ADA_PREFERENCES, BOB_PREFERENCES, type ExamplesOf, regenerated } from './people.ts';

const SETTINGS = {
  redirect_uris: ['https://app.acme.example/connected'],
  on_decline: 'notify' as const,
  logo_url: 'https://acme.example/logo.png',
  default_preferences: {
    work_hours: { friday: { enabled: true, start: '09:00', end: '14:00' } },
    buffer_minutes: 15 as const,
  },
};
const { redirect_uris, ...OTHER_SETTINGS } = SETTINGS;
const webhook_url = 'https://hooks.acme.example/tandem';

export const platform: ExamplesOf<typeof platformApi> &
  ExamplesOf<typeof platformUsersApi> &
  Pick<ExamplesOf<typeof keysApi>, 'regeneratePlatformKey'> = {
  getDashboard: {
    answer: {
      platform: { id: 'plat_8gBvDdsyqfzuQGlVVBAi', name: 'Acme', email: 'dev@acme.example', plan: 'pro' },
      usage: { this_month: 2, limit: 1000, remaining: 998, can_schedule: true },
      connected_users: 2,
      stats: {
        total_meetings_scheduled: 2,
        meetings_this_month: 2,
        meetings_last_month: 0,
        average_acceptance_time_hours: 0,
        reschedule_rate: 0.5,
        cancellation_rate: 0.5,
      },
      api_key_masked: 'sk_live_…82e0',
    },
  },
  createDashboardLink: {
    body: { read_only: true },
    answer: {
      success: true,
      read_only: true,
      url: 'https://api.tandem.example/dashboard/enter?link=eyJhbGciOiJIUzI1NiJ9.example',
      expires_at: '2030-01-07T09:14:40.000Z',
      message: "Redirect your admin's browser to this link within 10 minutes. The link opens the dashboard once.",
    },
  },
  getSettings: {
    answer: { name: 'Acme', email: 'dev@acme.example', redirect_uris, webhook_url, plan: 'pro', ...OTHER_SETTINGS },
  },
  updateSettings: {
    body: SETTINGS,
    answer: { success: true, message: 'The settings are saved.', redirect_uris, webhook_url, ...OTHER_SETTINGS },
  },
  listPlatformUsers: {
    query: { limit: '1' },
    answer: {
      users: [
        {
          email: 'ada@example.com',
          provider_id: '113113503435055299040',
          connected_at: '2030-01-07T09:00:01.394Z',
          preferences: ADA_PREFERENCES,
        },
      ],
      total: 2,
      pagination: { next_cursor: 'MTg5NDAwNjgwMTM5NC51c3JfdmJFTEQxQ0ZkMEZWTUhDd2MyY3c', has_more: true },
    },
  },
  listAuditLog: {
    query: { limit: '1' },
    answer: {
      entries: [
        {
          id: 'audit_4rTm2cWk9JpXq7LbNvYs',
          at: '2030-01-07T09:00:02.306Z',
          action: 'link.created',
          by: { kind: 'key', id: 'sk_live_…21fc' },
          network: '198.51.100.0/24',
          request_id: 'req_2nBq7',
          details: { session: 'sess_Ue81vFzPq0TnKxWcRb5y', read_only: 'true' },
        },
      ],
      pagination: { next_cursor: 'MTg5NDAwNjgwMjMwNi5hdWRpdF80clRtMmNXazlKcFhxN0xiTnZZcw', has_more: true },
    },
  },
  getPlatformUserStatus: {
    query: { email: 'bob@example.com' },
    answer: {
      connected: true,
      user_email: 'bob@example.com',
      provider_id: '106915383601577089388',
      connected_at: '2030-01-07T09:00:02.157Z',
      timezone: 'America/New_York',
      preferences: BOB_PREFERENCES,
      calendar_access: 'read_write',
    },
  },
  regeneratePlatformKey: regenerated('sk_live_example'),
};

const ENDPOINT = {
  url: 'https://hooks.acme.example/tandem',
  enabled: true,
  events: [
    'meeting.scheduled',
    'meeting.updated',
    'meeting.cancelled',
    'meeting.scheduling.completed',
    'meeting.scheduling.failed',
  ] satisfies SubscribedEvent[],
  max_retries: 3,
  timeout_seconds: 10,
  redeliver_hours: 24,
};

const DELIVERY = {
  id: 'wh_del_8gBvDdsy5HTAThB10Npkmo7iPbX9',
  event: 'meeting.scheduled',
  timestamp: '2030-01-07T09:03:35.388Z',
  status: 'success' as const,
  response_code: 200,
  attempts: 1,
  duration_ms: 5,
  url: ENDPOINT.url,
};

export const webhooks: ExamplesOf<typeof webhooksApi> = {
  configureWebhook: {
    body: { url: ENDPOINT.url, events: ENDPOINT.events, max_retries: 3, timeout_seconds: 10 },
    answer: {
      success: true,
      ...ENDPOINT,
      secret: 'whsec_example',
      message: 'The webhook is configured. Store the secret now, because it is not shown again.',
    },
  },
  getWebhook: { answer: { ...ENDPOINT, previous_secret_valid_until: '2030-01-08T09:00:02.306Z' } },
  rotateWebhookSecret: {
    answer: {
      success: true,
      secret: 'whsec_example',
      previous_secret_valid_until: '2030-01-08T09:05:56.667Z',
      message: 'Store the secret now, because it is not shown again. The previous secret stays valid for 24 hours.',
    },
  },
  testWebhook: {
    body: { event_type: 'meeting.scheduled' },
    answer: {
      ...DELIVERY,
      id: 'wh_del_8gBvDdsyFT0i5ksAwiZEFmz8rGAn',
      timestamp: '2030-01-07T09:00:02.380Z',
      duration_ms: 14,
    },
  },
  listDeliveries: {
    query: { limit: '1', event: 'meeting.scheduled', status: 'success' },
    answer: {
      deliveries: [DELIVERY],
      stats: { total_sent: 8, success_rate: 1, avg_response_time_ms: 11, last_30_days: { success: 8, failed: 0 } },
      pagination: { next_cursor: 'MTg5NDAwNzAxNTM4OC53aF9kZWxfOGdCdkRkc3k1SFRBVGhCMTBOcGttbzdpUGJYOQ', has_more: true },
    },
  },
  getDelivery: {
    params: { id: 'wh_del_8gBvDdsyf9aef08b92d7499d9b74e3031b3c98f6' },
    answer: {
      ...DELIVERY,
      id: 'wh_del_8gBvDdsyf9aef08b92d7499d9b74e3031b3c98f6',
      timestamp: '2030-01-07T09:04:46.072Z',
      duration_ms: 2,
      event_id: 'wh_fpls0KBPq0bjWSC3RL2N',
      replay_of: DELIVERY.id,
      body: '{"id":"wh_fpls0KBPq0bjWSC3RL2N","event_type":"meeting.scheduled","timestamp":"2030-01-07T09:03:35.388Z","platform_id":"plat_8gBvDdsyqfzuQGlVVBAi","api_version":"v1","data":{"meeting_id":"meet_W0ZwBlCA6b3v10x2tBAI","attendees":["ada@example.com","bob@example.com"],"start_time":"2030-01-09T15:00:00Z","end_time":"2030-01-09T15:45:00Z","duration":45,"location":"Google Meet","meeting_url":"https://meet.google.com/yne-mbme-sln","metadata":{},"scheduled_at":"2030-01-07T09:03:35.388Z","scheduled_by":"plat_8gBvDdsyqfzuQGlVVBAi"}}',
      attempt_log: [{ number: 1, started_at: '2030-01-07T09:05:56.540Z', response_code: 200, duration_ms: 2 }],
    },
  },
  replayDelivery: {
    params: { id: DELIVERY.id },
    answer: {
      success: true,
      delivery_id: 'wh_del_8gBvDdsyf9aef08b92d7499d9b74e3031b3c98f6',
      event_id: 'wh_fpls0KBPq0bjWSC3RL2N',
      replay_of: DELIVERY.id,
      message: 'Tandem is sending the event again in a new delivery.',
    },
  },
  replayDeliveries: {
    body: { since: '2030-01-06T18:00:00Z', status: 'failed' },
    answer: { success: true, replayed: 8, has_more: false, message: 'Tandem is sending 8 events again.' },
  },
};
