import * as z from 'zod';
import { docs } from '#docs';
import { address, instantOf, note, personPath, provider, providerId, success, zoneName } from './fields.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { arrayOf, oneOf } from './plain.ts';

export const Connections = z.object({
  success,
  connections: arrayOf(
    z.object({
      user_email: address,
      provider_id: providerId,
      calendar_provider: provider,
      status: oneOf(
        ['connected', 'needs_reauthorization'],
        docs(
          'State of the calendar connection. `needs_reauthorization`: access was revoked or has expired, and the person must consent again.',
        ),
      ),
      connected_at: instantOf('Time the person connected to this platform'),
      last_used_at: instantOf("Time this platform last used the person's calendar"),
      onboarding_complete: z.boolean().describe(docs('True if the person has set their preferences.')),
      timezone: zoneName,
    }),
    docs('Calendar connections of the platform, oldest first.'),
  ),
  count: z.int().describe(docs('Number of calendar connections in this response.')),
  pagination: Pagination,
});

export const listCalendars = platformOperation({
  method: 'get',
  path: '/v1/calendars',
  id: 'listCalendars',
  summary: docs("List the platform's calendar connections"),
  description: docs("Returns the connections of people's calendars to this platform, oldest first."),
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: docs("Returns the platform's calendar connections."), schema: Connections },
});

export const Disconnected = z.object({
  success,
  message: note,
  email: address,
  platform_id: z.string().describe(docs('ID of the platform that sent the request, `plat_…`.')),
});

export const disconnectCalendar = platformOperation({
  method: 'delete',
  path: '/v1/calendars/{email}',
  id: 'disconnectCalendar',
  summary: docs("Disconnect a person's calendar"),
  description: docs(
    "Revokes the access of all platforms to the person's calendar and sends each of these platforms the event `user.calendar.disconnected`. Existing meetings are not cancelled. Only the person can connect the calendar again.",
  ),
  params: personPath,
  answer: { is: docs('Confirms that the calendar is disconnected.'), schema: Disconnected },
  errors: ['connection_not_found'],
});

export const operations = [listCalendars, disconnectCalendar];
