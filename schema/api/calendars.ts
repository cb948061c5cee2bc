import * as z from 'zod';
import { instant, personPath } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';

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
  count: z.int().describe('Connections in this answer'),
  pagination: Pagination,
});

export const listCalendars = operation({
  method: 'get',
  path: '/v1/calendars',
  id: 'listCalendars',
  key: 'platform',
  summary: "List the platform's calendar connections",
  description: 'Oldest first.',
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: 'The connections.', schema: Connections },
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

export const operations = [listCalendars, disconnectCalendar];
