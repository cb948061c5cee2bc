import type * as keysApi from '../../../schema/api/keys.ts';
import type * as platformApi from '../../../schema/api/platform.ts';
import type * as platformUsersApi from '../../../schema/api/platform-users.ts';
import type { ExamplesOf } from './example.ts';
import { ADA_PREFERENCES, BOB_PREFERENCES, regenerated } from './people.ts';

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
