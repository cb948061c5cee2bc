import * as z from 'zod';
import { Connections, Disconnected, OauthUrl, UserAvailability, UserStatus } from '../../schema/api/answers/people.ts';
import { UserAvailabilityQuery } from '../../schema/api/availability.ts';
import { Email, minutes } from '../../schema/api/fields.ts';
import type { Group } from './operation.ts';

const params = { email: "The person's address" };

const AuthorizeQuery = z.object({
  platform_key: z.string().describe("The platform's publishable key, `pk_live_…`"),
  user_email: Email,
  redirect_uri: z.string().optional().describe("One of the platform's redirect URIs"),
  state: z.string().optional().describe('Given back to the redirect URI'),
});

export const people: Group = {
  tag: 'People and calendars',
  description: 'Connecting calendars, and whose are connected.',
  operations: [
    {
      ...{ method: 'get', path: '/v1/auth/calendar/authorize', id: 'authorizeCalendar', key: 'none' },
      summary: 'Begin to connect a calendar; opened by the person in a browser',
      description: 'In the end the person is sent to redirect_uri with success=true or an error, and with state.',
      query: AuthorizeQuery,
      answer: { status: 302, is: "To the calendar provider's consent page." },
      pages: { 400: 'A page that says what is wrong with the link.' },
    },
    {
      ...{ method: 'get', path: '/v1/platform/oauth-url', id: 'getOauthUrl', key: 'platform' },
      summary: 'Get the link with which a person connects their calendar',
      query: z.object({ user_email: Email }),
      answer: { is: 'The link, and what to tell the person.', schema: OauthUrl },
    },
    {
      ...{ method: 'get', path: '/v1/users/{email}/status', id: 'getUserStatus', key: 'platform' },
      summary: "Ask whether a person's calendar is connected with this platform",
      params,
      answer: { is: 'The status; a stranger is simply not connected.', schema: UserStatus },
    },
    {
      ...{ method: 'get', path: '/v1/users/{email}/availability', id: 'getUserAvailability', key: 'platform' },
      summary: "List one person's free intervals",
      description: 'In their own zone and under their own rules. Give both dates or none.',
      params,
      query: UserAvailabilityQuery,
      shown: { duration_minutes: minutes(15, 120).default(30).describe('The shortest interval to list') },
      answer: { is: 'The intervals, in order.', schema: UserAvailability },
      errors: [
        ...(['invalid_date_range', 'user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'] as const),
        ...(['calendar_unavailable', 'calendar_refused'] as const),
      ],
    },
    {
      ...{ method: 'get', path: '/v1/calendars', id: 'listCalendars', key: 'platform' },
      summary: "List the platform's calendar connections",
      answer: { is: 'All connections, oldest first.', schema: Connections },
    },
    {
      ...{ method: 'delete', path: '/v1/calendars/{email}', id: 'disconnectCalendar', key: 'platform' },
      summary: "Disconnect a person's calendar",
      description:
        'Access is revoked for all platforms, each of which gets user.calendar.disconnected. Meetings stay. It cannot be undone.',
      params,
      answer: { is: 'The calendar is disconnected.', schema: Disconnected },
      errors: ['connection_not_found'],
    },
  ],
};
