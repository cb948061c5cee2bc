import * as z from 'zod';
import { ACTOR_KINDS, AUDIT_ACTIONS } from './audit-actions.ts';
import { instantOf, minutes as whole, wholeText } from './fields.ts';
import { operation } from './operation.ts';
import { Pagination, pageQuery } from './paging.ts';

/** A change that the audit log records. */
export const AuditEntry = z.object({
  id: z.string().describe('ID of the entry, `audit_…`.'),
  at: instantOf('Time of the change'),
  action: z.enum(AUDIT_ACTIONS).describe('Change that was made.'),
  by: z
    .object({
      kind: z
        .enum(ACTOR_KINDS)
        .describe(
          'Kind of caller. `key`: an API key. `session`: a dashboard session. `operator`: the operator of the service. `person`: a person on their own page. `google`: an answer of Google. `service`: Tandem by itself.',
        ),
      id: z.string().describe('Masked key, session ID, name of the operator or ID of the person.'),
    })
    .describe('Caller that made the change.'),
  network: z
    .string()
    .nullable()
    .describe(
      'Address block that the request came from: the /24 of IPv4 or the /64 of IPv6. Null if the address is unknown.',
    ),
  request_id: z.string().describe('ID of the request that made the change.'),
  details: z
    .record(z.string(), z.string())
    .describe('Facts of the change, such as the masked key or the plan before and after. No personal data.'),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLog = z.object({
  entries: z.array(AuditEntry).describe('Changes, newest first.'),
  pagination: Pagination,
});

export const listAuditLog = operation({
  method: 'get',
  path: '/v1/platform/audit-log',
  id: 'listAuditLog',
  key: 'platform',
  summary: 'List who changed what',
  description:
    'Returns changes of keys, secrets, the webhook endpoint, redirect URIs, settings, sessions, connections, plan and suspension, newest first. Entries are kept for 400 days. Subscribe to `platform.security_changed` to hear of a change of a key, a secret, the endpoint or the redirect URIs at once.',
  query: z.object({ ...pageQuery('audit_'), limit: wholeText(1, 200).default(50) }),
  shown: { limit: whole(1, 200).default(50).describe('Most entries per page, 1 to 200.') },
  answer: { is: 'Returns a page of changes and the cursor of the next page.', schema: AuditLog },
});

export const operations = [listAuditLog];
