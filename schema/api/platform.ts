import * as z from 'zod';
import { answer, answerOneOf, docs } from '#docs';
import * as f from './fields.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageLimit, pageQuery, shownLimit, shownPage, USUAL_PAGE } from './paging.ts';
import { preferences, SuggestedPreferences } from './preferences.ts';
import { ACTOR_KINDS, AUDIT_ACTIONS } from './states.ts';
import { secretOfNewUrl } from './webhooks.ts';

const name = z.string().describe(docs('Name that people see when the platform asks for access.'));
const email = z.string().describe(docs("Contact email address of the platform's developers."));
const plan = f.stringOf(docs('Plan: `developer`, `starter`, `pro` (also called `growth`), `scale` or `enterprise`.'));

export const Dashboard = answer(() => ({
  platform: f.objectOf('The platform that sent the request.', {
    id: z.string().describe('ID of the platform, `plat_…`.'),
    name,
    email,
    plan,
  }),
  usage: f.objectOf('Meetings that the platform has used in this UTC calendar month.', {
    this_month: f.intOf(
      "Number of meetings that count toward this month's limit: bookings, including bookings in progress, and replaced attendees.",
    ),
    limit: f.intOrNull('Number of meetings per month that the plan allows. Null if the plan has no limit.'),
    remaining: f.intOrNull(
      'Number of meetings that the platform can still create this month. Null if the plan has no limit.',
    ),
    can_schedule: z.boolean().describe('True if the plan allows another meeting this month.'),
  }),
  connected_users: z.int().describe('Number of people who are connected to the platform now.'),
  stats: f.objectOf(
    "Statistics of the platform's meetings, by UTC month. A meeting and the meetings that replaced it count as one meeting.",
    {
      total_meetings_scheduled: f.intOf('Number of meetings ever created, including cancelled meetings.'),
      meetings_this_month: f.intOf('Number of meetings that the platform created in this UTC calendar month.'),
      meetings_last_month: f.intOf('Number of meetings that the platform created in the previous UTC calendar month.'),
      average_acceptance_time_hours: f.numberOf(
        'Average number of hours between an invitation and its acceptance. 0 if nobody accepted an invitation.',
      ),
      reschedule_rate: f.shareOf('Share of all meetings that were rescheduled, 0 to 1.'),
      cancellation_rate: f.shareOf('Share of all meetings that were cancelled, 0 to 1.'),
    },
  ),
  api_key_masked: z.string().describe('Masked secret key: its prefix and last four characters.'),
}));

export const getDashboard = platformOperation('get /v1/platform/dashboard', {
  summary: docs('Get usage and statistics'),
  description: docs('Returns the usage and the statistics of this platform.'),
  answer: { is: docs('Returns the platform, its usage and its statistics.'), schema: Dashboard },
});

export const ON_DECLINE = ['notify', 'cancel', 'reschedule', 'propose'] as const;
export type OnDecline = (typeof ON_DECLINE)[number];

const onDecline = f.described(
  f.choiceOf(ON_DECLINE),
  docs(
    'Reaction when an attendee declines a meeting in their calendar. `notify`: Tandem only sends an event. `cancel`: Tandem cancels the meeting. `reschedule`: Tandem moves the meeting to another time. `propose`: Tandem offers the two people the three best other times in a proposal. Tandem makes no such proposal if the meeting begins within 48 hours, or if three proposals for the meeting were made already.',
  ),
);

const NO_REDIRECT_URI = 'must be an HTTPS URL (HTTP only for localhost) without credentials or a fragment';
export const MOST_REDIRECT_URIS = 5;

export function isRedirectUri(given: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(given)) return false;
  const uri = URL.parse(given);
  if (uri === null || uri.username !== '' || uri.password !== '' || uri.hash !== '') return false;
  return uri.protocol === 'https:' || uri.hostname === 'localhost';
}

export const LONGEST_LOGO_URL = 500;
const NO_LOGO_URL =
  'must be an HTTPS URL of an image on a public host, without credentials or a fragment, or an empty string';

/** The host goes into the consent page's content security policy, where a `;` would begin another rule. */
export function isLogoUrl(given: string): boolean {
  if (!/^https:\/\/[^\s\\]+$/i.test(given)) return false;
  const url = URL.parse(given);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(url.hostname);
}

