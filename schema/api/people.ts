import * as z from 'zod';
import { SEARCH_ERRORS } from './availability.ts';
import { Email, instant, LocalDate, minutes, personPath, wholeText } from './fields.ts';
import { operation } from './operation.ts';
import { CalendarRead, SearchWindow } from './slot.ts';

export const authorizeCalendar = operation({
  method: 'get',
  path: '/v1/auth/calendar/authorize',
  id: 'authorizeCalendar',
  key: 'none',
  summary: 'Begin to connect a calendar; opened by the person in a browser',
  description: 'In the end the person is sent to redirect_uri with success=true or an error, and with state.',
  query: z.object({
    platform_key: z.string().describe("The platform's publishable key, `pk_live_…`"),
    user_email: Email,
    redirect_uri: z.string().optional().describe("One of the platform's redirect URIs"),
    state: z.string().optional().describe('Given back to the redirect URI'),
  }),
  answer: { status: 302, is: "To the calendar provider's consent page." },
  pages: { 400: 'A page that says what is wrong with the link.', 500: 'A page that says to try again.' },
});

export const OauthUrl = z.object({ oauth_url: z.string(), instructions: z.string() });

export const getOauthUrl = operation({
  method: 'get',
  path: '/v1/platform/oauth-url',
  id: 'getOauthUrl',
  key: 'platform',
  summary: 'Get the link with which a person connects their calendar',
  query: z.object({ user_email: Email }),
  answer: { is: 'The link, and what to tell the person.', schema: OauthUrl },
});

export const UserStatus = z.object({
  email: z.string(),
  calendar_connected: z.boolean(),
  last_sync: instant.nullable(),
  provider: z.string(),
});

export const getUserStatus = operation({
  method: 'get',
  path: '/v1/users/{email}/status',
  id: 'getUserStatus',
  key: 'platform',
  summary: "Ask whether a person's calendar is connected with this platform",
  params: personPath,
  answer: { is: 'The status; a stranger is simply not connected.', schema: UserStatus },
});

const localTime = z.string().describe('ISO 8601 with the offset of timezone');

export const UserAvailability = z.object({
  email: z.string(),
  timezone: z.string(),
  duration_minutes: z.int(),
  search_window: SearchWindow,
  intervals: z.array(z.object({ start_time: localTime, end_time: localTime })),
  calendars: z.array(CalendarRead),
});

export const getUserAvailability = operation({
  method: 'get',
  path: '/v1/users/{email}/availability',
  id: 'getUserAvailability',
  key: 'platform',
  summary: "List one person's free intervals",
  description: 'In their own zone and under their own rules. Either date alone is enough.',
  params: personPath,
  query: z.object({
    start_date: LocalDate.optional(),
    end_date: LocalDate.optional(),
    duration_minutes: wholeText(15, 120).default(30),
  }),
  shown: { duration_minutes: minutes(15, 120).default(30).describe('The shortest interval to list') },
  answer: { is: 'The intervals, in order.', schema: UserAvailability },
  errors: ['invalid_date_range', ...SEARCH_ERRORS],
});

export const Connections = z.object({
  success: z.literal(true),
  connections: z.array(
    z.object({
      user_email: z.string(),
      provider_id: z.string(),
      calendar_provider: z.string(),
      status: z.enum(['connected', 'needs_reauthorization']),
      connected_at: instant,
      last_used_at: instant,
      onboarding_complete: z.boolean(),
      timezone: z.string(),
    }),
  ),
  count: z.int(),
});

export const listCalendars = operation({
  method: 'get',
  path: '/v1/calendars',
  id: 'listCalendars',
  key: 'platform',
  summary: "List the platform's calendar connections",
  answer: { is: 'All connections, oldest first.', schema: Connections },
});

export const Disconnected = z.object({
  success: z.literal(true),
  message: z.string(),
  email: z.string(),
  platform_id: z.string(),
});

export const disconnectCalendar = operation({
  method: 'delete',
  path: '/v1/calendars/{email}',
  id: 'disconnectCalendar',
  key: 'platform',
  summary: "Disconnect a person's calendar",
  description:
    'Access is revoked for all platforms, each of which gets user.calendar.disconnected. Meetings stay. It cannot be undone.',
  params: personPath,
  answer: { is: 'The calendar is disconnected.', schema: Disconnected },
  errors: ['connection_not_found'],
});

export const operations = [
  authorizeCalendar,
  getOauthUrl,
  getUserStatus,
  getUserAvailability,
  listCalendars,
  disconnectCalendar,
];
