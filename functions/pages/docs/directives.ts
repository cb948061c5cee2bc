import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import { MOST_REDIRECT_URIS } from '../../../schema/api/platform.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { placeOf } from '../prerendered.ts';
import { fenced, withCalls } from './call.ts';
import { tablesOf, VALUES } from './tables.ts';

/** Resolves all but names in capitals, which stay for the Worker to fill in. Throws for an unknown name. */
export function createResolver(document: OpenapiDocument) {
  const tables = tablesOf(document);
  const blocks: Record<string, (given: string) => string | undefined> = {
    table: (name) => tables[name],
    errors: (given) => errorsOf(given.split(' ')),
    config: (agent) => AGENT_CONFIGS[agent] && fenced([['json', JSON.stringify(AGENT_CONFIGS[agent], null, 2)]]),
  };
  return (name: string, markdown: string): string =>
    withCalls(markdown)
      .replaceAll(/^\{\{(?!figure )([a-z]+) ([^}]+)\}\}$/gm, (whole, kind: string, given: string) => {
        const block = blocks[kind]?.(given);
        if (block === undefined) throw new Error(`${name}: nothing is known of ${whole}`);
        return block;
      })
      .replaceAll(/\{\{([a-z]\w*)\}\}/g, (whole, value: string) => {
        const text = VALUES[value];
        if (text === undefined) throw new Error(`${name}: nothing is known of ${whole}`);
        return text;
      });
}

function errorsOf(names: readonly string[]): string | undefined {
  const codes = names.flatMap((name) =>
    ERROR_CODES.filter((code) => code === name || String(ERRORS[code].status) === name),
  );
  return codes.length < names.length ? undefined : codes.map(errorOf).join('\n\n');
}

const errorOf = (code: ErrorCode) =>
  `### \`${code}\`\n\n**${ERRORS[code].status}** ${ERROR_HELP[code].replace('contact us', '{{contact}}')}`;

const url = `${placeOf('BASE_URL')}/mcp`;

export const AGENT_CONFIGS: Readonly<Record<string, object>> = {
  'Claude Code': {
    mcpServers: { tandem: { type: 'http', url, headers: { Authorization: `Bearer \${TANDEM_API_KEY}` } } },
  },
  'Claude Desktop': {
    mcpServers: {
      tandem: {
        command: 'npx',
        args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${TANDEM_AUTHORIZATION}`],
        env: { TANDEM_AUTHORIZATION: 'Bearer sk_user_…' },
      },
    },
  },
  Cursor: { mcpServers: { tandem: { url, headers: { Authorization: `Bearer \${env:TANDEM_API_KEY}` } } } },
  'ChatGPT models': {
    type: 'mcp',
    server_label: 'tandem',
    server_url: url,
    headers: { Authorization: 'Bearer sk_live_…' },
    require_approval: 'always',
  },
};

/** Says what to do about each error, on the page that every error links to, and why it came if its code does not. */
export const ERROR_HELP: Record<ErrorCode, string> = {
  invalid_request: 'Correct `field` as `message` says.',
  invalid_attendees: 'Send exactly two different addresses. A change keeps the first.',
  invalid_time: 'A time has no offset, has passed, is over 400 days ahead, or contradicts another.',
  invalid_duration: 'Send whole minutes within the limits in `message`.',
  invalid_date_range: "Send dates that exist and aren't over, in order, and at most 90 days.",
  invalid_email: 'Correct the address; URL-encode it in a path or query.',
  missing_email: 'Add `email` to the query, URL-encoded.',
  invalid_redirect_uri:
    'Register it with PUT /v1/platform/settings. It needs HTTPS (HTTP on localhost), and no credentials or fragment.',
  too_many_redirect_uris: `Send at most ${MOST_REDIRECT_URIS}. The list replaces the old one.`,
  invalid_webhook_url: "Nothing was saved, because `webhook_url` isn't HTTPS to a public host.",
  unauthorized: 'The API key is missing, unknown, revoked or replaced.',
  forbidden: 'Use the key that `message` names, and only meetings of your own.',
  platform_suspended: 'Ask the operator to resume your platform.',
  not_found: 'Check the path and the ID.',
  user_not_found: 'Send the person the link from GET /v1/platform/oauth-url, or [offer times](/docs/proposals).',
  meeting_not_found: 'It was cancelled, or has another ID since a reschedule.',
  job_not_found: 'It never was yours, or ended 30 days ago.',
  batch_not_found: 'It never was yours, or ended 30 days ago.',
  proposal_not_found: 'It never was yours, or ended 30 days ago.',
  connection_not_found: "The person isn't connected to your platform.",
  calendar_reconnect_required: 'Access was revoked or has expired. Send the person the link again.',
  webhook_not_configured: 'Set your URL with PUT /v1/platform/webhook.',
  delivery_not_found: 'GET /v1/platform/webhook/logs lists those of 30 days.',
  unknown_time_zone: 'The person sets it on /me, or with PUT /v1/user/preferences.',
  method_not_allowed: 'Use a method from the header `Allow`.',
  no_availability: 'Send a wider `preferred_time_range`, a shorter `duration_minutes`, or a time of your own.',
  slot_unavailable: 'Take one of [`alternatives`](/docs/slot-taken), with a new `Idempotency-Key`, or search again.',
  reason_unclear:
    'Ask in other words, or take one of `alternatives`. To cancel, send DELETE /v1/meetings/{meeting_id}.',
  webhook_disabled: 'Send PUT /v1/platform/webhook with `"enabled": true`.',
  delivery_in_progress: 'Replay it once its `status` is `success` or `failed`.',
  secret_rotated: 'Another request rotated it: use its secret, or rotate again.',
  idempotency_in_progress: 'Send it again after `Retry-After`.',
  job_ended: 'Cancel its meeting with DELETE /v1/meetings/{meeting_id}.',
  batch_ended: 'Cancel each meeting with DELETE /v1/meetings/{meeting_id}.',
  batch_not_planned: 'Wait until the dry run is `planned`.',
  proposal_ended: 'Make a new one. `message` says how this one ended.',
  proposal_busy: 'Send it again after `Retry-After`.',
  time_unavailable: "Accept one that's still `held`: GET /v1/proposals/{proposal_id}.",
  too_many_proposals: 'Withdraw an open one of these people or this meeting, or wait.',
  meeting_busy: 'Send it again after `Retry-After`.',
  payload_too_large: 'Send at most 64 KiB, or 2 MiB to POST /v1/schedule/batch.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  idempotency_key_reused: 'Another request had this key within 24 hours. Use a new one.',
  rate_limited: 'Wait `Retry-After` seconds.',
  quota_exceeded: 'Wait until `resets_at`, or take a larger plan.',
  too_many_regenerations: 'Wait until `resets_at`, an hour after the last.',
  calendar_unavailable:
    "Google failed. Send it again with the same `Idempotency-Key`, after `Retry-After` if it's there.",
  calendar_refused:
    'Google will refuse again. If the person can change the calendar themselves, contact us with the `request_id`.',
  internal_error: 'Send it again. If it stays, contact us.',
};
