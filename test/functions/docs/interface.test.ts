import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { AGENT_CONFIGS } from '../../../functions/pages/docs/pages.ts';
import { PLANS } from '../../../lib/kit/plans.ts';
import { AGENT_DAYS } from '../../../lib/people/agents/tokens.ts';
import { toolsFor } from '../../../lib/tools/tools.ts';
import { DEFAULT_EVENTS } from '../../../schema/api/webhook-events/names.ts';
import { documented, flattened, type Json, readDocument } from '../../support/checks/openapi.ts';
import { readmeBlock } from '../../support/checks/readme-blocks.ts';
import { accepted } from '../../support/people/batches.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked } from '../../support/people/meetings.ts';
import { hookOf, type LogRecord } from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { codeAt } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/**
 * Finds a field at any depth of a schema whose references are resolved. Looks inside lists and inside each alternative
 * of a union.
 */
function fieldOf(schema: Json, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const shapes = [schema, ...((schema.anyOf ?? schema.allOf ?? []) as Json[])];
  for (const shape of shapes) {
    const { properties } = (shape.type === 'array' ? shape.items : shape) as { properties?: Record<string, Json> };
    const found = properties?.[name] && fieldOf(properties[name], rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

const operationOf = (name: string) => documented().find((one) => one.name === name)?.operation;
const lacking = (schema: Json, fields: string) =>
  fields.split(' ').filter((field) => fieldOf(schema, field.split('.')) === undefined);

/** Fields of each answer, in the interface's order. */
const PREFERENCES =
  'preferences.work_hours preferences.timezone preferences.buffer_minutes preferences.availability_window_days preferences.max_meetings_per_day preferences.energy_pattern preferences.scheduling_context preferences.focus_blocks';
const ANSWERS: Record<string, string> = {
  'POST /v1/availability':
    'slots.start_time slots.end_time slots.score slots.timezone slots.reason total_found search_window.start search_window.end search_window.days message',
  'POST /v1/schedule/auto': 'job_id status message estimated_completion_seconds webhook_event',
  'POST /v1/schedule': 'success meeting_id start_time end_time title attendees location meet_link',
  'PUT /v1/meetings/{meeting_id}': 'success meeting_id start_time end_time attendees status',
  'POST /v1/meetings/{meeting_id}/reschedule': 'success new_meeting_id new_meeting_time reasoning learned_from',
  'DELETE /v1/meetings/{meeting_id}': 'success meeting_id status',
  'GET /v1/calendars':
    'success connections.user_email connections.provider_id connections.calendar_provider connections.connected_at connections.last_used_at connections.onboarding_complete connections.timezone count',
  'DELETE /v1/calendars/{email}': 'success message email platform_id',
  'GET /v1/platform/oauth-url': 'oauth_url instructions',
  'GET /v1/users/{email}/status': 'email calendar_connected last_sync provider',
  'GET /v1/platform/dashboard':
    'platform.id platform.name platform.email platform.plan usage.this_month usage.limit usage.remaining usage.can_schedule connected_users stats.total_meetings_scheduled stats.meetings_this_month stats.meetings_last_month stats.average_acceptance_time_hours stats.reschedule_rate stats.cancellation_rate api_key_masked',
  'GET /v1/platform/users': 'users.email users.provider_id users.connected_at users.preferences total',
  'GET /v1/platform/users/status': `connected user_email provider_id connected_at timezone ${PREFERENCES} calendar_access message`,
  'GET /v1/platform/settings': 'name email redirect_uris webhook_url plan',
  'PUT /v1/platform/settings': 'success message redirect_uris webhook_url',
  'POST /v1/platform/regenerate-key': 'success api_key message',
  'GET /v1/platform/webhook/logs':
    'deliveries.id deliveries.event deliveries.timestamp deliveries.status deliveries.response_code deliveries.attempts deliveries.duration_ms deliveries.error deliveries.url stats.total_sent stats.success_rate stats.avg_response_time_ms stats.last_30_days.success stats.last_30_days.failed pagination.next_cursor pagination.has_more',
  'GET /v1/user/info': `email ${PREFERENCES} stats.total_meetings_scheduled stats.meetings_this_month stats.average_acceptance_time_hours stats.reschedule_rate stats.fast_acceptance_rate stats.preferred_times.morning stats.preferred_times.afternoon stats.preferred_times.evening onboarding_completed created_at`,
  'GET /v1/user/preferences': `email ${PREFERENCES}`,
  'PUT /v1/user/preferences': `success email ${PREFERENCES}`,
  'POST /v1/user/api-key/regenerate': 'success api_key message',
};

test.each(Object.entries(ANSWERS))('the answer of %s has every field of the interface', (name, fields) => {
  const { responses = {} } = operationOf(name) ?? {};
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  expect(lacking(flattened(success?.content?.['application/json']?.schema ?? {}), fields)).toEqual([]);
});

/** Fields of each request body in the interface: the required ones and the optional ones. */
const REQUESTS: Record<string, [required: string, optional: string]> = {
  'POST /v1/availability': ['attendees', 'duration_minutes date_range.start_date date_range.end_date context'],
  'POST /v1/schedule/auto': ['attendees', 'duration_minutes title context description auto'],
  'POST /v1/schedule': ['attendees start_time duration_minutes title', 'description location'],
  'PUT /v1/meetings/{meeting_id}': ['start_time end_time', 'attendees reason'],
  'POST /v1/meetings/{meeting_id}/reschedule': [
    'requested_by reason',
    'meeting_id preferred_time_range.start preferred_time_range.end',
  ],
  'PUT /v1/platform/settings': ['', 'redirect_uris webhook_url'],
  'PUT /v1/platform/webhook': ['', 'url enabled events max_retries timeout_seconds'],
  'PUT /v1/user/preferences': [
    '',
    'work_hours.monday.enabled work_hours.monday.start work_hours.monday.end timezone buffer_minutes availability_window_days max_meetings_per_day energy_pattern scheduling_context focus_blocks.day focus_blocks.start focus_blocks.end focus_blocks.reason',
  ],
};

test.each(Object.entries(REQUESTS))(
  'the request of %s takes every field of the interface',
  (name, [required, optional]) => {
    const schema = flattened(operationOf(name)?.requestBody?.content?.['application/json']?.schema ?? {});
    const names = required.split(' ').filter((field) => field !== '');
    expect(lacking(schema, [...names, optional].join(' '))).toEqual([]);
    expect(schema.required ?? []).toEqual(expect.arrayContaining(names));
    const demanded = (schema.required ?? []) as string[];
    expect(demanded.filter((field) => !names.includes(field) && field !== 'meeting_id')).toEqual([]);
  },
);

/** Query parameters of each operation; a `!` marks the required ones. */
const QUERIES: Record<string, string> = {
  'GET /v1/auth/calendar/authorize': 'platform_key! user_email! redirect_uri state',
  'GET /v1/platform/oauth-url': 'user_email!',
  'GET /v1/platform/users/status': 'email!',
  'GET /v1/platform/webhook/logs': 'limit event status',
};

test.each(Object.entries(QUERIES))('the query of %s has every parameter of the interface', (name, wanted) => {
  const given = (operationOf(name)?.parameters ?? []).map((one) => `${one.name}${one.required ? '!' : ''}`);
  expect(wanted.split(' ').filter((parameter) => !given.includes(parameter))).toEqual([]);
});

const EVENTS: Record<string, string> = {
  'user.calendar.connected':
    'user_email provider_id connected_at timezone preferences.timezone preferences.working_hours_start preferences.working_hours_end calendar_access',
  'user.calendar.disconnected': 'user_email provider_id disconnected_at reason',
  'user.calendar.refresh_failed':
    'user_email provider_id failed_at reason action possible_causes oauth_url suggested_user_message',
  'meeting.scheduling.completed':
    'job_id success meeting_id provider_event_id meet_link chosen_slot.start_time chosen_slot.end_time chosen_slot.score chosen_slot.match_quality attendees agent_reasoning processing_time_ms',
  'meeting.scheduling.failed': 'job_id success error_code error_message attendees suggestions processing_time_ms',
  'meeting.scheduled':
    'meeting_id attendees start_time end_time duration location meeting_url scheduled_at scheduled_by',
  'meeting.updated':
    'meeting_id attendees updated_at changes.updated_by changes.reason changes.old_start_time changes.new_start_time changes.old_end_time changes.new_end_time',
  'meeting.cancelled': 'meeting_id attendees start_time cancelled_at cancelled_by reason',
  'platform.usage_warning': 'current_usage limit percentage warned_at plan message',
  'platform.usage_limit_reached': 'current_usage limit reached_at plan message',
};

test('the events are the ten of the interface', () => {
  expect(DEFAULT_EVENTS.toSorted()).toEqual(Object.keys(EVENTS).toSorted());
});

test.each(Object.entries(EVENTS))('the event %s has every field of the interface, in its envelope', (type, fields) => {
  const content = readDocument().webhooks[type]?.post.requestBody?.content?.['application/json'];
  const inData = fields.split(' ').map((field) => `data.${field}`);
  const envelope = 'id event_type timestamp platform_id api_version';
  expect(lacking(flattened(content?.schema ?? {}), [envelope, ...inData].join(' '))).toEqual([]);
});

test('the failures of a job have the codes of the interface', () => {
  const content = readDocument().webhooks['meeting.scheduling.failed']?.post.requestBody?.content?.['application/json'];
  expect(fieldOf(flattened(content?.schema ?? {}), ['data', 'error_code'])).toMatchObject({
    enum: [
      'NO_AVAILABILITY',
      'CALENDAR_NOT_FOUND',
      'TOKEN_EXPIRED',
      'TIMEZONE_ERROR',
      'GOOGLE_API_ERROR',
      'USAGE_LIMIT_EXCEEDED',
      'INTERNAL_ERROR',
      // Not of the interface: its platform cancelled the job.
      'CANCELLED',
    ],
  });
});

test.each([
  ['developer', 25, 60],
  ['starter', 250, 90],
  ['pro', 1_000, 120],
  ['growth', 1_000, 120],
  ['scale', 5_000, 300],
  ['enterprise', null, null],
] as const)(
  'the plan %s has %s meetings a month and %s requests a minute',
  (plan, meetingsPerMonth, requestsPerMinute) => {
    expect(PLANS[plan]).toMatchObject({ meetingsPerMonth, requestsPerMinute });
  },
);

describe('what is in every request and answer', () => {
  test('ids and keys begin as the interface has them', async () => {
    const { platform, ada, bob, id } = await booked();
    const { api_key } = await world.connect(platform, ada.email);
    const tested = (await hookOf(platform).test()).body as LogRecord;
    const job_id = await accepted(platform, { attendees: [ada.email, bob.email] });
    expect([platform.id, platform.secret_key, platform.publishable_key, api_key, id, job_id, tested.id]).toEqual(
      ['plat_', 'sk_live_', 'pk_live_', 'sk_user_', 'meet_', 'sched_', 'wh_del_'].map((prefix) =>
        expect.stringMatching(new RegExp(`^${prefix}[\\w-]+$`)),
      ),
    );
  });

  test('either header carries a key, a platform’s and a user’s', async () => {
    const { platform, ada } = await booked();
    const { api_key } = await world.connect(platform, ada.email);
    const anybody = createClient(world.baseUrl);
    const cases = [
      ['/v1/calendars', platform.secret_key],
      ['/v1/platform/dashboard', platform.secret_key],
      [`/v1/users/${ada.email}/meetings`, platform.secret_key],
      ['/v1/user/info', api_key],
      ['/v1/user/learning', api_key],
    ] as const;
    for (const [path, key] of cases)
      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
        expect([path, (await anybody.send('GET', path, undefined, { headers })).status]).toEqual([path, 200]);
  });
});

const { secret_key } = await freshPlatform();
const { text } = await createClient(world.baseUrl).send('GET', '/docs/agents.md');
const codes = (await codeAt('/docs/agents')).flatMap((block) => [...block.codes.values()]);
const address = `${world.baseUrl}/mcp`;
const agents = Object.keys(AGENT_CONFIGS);
const configOf = (agent: string) =>
  JSON.stringify(AGENT_CONFIGS[agent], null, 2).replaceAll('{{BASE_URL}}', world.baseUrl);

/** Puts the key where an agent would: for a variable of the environment, or for a key that the reader replaces. */
const withKey = (value: string) => value.replace(/\$\{(?:env:)?TANDEM_API_KEY\}|sk_\w+_…/, secret_key);

function readAs(agent: string, config: unknown): { url: string; authorization: string } {
  // biome-ignore lint/suspicious/noExplicitAny: each agent has a format of its own.
  const given = config as any;
  if (agent === 'ChatGPT models') return { url: given.server_url, authorization: given.headers.Authorization };
  const { url, headers, args, env } = given.mcpServers.tandem;
  if (agent !== 'Claude Desktop') return { url, authorization: headers.Authorization };
  const [, , address, option, header] = args as string[];
  expect(option).toBe('--header');
  expect(header).toBe(`Authorization:\${TANDEM_AUTHORIZATION}`);
  return { url: address ?? '', authorization: env.TANDEM_AUTHORIZATION };
}

test('the page about agents has the configuration of each, and the address', () => {
  for (const agent of agents) expect(codes).toContain(configOf(agent));
  expect(text).toContain(`Paste \`${address}\``);
});

test('a connector that has the address of the page alone finds where to sign in', async () => {
  const refused = await fetch(address, { method: 'POST' });
  expect(refused.status).toBe(401);
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  const resource = await (await fetch(metadata)).json();
  expect(resource).toMatchObject({ resource: address, authorization_servers: [world.baseUrl] });
  const server = (await (await fetch(`${world.baseUrl}/.well-known/oauth-authorization-server`)).json()) as Record<
    string,
    unknown
  >;
  expect(server.authorization_endpoint).toBe(`${world.baseUrl}/oauth/agent`);
  // The page promises no more grants, and no fewer tools, than there are.
  expect(server.grant_types_supported).toEqual(['authorization_code']);
  for (const { name } of toolsFor('user')) expect(text).toMatch(new RegExp(`It gets [^.]*${name}`));
  expect(text).toContain(`after ${AGENT_DAYS} days`);
});

/** Connects the official client as an agent's configuration says, and returns the names of the tools that it gets. */
async function toolsBy(agent: string, config: string): Promise<string[]> {
  const { url, authorization } = readAs(agent, JSON.parse(config));
  const client = new Client({ name: 'docs', version: '1' });
  const requestInit = { headers: { Authorization: withKey(authorization) } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

test.each(agents)('the official client gets the tools with the address and the header for %s', async (agent) => {
  expect(await toolsBy(agent, configOf(agent))).toContain('check_availability');
});

test('the official client gets the tools with the configuration of the README', async () => {
  const config = readmeBlock('README.md', 'mcpServers').replace('http://localhost:8787', world.baseUrl);
  expect(await toolsBy('Claude Code', config)).toContain('check_availability');
});
