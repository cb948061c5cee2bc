import type * as calendarOauthApi from '../../../schema/api/calendar-oauth.ts';
import type * as calendarsApi from '../../../schema/api/calendars.ts';
import type * as usersByEmailApi from '../../../schema/api/users-by-email.ts';
import type { ExamplesOf } from './example.ts';
import { LAST_PAGE } from './people.ts';

export const calendars: ExamplesOf<typeof calendarOauthApi> &
  ExamplesOf<typeof usersByEmailApi> &
  ExamplesOf<typeof calendarsApi> = {
  authorizeCalendar: {
    query: {
      platform_key: 'pk_live_example',
      user_email: 'ada@example.com',
      redirect_uri: 'https://app.acme.example/connected',
      state: 'n7Xq2',
    },
  },
  getOauthUrl: {
    query: { user_email: 'ada@example.com', redirect_uri: 'https://app.acme.example/connected', state: 'n7Xq2' },
    answer: {
      oauth_url:
        'https://api.tandem.example/v1/auth/calendar/authorize?platform_key=pk_live_example&user_email=ada%40example.com&redirect_uri=https%3A%2F%2Fapp.acme.example%2Fconnected&state=n7Xq2',
      instructions:
        'Send this link to ada@example.com. They sign in with that Google account and allow access to their calendar. Then you can schedule meetings for them.',
    },
  },
  getUserStatus: {
    params: { email: 'ada@example.com' },
    answer: {
      email: 'ada@example.com',
      calendar_connected: true,
      last_sync: '2030-01-07T09:00:01.394Z',
      provider: 'google',
    },
  },
  eraseGuest: {
    params: { email: 'grace@example.org' },
    answer: {
      success: true,
      email: 'grace@example.org',
      message: 'The guest was erased from your meetings and proposals.',
    },
  },
  getUserAvailability: {
    params: { email: 'bob@example.com' },
    query: { start_date: '2030-01-08', end_date: '2030-01-09', duration_minutes: '60' },
    answer: {
      email: 'bob@example.com',
      timezone: 'America/New_York',
      duration_minutes: 60,
      search_window: { start: '2030-01-08', end: '2030-01-09', days: 2 },
      intervals: [
        { start_time: '2030-01-08T08:00:00-05:00', end_time: '2030-01-08T10:00:00-05:00' },
        { start_time: '2030-01-08T13:00:00-05:00', end_time: '2030-01-08T18:00:00-05:00' },
        { start_time: '2030-01-09T08:00:00-05:00', end_time: '2030-01-09T18:00:00-05:00' },
      ],
      calendars: [{ email: 'bob@example.com', read_at: '2030-01-07T09:00:03.071Z', source: 'google' }],
    },
  },
  listCalendars: {
    query: { limit: '50' },
    answer: {
      success: true,
      connections: [
        {
          user_email: 'ada@example.com',
          provider_id: '113113503435055299040',
          calendar_provider: 'google',
          status: 'connected',
          connected_at: '2030-01-07T09:00:01.394Z',
          last_used_at: '2030-01-07T09:00:01.394Z',
          onboarding_complete: false,
          timezone: 'Europe/London',
        },
        {
          user_email: 'bob@example.com',
          provider_id: '106915383601577089388',
          calendar_provider: 'google',
          status: 'connected',
          connected_at: '2030-01-07T09:00:02.157Z',
          last_used_at: '2030-01-07T09:00:02.157Z',
          onboarding_complete: false,
          timezone: 'America/New_York',
        },
      ],
      count: 2,
      pagination: LAST_PAGE,
    },
  },
  disconnectCalendar: {
    params: { email: 'ada@example.com' },
    answer: {
      success: true,
      message:
        'The calendar of ada@example.com is now disconnected from all platforms. To connect the calendar again, send the person the link from GET /v1/platform/oauth-url.',
      email: 'ada@example.com',
      platform_id: 'plat_8gBvDdsyqfzuQGlVVBAi',
    },
  },
};
