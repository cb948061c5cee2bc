import * as z from 'zod';
import { address, Email, instantOf, providerId, zoneName } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { Preferences } from './preferences.ts';

const connectedAt = instantOf('When they connected with this platform');
const preferences = Preferences.describe('All preferences; what was never set has its default');

export const PlatformUsers = z.object({
  users: z
    .array(z.object({ email: address, provider_id: providerId, connected_at: connectedAt, preferences }))
    .describe('The people, in the order they connected'),
  total: z.int().describe('All connected people, whatever the page has'),
  pagination: Pagination,
});

export const listPlatformUsers = operation({
  method: 'get',
  path: '/v1/platform/users',
  id: 'listPlatformUsers',
  key: 'platform',
  summary: 'List the people who connected a calendar with this platform',
  description: 'In the order they connected.',
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: 'The people with their preferences.', schema: PlatformUsers },
});

export const PlatformUserStatus = z.union([
  z.object({
    connected: z.literal(true).describe('This platform can schedule them'),
    user_email: address,
    provider_id: providerId,
    connected_at: connectedAt,
    timezone: zoneName,
    preferences,
    calendar_access: z
      .literal('read_write')
      .describe('What the platform may do with the calendar through this service'),
  }),
  z.object({
    connected: z.literal(false).describe('This platform cannot schedule them'),
    user_email: address,
    message: z.string().describe('Why not, and what to do'),
  }),
]);

export type PlatformUserStatus = z.infer<typeof PlatformUserStatus>;

export const getPlatformUserStatus = operation({
  method: 'get',
  path: '/v1/platform/users/status',
  id: 'getPlatformUserStatus',
  key: 'platform',
  summary: "Ask how one person's calendar stands with this platform",
  description: 'A stranger is simply not connected.',
  query: z.object({ email: Email.describe('The address of the person') }),
  codes: { email: { wrong: 'invalid_email', missing: 'missing_email' } },
  answer: { is: 'The connection, or why there is none.', schema: PlatformUserStatus },
});

export const operations = [listPlatformUsers, getPlatformUserStatus];
