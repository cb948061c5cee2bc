import * as z from 'zod';
import { Email, instant, text } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { Preferences } from './preferences.ts';

const rate = z.number().min(0).max(1);

/** A platform at a glance (`interface.md`, GET /v1/platform/dashboard). */
export const Dashboard = z.object({
  platform: z.object({ id: z.string(), name: z.string(), email: z.string(), plan: z.string() }),
  usage: z
    .object({
      this_month: z.int().describe('Meetings made and being made'),
      limit: z.int().nullable().describe('Null: unlimited'),
      remaining: z.int().nullable().describe('Null: unlimited'),
      can_schedule: z.boolean(),
    })
    .describe('Of the UTC calendar month'),
  connected_users: z.int(),
  stats: z
    .object({
      total_meetings_scheduled: z.int().describe('Ever made, cancelled ones too'),
      meetings_this_month: z.int(),
      meetings_last_month: z.int(),
      average_acceptance_time_hours: z.number().describe('From a meeting to its acceptance; 0 without any'),
      reschedule_rate: rate.describe('Share of all meetings that were rescheduled'),
      cancellation_rate: rate.describe('Share of all meetings that were cancelled'),
    })
    .describe('A meeting and those that replaced it count as one; months are those of UTC'),
  api_key_masked: z.string().describe('Prefix and last four characters'),
});

export const getDashboard = operation({
  method: 'get',
  path: '/v1/platform/dashboard',
  id: 'getDashboard',
  key: 'platform',
  summary: 'Read usage and statistics at a glance',
  answer: { is: 'The platform, its usage and its statistics.', schema: Dashboard },
});

export const PlatformUsers = z.object({
  users: z.array(
    z.object({ email: z.string(), provider_id: z.string(), connected_at: instant, preferences: Preferences }),
  ),
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
    connected: z.literal(true),
    user_email: z.string(),
    provider_id: z.string(),
    connected_at: instant,
    timezone: z.string(),
    preferences: Preferences,
    calendar_access: z.literal('read_write'),
  }),
  z.object({ connected: z.literal(false), user_email: z.string(), message: z.string() }),
]);

export type PlatformUserStatus = z.infer<typeof PlatformUserStatus>;

export const getPlatformUserStatus = operation({
  method: 'get',
  path: '/v1/platform/users/status',
  id: 'getPlatformUserStatus',
  key: 'platform',
  summary: "Ask how one person's calendar stands with this platform",
  query: z.object({ email: Email }),
  codes: { email: { wrong: 'invalid_email', missing: 'missing_email' } },
  answer: { is: 'The connection, or why there is none.', schema: PlatformUserStatus },
});

/** What becomes of a meeting that one of the two declines in their calendar. */
export const ON_DECLINE = ['notify', 'cancel', 'reschedule'] as const;
export type OnDecline = (typeof ON_DECLINE)[number];

const onDecline = z
  .enum(ON_DECLINE, `must be one of ${ON_DECLINE.join(', ')}`)
  .describe(
    'What becomes of a meeting that one of the two declines in their calendar: the platform is told and no more, or it is cancelled or rescheduled',
  );

const NO_REDIRECT_URI = 'must be HTTPS (HTTP for localhost only), without credentials and fragment';
export const MOST_REDIRECT_URIS = 5;

/** Where people may be sent back to after their consent. */
export function isRedirectUri(given: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(given)) return false;
  const uri = URL.parse(given);
  if (uri === null || uri.username !== '' || uri.password !== '' || uri.hash !== '') return false;
  return uri.protocol === 'https:' || uri.hostname === 'localhost';
}

/** A field left out keeps its value. */
export const SettingsRequest = z.object({
  redirect_uris: z
    .array(
      text(2_048).refine(isRedirectUri, NO_REDIRECT_URI).describe('An HTTPS URL; HTTP for localhost only'),
      'must be an array of redirect URIs',
    )
    .max(MOST_REDIRECT_URIS, `must have at most ${MOST_REDIRECT_URIS} entries`)
    .transform((uris) => [...new Set(uris)])
    .optional(),
  webhook_url: text(2_048).trim().min(1, 'must not be empty').optional().describe('An HTTPS URL on a public host'),
  on_decline: onDecline.optional(),
});

export const Settings = z.object({
  name: z.string(),
  email: z.string(),
  redirect_uris: z.array(z.string()),
  webhook_url: z.string().nullable().describe('Null where none was ever set'),
  plan: z.string(),
  on_decline: onDecline,
});

export const getSettings = operation({
  method: 'get',
  path: '/v1/platform/settings',
  id: 'getSettings',
  key: 'platform',
  summary: 'Read the settings',
  answer: { is: 'The settings.', schema: Settings },
});

export const UpdatedSettings = z.object({
  success: z.literal(true),
  message: z.string(),
  redirect_uris: z.array(z.string()),
  webhook_url: z.string().nullable(),
  on_decline: onDecline,
  webhook_secret: z.string().optional().describe('Only when the webhook URL is new; shown once'),
});

export const updateSettings = operation({
  method: 'put',
  path: '/v1/platform/settings',
  id: 'updateSettings',
  key: 'platform',
  summary: 'Change the given settings and no others',
  description:
    'A field that is none of these is refused. A new webhook URL gets a new secret, as with PUT /v1/platform/webhook.',
  body: SettingsRequest,
  refusesUnknownFields: true,
  codes: {
    redirect_uris: { wrong: 'invalid_redirect_uri', tooMany: 'too_many_redirect_uris' },
    webhook_url: { wrong: 'invalid_webhook_url' },
  },
  answer: { is: 'The settings after the change.', schema: UpdatedSettings },
});

export const operations = [getDashboard, listPlatformUsers, getPlatformUserStatus, getSettings, updateSettings];
