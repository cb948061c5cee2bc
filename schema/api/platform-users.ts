import * as z from 'zod';
import { docs } from '#docs';
import * as f from './fields.ts';
import { platformOperation } from './operation.ts';
import { Pagination, pageLimit, pageQuery, shownLimit, shownPage, USUAL_PAGE } from './paging.ts';
import { preferences } from './preferences.ts';
import { ACTOR_KINDS, AUDIT_ACTIONS } from './states.ts';

const connectedAt = f.instantOf('Time the person connected to this platform');

export const PlatformUsers = z.object({
  users: f.arrayOf(
    z.object({ email: f.address, provider_id: f.providerId, connected_at: connectedAt, preferences }),
    docs('People who connected a calendar to this platform, earliest connection first.'),
  ),
  total: z.int().describe(docs('Number of connected people on all pages of the list.')),
  pagination: Pagination,
});

export const listPlatformUsers = platformOperation('get /v1/platform/users', {
  summary: docs('List the people who connected a calendar to this platform'),
  description: docs('Returns the people in the order they connected, with their preferences.'),
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: docs('Returns the people with their preferences.'), schema: PlatformUsers },
});

export const PlatformUserStatus = z.union([
  z.object({
    connected: z.literal(true).describe(docs('True, because this platform can schedule meetings for the person.')),
    user_email: f.address,
    provider_id: f.providerId,
    connected_at: connectedAt,
    timezone: f.zoneName,
    preferences,
    calendar_access: z
      .literal('read_write')
      .describe(docs("Access that the platform has to the person's calendar through Tandem.")),
  }),
  z.object({
    connected: z.literal(false).describe(docs('False, because this platform cannot schedule meetings for the person.')),
    user_email: f.address,
    message: z.string().describe(docs('Reason why the person is not connected to this platform, and what to do.')),
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

export const AuditEntry = z.object({
  id: z.string().describe(docs('ID of the audit log entry, `audit_…`.')),
  at: f.instantOf('Time of the change'),
  action: z.enum(AUDIT_ACTIONS).describe(docs('Kind of change that the audit log entry records.')),
  by: f.objectOf(docs('Caller who made the change.'), {
    kind: f.oneOf(
      ACTOR_KINDS,
      docs(
        'Who made the change. `key`: a request with an API key. `session`: somebody in the dashboard. `operator`: the operator of the service. `person`: a person on their own page. `google`: Google, by telling Tandem that access was revoked. `service`: Tandem itself, or somebody outside your platform who ended the access to a person.',
      ),
    ),
    id: f.stringOf(
      docs(
        'Who exactly made the change: the masked API key, the ID of the dashboard session, the name of the operator or the ID of the person.',
      ),
    ),
  }),
  network: f.stringOrNull(
    docs(
      'IP address block from which the change was requested: the /24 of IPv4 or the /64 of IPv6. Null if the IP address is unknown.',
    ),
  ),
  request_id: f.stringOf(
    docs(
      'ID of the request that made the change. If the request chose it with the header `X-Request-Id`, it has `caller:` in front.',
    ),
  ),
  details: f.described(
    z.record(z.string(), z.string()),
    docs(
      'Facts about the change, such as the masked API key or the plan before and after. The facts contain no personal data.',
    ),
  ),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLog = z.object({
  entries: f.arrayOf(AuditEntry, docs('Changes in the audit log, newest first.')),
  pagination: Pagination,
});

export const listAuditLog = platformOperation('get /v1/platform/audit-log', {
  summary: docs('List changes to the platform and who made them'),
  description: docs(
    'Returns the audit log, newest change first. The log has changes of keys, secrets, the webhook endpoint, redirect URIs, settings, sessions, connections, plan and suspension. Tandem keeps each change in the audit log for 400 days. To learn of a change of a key, a secret, the webhook URL or the redirect URIs at once, subscribe to the event `platform.security_changed`.',
  ),
  query: z.object({ ...pageQuery('audit_'), limit: pageLimit.default(USUAL_PAGE) }),
  shown: shownPage(docs('Largest number of changes per page, 1 to 200.')),
  answer: { is: docs('Returns a page of changes and the cursor of the next page.'), schema: AuditLog },
});

export const operations = { listPlatformUsers, getPlatformUserStatus, listAuditLog };
