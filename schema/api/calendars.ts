import * as z from 'zod';
import { address, instantOf, note, personPath, provider, providerId, success, zoneName } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';

export const Connections = z.object({
  success,
  connections: z
    .array(
      z.object({
        user_email: address,
        provider_id: providerId,
        calendar_provider: provider,
        status: z
          .enum(['connected', 'needs_reauthorization'])
          .describe('needs_reauthorization: access has ended, and the person must consent again'),
        connected_at: instantOf('When they connected it with this platform'),
        last_used_at: instantOf('When this platform last did something with it'),
        onboarding_complete: z.boolean().describe('Whether they have set their preferences'),
        timezone: zoneName,
      }),
    )
    .describe('The connections, oldest first'),
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
  success,
  message: note,
  email: address,
  platform_id: z.string().describe('The platform that asked, `plat_…`'),
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