export const SettingsRequest = z.object({
  redirect_uris: f.optionalOf(
    z
      .array(
        f
          .text(2_048)
          .refine(isRedirectUri, NO_REDIRECT_URI)
          .describe(docs('Redirect URI: an HTTPS URL. Plain HTTP is allowed only for localhost.')),
        'must be an array of URLs',
      )
      .max(MOST_REDIRECT_URIS, `must have at most ${MOST_REDIRECT_URIS} entries`)
      .transform((uris) => [...new Set(uris)]),
    docs(
      'URLs to which people may be redirected after their consent. The list has at most 5 URLs and replaces the current list of redirect URIs.',
    ),
  ),
  webhook_url: f.optionalOf(
    f.someText(2_048),
    docs('URL that receives webhook events: an HTTPS URL on a public host.'),
  ),
  on_decline: onDecline.optional(),
  logo_url: f.optionalOf(
    f.text(LONGEST_LOGO_URL).refine((given) => given === '' || isLogoUrl(given), NO_LOGO_URL),
    docs(
      'URL of your logo for the pages that ask people for access to their calendar and offer them times: an HTTPS URL of a square image. Tandem never fetches the logo; the browser of the person does, without a referrer. An empty string removes the logo.',
    ),
  ),
  default_preferences: SuggestedPreferences.optional().describe(
    docs(
      'Preferences that you suggest to people who connect to Tandem for the first time. The page that asks for access shows them, and people can change them. Suggested work hours leave at least 10 hours a week. They replace what you suggested before; an empty object ends the suggestion.',
    ),
  ),
});

export const Settings = answer(() => ({
  name,
  email,
  redirect_uris: f.arrayOf(z.string(), 'URLs to which people may be redirected after their consent.'),
  webhook_url: f.stringOrNull('URL that receives webhook events. Null if the platform never set a URL.'),
  plan,
  on_decline: onDecline,
  logo_url: f.stringOrNull(
    'URL of the logo on the pages that ask people for access and offer them times. Null if the platform has no logo.',
  ),
  default_preferences: SuggestedPreferences.nullable().describe(
    'Preferences that you suggest to people who connect to Tandem for the first time. Null if you suggest none.',
  ),
}));

export const getSettings = platformOperation('get /v1/platform/settings', {
  summary: docs("Get the platform's settings"),
  description: docs(
    "The platform's name, email address and plan are set when the platform is created. You can change all other settings with updateSettings.",
  ),
  answer: { is: docs("Returns the platform's settings."), schema: Settings },
});

export const UpdatedSettings = answer(() => ({
  success: f.success,
  message: f.note,
  ...Settings.omit({ name: true, email: true, plan: true }).shape,
  webhook_secret: secretOfNewUrl,
}));

export const updateSettings = platformOperation('put /v1/platform/settings', {
  summary: docs("Update the platform's settings"),
  description: docs(
    "Changes only the platform's settings that you send. An unknown field in the request is an error. If the webhook URL changes, Tandem creates a new webhook secret, as with PUT /v1/platform/webhook.",
  ),
  body: SettingsRequest,
  refusesUnknownFields: true,
  codes: {
    redirect_uris: { wrong: 'invalid_redirect_uri', tooMany: 'too_many_redirect_uris' },
    webhook_url: { wrong: 'invalid_webhook_url' },
  },
  answer: { is: docs("Returns the platform's settings after the change."), schema: UpdatedSettings },
});

export const DashboardLink = answer(() => ({
  success: f.success,
  url: f.stringOf(
    "Link to which you redirect your admin's browser. The link shows a page with one button, which opens the dashboard.",
  ),
  expires_at: z.string().describe('Time from which the dashboard link no longer works, ISO 8601 in UTC.'),
  read_only: z.boolean().describe('True if the link opens a dashboard in which nothing can be changed.'),
  message: f.note,
  warnings: f.warnings,
}));

export const DashboardLinkRequest = z.object({
  read_only: f.flagOf(
    docs('True to get a link to a dashboard that shows everything but in which nothing can be changed.'),
  ),
});

export const createDashboardLink = platformOperation('post /v1/platform/dashboard-link', {
  summary: docs('Create a link that opens the dashboard once'),
  description: docs(
    'Call this endpoint from your server when one of your admins asks for the dashboard, and redirect their browser to the link. Anyone who opens the dashboard link can see and change whatever the secret key can. Anyone who opens a `read_only` link can see everything and change nothing. A dashboard link works once, in one browser, within 10 minutes. A bot that only fetches the page does not use up the link. The dashboard session lasts 12 hours. The dashboard session ends earlier if the admin signs out, if somebody signs out everywhere, or if the secret key is regenerated. To replace a key or secret or to change the webhook URL or the redirect URIs in the dashboard, the admin needs a link that is at most 10 minutes old. An unknown field in the request is an error.',
  ),
  body: DashboardLinkRequest,
  refusesUnknownFields: true,
  isBodyOptional: true,
  answer: { is: docs('Returns the dashboard link and the time at which the link expires.'), schema: DashboardLink },
});

