import * as z from 'zod';
import { docs } from '#docs';
import { ACTOR_KINDS, AUDIT_ACTIONS } from './audit-actions.ts';
import { instantOf, minutes as whole, wholeText } from './fields.ts';
import { platformOperation } from './operation.ts';
import { LARGEST_PAGE, Pagination, pageQuery, USUAL_PAGE } from './paging.ts';
import { oneOf, stringOf, stringOrNull } from './plain.ts';

export const AuditEntry = z.object({
  id: z.string().describe(docs('ID of the audit log entry, `audit_…`.')),
  at: instantOf('Time of the change'),
  action: z.enum(AUDIT_ACTIONS).describe(docs('Kind of change that the audit log entry records.')),
  by: z
    .object({
      kind: oneOf(
        ACTOR_KINDS,
        docs(
          'Who made the change. `key`: a request with an API key. `session`: somebody in the dashboard. `operator`: the operator of the service. `person`: a person on their own page. `google`: Google, by telling Tandem that access was revoked. `service`: Tandem itself, or somebody outside your platform who ended the access to a person.',
        ),
      ),
      id: stringOf(
        docs(
          'Who exactly made the change: the masked API key, the ID of the dashboard session, the name of the operator or the ID of the person.',
        ),
      ),
    })
    .describe(docs('Caller who made the change.')),
  network: stringOrNull(
    docs(
      'IP address block from which the change was requested: the /24 of IPv4 or the /64 of IPv6. Null if the IP address is unknown.',
    ),
  ),
  request_id: z
    .string()
    .describe(
      docs(
        'ID of the request that made the change. If the request chose it with the header `X-Request-Id`, it has `caller:` in front.',
      ),
    ),
  details: z
    .record(z.string(), z.string())
    .describe(
      docs(
        'Facts about the change, such as the masked API key or the plan before and after. The facts contain no personal data.',
      ),
    ),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLog = z.object({
  entries: z.array(AuditEntry).describe(docs('Changes in the audit log, newest first.')),
  pagination: Pagination,
});

export const listAuditLog = platformOperation({
  method: 'get',
  path: '/v1/platform/audit-log',
  id: 'listAuditLog',
  summary: docs('List changes to the platform and who made them'),
  description: docs(
    'Returns the audit log, newest change first. The log has changes of keys, secrets, the webhook endpoint, redirect URIs, settings, sessions, connections, plan and suspension. Tandem keeps each change in the audit log for 400 days. To learn of a change of a key, a secret, the webhook URL or the redirect URIs at once, subscribe to the event `platform.security_changed`.',
  ),
  query: z.object({ ...pageQuery('audit_'), limit: wholeText(1, LARGEST_PAGE).default(USUAL_PAGE) }),
  shown: {
    limit: whole(1, LARGEST_PAGE).default(USUAL_PAGE).describe(docs('Largest number of changes per page, 1 to 200.')),
  },
  answer: { is: docs('Returns a page of changes and the cursor of the next page.'), schema: AuditLog },
});

export const operations = [listAuditLog];
