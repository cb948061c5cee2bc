import * as z from 'zod';
import { note, success, text, warnings } from './fields.ts';
import { operation } from './operation.ts';

const rate = z.number().min(0).max(1);
const name = z.string().describe('Name that people see when the platform asks for access.');
const email = z.string().describe('Contact email address of the developers.');
const plan = z
  .string()
  .describe('Plan: `developer`, `starter`, `pro` (also called `growth`), `scale` or `enterprise`.');

/** Response body of GET /v1/platform/dashboard: an overview of a platform's people, meetings and webhooks. */
export const Dashboard = z.object({
  platform: z
    .object({ id: z.string().describe('ID of the platform, `plat_…`.'), name, email, plan })
    .describe('The platform that sent the request.'),
  usage: z
    .object({
      this_month: z
        .int()
        .describe('Number of meetings used this month: bookings, including those in progress, and replaced attendees.'),
      limit: z.int().nullable().describe('Meetings per month in the plan. Null if unlimited.'),
      remaining: z.int().nullable().describe('Meetings left this month. Null if unlimited.'),
      can_schedule: z.boolean().describe('True if the plan allows another meeting this month.'),
    })
    .describe('Usage in this UTC calendar month.'),
  connected_users: z.int().describe('Number of people connected now.'),
  stats: z
    .object({
      total_meetings_scheduled: z.int().describe('Number of meetings ever created, including cancelled ones.'),
      meetings_this_month: z.int().describe('Number of meetings created this month.'),
      meetings_last_month: z.int().describe('Number of meetings created last month.'),
      average_acceptance_time_hours: z
        .number()
        .describe('Average hours from an invitation to its acceptance. 0 if nobody accepted an invitation.'),
      reschedule_rate: rate.describe('Share of all meetings that were rescheduled, 0 to 1.'),
      cancellation_rate: rate.describe('Share of all meetings that were cancelled, 0 to 1.'),
    })
    .describe('Statistics by UTC month. A meeting and the meetings that replaced it count as one.'),
  api_key_masked: z.string().describe('Prefix and last four characters of the secret key.'),
});

export const getDashboard = operation({
  method: 'get',
  path: '/v1/platform/dashboard',
  id: 'getDashboard',
  key: 'platform',
  summary: 'Get usage and statistics',
  description: 'Returns the usage and the statistics of this platform.',
  answer: { is: 'Returns the platform, its usage and its statistics.', schema: Dashboard },
});

/** The reactions a platform can choose for when an attendee declines a meeting in their calendar. */
export const ON_DECLINE = ['notify', 'cancel', 'reschedule'] as const;
export type OnDecline = (typeof ON_DECLINE)[number];

const onDecline = z
  .enum(ON_DECLINE, `must be one of ${ON_DECLINE.join(', ')}`)
  .describe(
    'Reaction when an attendee declines a meeting in their calendar. `notify`: Tandem only sends an event. `cancel`: Tandem cancels the meeting. `reschedule`: Tandem moves the meeting to another time.',
  );

const NO_REDIRECT_URI = 'must be an HTTPS URL (HTTP only for localhost) without credentials or a fragment';
export const MOST_REDIRECT_URIS = 5;

/** Returns true for a URL to which people may be redirected after their consent. */
export function isRedirectUri(given: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(given)) return false;
  const uri = URL.parse(given);
  if (uri === null || uri.username !== '' || uri.password !== '' || uri.hash !== '') return false;
  return uri.protocol === 'https:' || uri.hostname === 'localhost';
}

/** Request body that changes a platform's settings. A field that is left out keeps its value. */
export const SettingsRequest = z.object({
  redirect_uris: z
    .array(
      text(2_048)
        .refine(isRedirectUri, NO_REDIRECT_URI)
        .describe('HTTPS URL. Plain HTTP is allowed only for localhost.'),
      'must be an array of URLs',
    )
    .max(MOST_REDIRECT_URIS, `must have at most ${MOST_REDIRECT_URIS} entries`)
    .transform((uris) => [...new Set(uris)])
    .optional()
    .describe(
      'URLs to which people may be redirected after their consent. At most 5. The list replaces the current list of redirect URIs.',
    ),
  webhook_url: text(2_048)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe('URL that receives webhook events: an HTTPS URL on a public host.'),
  on_decline: onDecline.optional(),
});

const redirectUris = z.array(z.string()).describe('URLs to which people may be redirected after their consent.');
const webhookUrl = z.string().nullable().describe('URL that receives webhook events. Null if no URL was ever set.');

export const Settings = z.object({
  name,
  email,
  redirect_uris: redirectUris,
  webhook_url: webhookUrl,
  plan,
  on_decline: onDecline,
});

export const getSettings = operation({
  method: 'get',
  path: '/v1/platform/settings',
  id: 'getSettings',
  key: 'platform',
  summary: 'Get the settings',
  description:
    'Name, email address and plan are set when the platform is created. You change all settings other than these three with updateSettings.',
  answer: { is: 'Returns the settings.', schema: Settings },
});

export const UpdatedSettings = z.object({
  success,
  message: note,
  redirect_uris: redirectUris,
  webhook_url: webhookUrl,
  on_decline: onDecline,
  webhook_secret: z
    .string()
    .optional()
    .describe('Secret that signs deliveries. Only if the webhook URL is new. The secret is not shown again.'),
});

export const updateSettings = operation({
  method: 'put',
  path: '/v1/platform/settings',
  id: 'updateSettings',
  key: 'platform',
  summary: 'Update the settings',
  description:
    'Changes only the settings you send. An unknown field is an error. A new webhook URL gets a new secret, as with PUT /v1/platform/webhook.',
  body: SettingsRequest,
  refusesUnknownFields: true,
  codes: {
    redirect_uris: { wrong: 'invalid_redirect_uri', tooMany: 'too_many_redirect_uris' },
    webhook_url: { wrong: 'invalid_webhook_url' },
  },
  answer: { is: 'Returns the settings after the change.', schema: UpdatedSettings },
});

export const DashboardLink = z.object({
  success,
  url: z
    .string()
    .describe(
      'Link to which you redirect the browser. The link shows a page with one button, which opens the dashboard.',
    ),
  expires_at: z.string().describe('Time from which the link no longer works, ISO 8601 in UTC.'),
  read_only: z.boolean().describe('True if the dashboard that the link opens changes nothing.'),
  message: note,
  warnings,
});

export const DashboardLinkRequest = z.object({
  read_only: z
    .boolean('must be true or false')
    .default(false)
    .describe('True for a link whose dashboard shows everything and changes nothing. Initially false.'),
});

export const createDashboardLink = operation({
  method: 'post',
  path: '/v1/platform/dashboard-link',
  id: 'createDashboardLink',
  key: 'platform',
  summary: 'Create a link that opens the dashboard once',
  description:
    'Call this endpoint from your server when one of your admins asks for the dashboard, and redirect their browser to the link. Anyone who opens the dashboard link can see and change whatever the secret key can. With a `read_only` link they can see everything and change nothing. The link works once, in one browser, within 10 minutes. A bot that only fetches the page does not use the link up. The dashboard session lasts 12 hours. The session ends earlier if the admin signs out, if somebody signs out everywhere, or if the secret key is regenerated. To replace the secret key or to change the webhook URL, the session needs a link made within 10 minutes.',
  body: DashboardLinkRequest,
  isBodyOptional: true,
  answer: { is: 'Returns the link and its expiry time.', schema: DashboardLink },
});

export const operations = [getDashboard, createDashboardLink, getSettings, updateSettings];
