import * as z from 'zod';
import { note, success, text } from './fields.ts';
import { operation } from './operation.ts';

const rate = z.number().min(0).max(1);
const name = z.string().describe('The name people see when they are asked for access');
const email = z.string().describe("The developers' address");
const plan = z
  .string()
  .describe('The plan: developer, starter, pro (growth is another name of it), scale or enterprise');

/** A platform at a glance (`interface.md`, GET /v1/platform/dashboard). */
export const Dashboard = z.object({
  platform: z
    .object({ id: z.string().describe('The id of the platform, `plat_…`'), name, email, plan })
    .describe('Who asks'),
  usage: z
    .object({
      this_month: z.int().describe('Meetings made and being made this month'),
      limit: z.int().nullable().describe('Meetings the plan has a month; null: unlimited'),
      remaining: z.int().nullable().describe('Meetings left this month; null: unlimited'),
      can_schedule: z.boolean().describe('Whether another meeting can be made this month'),
    })
    .describe('Of the UTC calendar month'),
  connected_users: z.int().describe('People connected now'),
  stats: z
    .object({
      total_meetings_scheduled: z.int().describe('Ever made, cancelled ones too'),
      meetings_this_month: z.int().describe('Made this month'),
      meetings_last_month: z.int().describe('Made last month'),
      average_acceptance_time_hours: z.number().describe('Hours from an invitation to its acceptance; 0 without any'),
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
  description: 'Of this platform alone.',
  answer: { is: 'The platform, its usage and its statistics.', schema: Dashboard },
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
    .optional()
    .describe('Where people may be sent back to after their consent, all of them anew; at most 5'),
  webhook_url: text(2_048)
    .trim()
    .min(1, 'must not be empty')
    .optional()
    .describe('Where events go: an HTTPS URL on a public host'),
  on_decline: onDecline.optional(),
});

const redirectUris = z.array(z.string()).describe('Where people may be sent back to after their consent');
const webhookUrl = z.string().nullable().describe('Where events go; null where none was ever set');

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
  summary: 'Read the settings',
  description: 'Name, address and plan are set when the platform is made; the others with updateSettings.',
  answer: { is: 'The settings.', schema: Settings },
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
    .describe('Only when the webhook URL is new: the secret that signs deliveries, shown here and never again'),
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

export const DashboardLink = z.object({
  success,
  url: z
    .string()
    .describe('The link to send the browser to; it opens a page with one button, which opens the dashboard'),
  expires_at: z.string().describe('From when on it opens nothing'),
  message: note,
});

export const createDashboardLink = operation({
  method: 'post',
  path: '/v1/platform/dashboard-link',
  id: 'createDashboardLink',
  key: 'platform',
  summary: 'Make a link that opens the dashboard once',
  description:
    'Make it on your server when one of your own admins asks for it, and redirect their browser to it: whoever opens it sees and changes what the secret key can. It works once, in one browser, within ten minutes; a robot that only looks at it does not use it up. The session it opens lasts 12 hours, and ends when its person signs out or the secret key is regenerated.',
  answer: { is: 'The link, and until when it works.', schema: DashboardLink },
});

export const operations = [getDashboard, createDashboardLink, getSettings, updateSettings];
