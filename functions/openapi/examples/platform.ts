import type * as keysApi from '../../../schema/api/keys.ts';
import type * as platformApi from '../../../schema/api/platform.ts';
import type * as platformUsersApi from '../../../schema/api/platform-users.ts';
import type { ExamplesOf } from './example.ts';
import { ADA_PREFERENCES, BOB_PREFERENCES } from './people.ts';

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
    answer: {
      success: true,
      url: 'https://api.tandem.example/dashboard/enter?link=eyJhbGciOiJIUzI1NiJ9.example',
      expires_at: '2030-01-07T09:14:40.000Z',
      message: 'Send the browser of one of your admins there within ten minutes: the link opens the dashboard once.',
    },
  },
  getSettings: {
    answer: {
      name: 'Acme',
      email: 'dev@acme.example',
      redirect_uris: ['https://app.acme.example/connected'],
      webhook_url: 'https://hooks.acme.example/tandem',
      plan: 'pro',
      on_decline: 'notify',
    },
  },
  updateSettings: {
    body: { redirect_uris: ['https://app.acme.example/connected'], on_decline: 'notify' },
    answer: {
      success: true,
      message: 'The settings are saved.',
      redirect_uris: ['https://app.acme.example/connected'],
      webhook_url: 'https://hooks.acme.example/tandem',
      on_decline: 'notify',
    },
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
  regeneratePlatformKey: {
    answer: {
      success: true,
      api_key: 'sk_live_example',
      message: 'Keep the key now: it is not shown again. The one before works no more.',
    },
  },
};