const connectedAt = f.instantOf('Time the person connected to this platform');

export const PlatformUsers = answer(() => ({
  users: f.arrayOf(
    z.object({ email: f.address, provider_id: f.providerId, connected_at: connectedAt, preferences }),
    'People who connected a calendar to this platform, earliest connection first.',
  ),
  total: z.int().describe('Number of connected people on all pages of the list.'),
  pagination: Pagination,
}));

export const listPlatformUsers = platformOperation('get /v1/platform/users', {
  summary: docs('List the people who connected a calendar to this platform'),
  description: docs('Returns the people in the order they connected, with their preferences.'),
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the people with their preferences.'), schema: PlatformUsers },
});

export const PlatformUserStatus = answerOneOf(() => [
  z.object({
    connected: z.literal(true).describe('True, because this platform can schedule meetings for the person.'),
    user_email: f.address,
    provider_id: f.providerId,
    connected_at: connectedAt,
    timezone: f.zoneName,
    preferences,
    calendar_access: z
      .literal('read_write')
      .describe("Access that the platform has to the person's calendar through Tandem."),
  }),
  z.object({
    connected: z.literal(false).describe('False, because this platform cannot schedule meetings for the person.'),
    user_email: f.address,
    message: z.string().describe('Reason why the person is not connected to this platform, and what to do.'),
  }),
]);

export type PlatformUserStatus = z.infer<typeof PlatformUserStatus>;

export const getPlatformUserStatus = platformOperation('get /v1/platform/users/status', {
  summary: docs("Get the state of one person's connection"),
  description: docs('For an unknown email address, the response is 200 with `connected` set to false.'),
  query: z.object({ email: f.Email.describe(docs('Email address of the person.')) }),
  codes: { email: { wrong: 'invalid_email', missing: 'missing_email' } },
  answer: {
    is: docs("Returns the person's connection to this platform, or the reason why the person is not connected."),
    schema: PlatformUserStatus,
  },
});

export const AuditEntry = answer(() => ({
  id: z.string().describe('ID of the audit log entry, `audit_…`.'),
  at: f.instantOf('Time of the change'),
  action: z.enum(AUDIT_ACTIONS).describe('Kind of change that the audit log entry records.'),
  by: f.objectOf('Caller who made the change.', {
    kind: f.oneOf(
      ACTOR_KINDS,
      'Who made the change. `key`: a request with an API key. `session`: somebody in the dashboard. `operator`: the operator of the service. `person`: a person on their own page. `google`: Google, by telling Tandem that access was revoked. `service`: Tandem itself, or somebody outside your platform who ended the access to a person.',
    ),
    id: f.stringOf(
      'Who exactly made the change: the masked API key, the ID of the dashboard session, the name of the operator or the ID of the person.',
    ),
  }),
  network: f.stringOrNull(
    'IP address block from which the change was requested: the /24 of IPv4 or the /64 of IPv6. Null if the IP address is unknown.',
  ),
  request_id: f.stringOf(
    'ID of the request that made the change. If the request chose it with the header `X-Request-Id`, it has `caller:` in front.',
  ),
  details: f.described(
    z.record(z.string(), z.string()),
    'Facts about the change, such as the masked API key or the plan before and after. The facts contain no personal data.',
  ),
}));
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLog = answer(() => ({
  entries: f.arrayOf(AuditEntry, 'Changes in the audit log, newest first.'),
  pagination: Pagination,
}));

export const listAuditLog = platformOperation('get /v1/platform/audit-log', {
  summary: docs('List changes to the platform and who made them'),
  description: docs(
    'Returns the audit log, newest change first. The log has changes of keys, secrets, the webhook endpoint, redirect URIs, settings, sessions, connections, plan and suspension. Tandem keeps each change in the audit log for 400 days. To learn of a change of a key, a secret, the webhook URL or the redirect URIs at once, subscribe to the event `platform.security_changed`.',
  ),
  query: z.object({ ...pageQuery('audit_'), limit: pageLimit.default(USUAL_PAGE) }),
  shown: shownPage(docs('Largest number of changes per page, 1 to 200.')),
  answer: { is: docs('Returns a page of changes and the cursor of the next page.'), schema: AuditLog },
});

export const operations = {
  getDashboard,
  createDashboardLink,
  getSettings,
  updateSettings,
  listPlatformUsers,
  getPlatformUserStatus,
  listAuditLog,
};
