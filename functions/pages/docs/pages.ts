import packageJson from '../../../package.json' with { type: 'json' };
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import { MOST_REDIRECT_URIS } from '../../../schema/api/platform.ts';
import type { OpenapiDocument } from '../../http/files.ts';
import { GROUPS } from '../../http/groups.ts';
import { placeholder } from '../prerendered.ts';
import { fenced, withCalls } from './call.ts';
import { tableOf } from './markdown.ts';
import { ALL_EVENTS, eventCode, eventText, operationCode, operationText, requestLine } from './reference.ts';
import { tablesOf, VALUES } from './tables.ts';

/** Pages of the documentation by section, in reading order. Each is a file `functions/docs/<name>.md`. */
export const SECTIONS = [
  { name: 'Start', pages: ['quickstart', 'concepts', 'testing'] },
  {
    name: 'Guides',
    pages: [
      'connect',
      'search',
      'slot-taken',
      'automatic',
      'reschedule',
      'proposals',
      'rounds',
      'webhooks',
      'webhooks/verify',
      'agents',
      'from-cal-com',
      'from-nylas',
    ],
  },
  { name: 'Production', pages: ['going-live', 'authentication', 'idempotency', 'limits', 'data'] },
  { name: 'Reference', pages: ['reference', 'events', 'errors', 'client', 'conventions', 'ranking', 'changelog'] },
] as const;

type PageName = (typeof SECTIONS)[number]['pages'][number];

export const PAGE_NAMES: readonly PageName[] = SECTIONS.flatMap(({ pages }): PageName[] => [...pages]);

export const addressOf = (name: PageName) => (name === 'quickstart' ? '/docs' : `/docs/${name}`);

/** Markdown files by their names, and styles by theirs with `.css`. */
export type Sources = Readonly<Record<string, string>>;

/** `about` is one sentence that tells search engines and language models the page's topic. */
export function readSource(name: string, sources: Sources) {
  const text = sources[name] ?? '';
  const [, head, title, body] = /^---\n(.*?)\n---\n+# ([^\n]+)\n(.*)$/s.exec(text) ?? [];
  if (head === undefined || title === undefined || body === undefined)
    throw new Error(`functions/docs/${name}.md must begin with its front matter and its title.`);
  const fields = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, field = line, value = ''] = /^(about|search): (.+)$/.exec(line) ?? [];
      if (value === '') throw new Error(`functions/docs/${name}.md: the front matter has an unknown line: ${line}`);
      return [field, value];
    }),
  );
  if (fields.about === undefined) throw new Error(`functions/docs/${name}.md: \`about\` is missing.`);
  return { title, about: fields.about, search: fields.search, body: body.replaceAll(/<!--.*?-->\n?/gs, '').trim() };
}

/** Joins styles into one line, without comments and the spaces that CSS does not need. */
export const styleOf = (sources: Sources, ...names: readonly ('base' | 'parts' | 'week' | 'pages' | 'docs')[]) =>
  names
    .map((name) => sources[`${name}.css`])
    .join(' ')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?|([,:]) /g, '$1$2')
    .trim();

export interface Page {
  path: string;
  title: string;
  about: string;
  names?: string;
  /** Words under which the search finds the page besides its own, separated by commas. */
  words?: string | undefined;
  text: string;
  code?: string;
  within?: string | undefined;
  isList?: boolean;
}

const REFERENCE = addressOf('reference');
const EVENTS = addressOf('events');

const operationPath = (id: string) => `${REFERENCE}/${id}`;

const groupPath = ({ tag }: { tag: string }) => `${REFERENCE}/${tag.toLowerCase().replaceAll(' ', '-')}`;

function listOf({ operations }: (typeof GROUPS)[number], isOfGroup: boolean): string {
  const rows = operations.map(({ id, summary, ...operation }) => [
    `[\`${id}\`](${operationPath(id)})`,
    `\`${requestLine(operation)}\``,
    ...(isOfGroup ? [summary] : []),
  ]);
  return tableOf(['Operation', 'Request', ...(isOfGroup ? ['What it does'] : [])], rows);
}

export function writtenPages(document: OpenapiDocument, sources: Sources): Page[] {
  const resolve = createResolver(document);
  return PAGE_NAMES.map((name) => {
    const { title, about, search, body } = readSource(name, sources);
    const lists =
      name === 'reference'
        ? GROUPS.map((group) => `## [${group.tag}](${groupPath(group)})\n\n${listOf(group, false)}`)
        : [];
    return {
      ...{ path: addressOf(name), title, about },
      words: search?.toLowerCase(),
      text: resolve(name, [body, ...lists].join('\n\n')),
      within: name.includes('/') ? `/docs/${name.replace(/\/.*/, '')}` : undefined,
    };
  });
}

export const referencePages = (document: OpenapiDocument): Page[] =>
  GROUPS.flatMap((group) => [
    {
      path: groupPath(group),
      title: `${group.tag} API`,
      about: group.description,
      text: `${group.description}\n\n${listOf(group, true)}`,
      within: REFERENCE,
      isList: true,
    },
    ...group.operations.map((operation) => ({
      path: operationPath(operation.id),
      title: operation.summary,
      about: `${requestLine(operation)}: ${operation.summary}, with every field, answer and error.`,
      names: `${requestLine(operation)} ${operation.id}`,
      text: operationText(document, operation),
      code: operationCode(document, operation),
      within: groupPath(group),
    })),
  ]);

export const eventPages = (document: OpenapiDocument): Page[] =>
  ALL_EVENTS.map((type) => ({
    path: `${EVENTS}/${type}`,
    title: type,
    about: `The webhook event ${type}: when Tandem sends it, its fields and an example.`,
    text: eventText(document, type),
    code: eventCode(document, type),
    within: EVENTS,
  }));

/** Returns the documentation as a list of links for language models, in the format of llmstxt.org. */
export function llmsText(written: readonly Page[], reference: readonly Page[]): string {
  const link = (title: string, path: string, about: string) =>
    `- [${title}](${placeholder('BASE_URL')}${path}): ${about}`;
  const operations = reference.filter(({ isList }) => isList !== true);
  return [
    '# Tandem',
    '',
    `> ${packageJson.description}`,
    '',
    'Tandem works with Google Calendar only, and a meeting has exactly two attendees. The API is JSON over HTTPS with `Authorization: Bearer <secret key>`. Send date-times in ISO 8601 with an offset or Z. A date-time without an offset is refused. Send an `Idempotency-Key` with each request that books, moves or cancels a meeting. Every error has a `code`, a `message` that says what to do, and a link to its documentation.',
    '',
    '## Docs',
    '',
    ...written.map(({ path, title, about }) => link(title, `${path}.md`, about)),
    '',
    '## Operations',
    '',
    ...operations.map(({ path, title, names = '' }) => link(names.replace(/ \w+$/, ''), `${path}.md`, title)),
    '',
    '## Optional',
    '',
    link('openapi.json', '/openapi.json', 'the whole API and its webhooks as an OpenAPI 3.1 document'),
    '',
  ].join('\n');
}

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

const url = `${placeholder('BASE_URL')}/mcp`;

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
const ERROR_HELP: Record<ErrorCode, string> = {
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
