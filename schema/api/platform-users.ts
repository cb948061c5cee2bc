import * as z from 'zod';
import { docs } from '#docs';
import { address, Email, instantOf, providerId, zoneName } from './fields.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { Preferences } from './preferences.ts';

const connectedAt = instantOf('Time the person connected to this platform');
const preferences = Preferences.describe(
  docs("All of the person's preferences. A preference that the person never set has its default value."),
);

export const PlatformUsers = z.object({
  users: z
    .array(z.object({ email: address, provider_id: providerId, connected_at: connectedAt, preferences }))
    .describe(docs('People who connected a calendar to this platform, earliest connection first.')),
  total: z.int().describe(docs('Number of connected people on all pages of the list.')),
  pagination: Pagination,
});

export const listPlatformUsers = platformOperation({
  method: 'get',
  path: '/v1/platform/users',
  id: 'listPlatformUsers',
  summary: docs('List the people who connected a calendar to this platform'),
  description: docs('Returns the people in the order they connected, with their preferences.'),
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the people with their preferences.'), schema: PlatformUsers },
});

export const PlatformUserStatus = z.union([
  z.object({
    connected: z.literal(true).describe(docs('True, because this platform can schedule meetings for the person.')),
    user_email: address,
    provider_id: providerId,
    connected_at: connectedAt,
    timezone: zoneName,
    preferences,
    calendar_access: z
      .literal('read_write')
      .describe(docs("Access that the platform has to the person's calendar through Tandem.")),
  }),
  z.object({
    connected: z.literal(false).describe(docs('False, because this platform cannot schedule meetings for the person.')),
    user_email: address,
    message: z.string().describe(docs('Reason why the person is not connected to this platform, and what to do.')),
  }),
]);

export type PlatformUserStatus = z.infer<typeof PlatformUserStatus>;

export const getPlatformUserStatus = platformOperation({
  method: 'get',
  path: '/v1/platform/users/status',
  id: 'getPlatformUserStatus',
  summary: docs("Get the state of one person's connection"),
  description: docs('For an unknown email address, the response is 200 with `connected` set to false.'),
  query: z.object({ email: Email.describe(docs('Email address of the person.')) }),
  codes: { email: { wrong: 'invalid_email', missing: 'missing_email' } },
  answer: {
    is: docs("Returns the person's connection to this platform, or the reason why the person is not connected."),
    schema: PlatformUserStatus,
  },
});

export const operations = [listPlatformUsers, getPlatformUserStatus];
