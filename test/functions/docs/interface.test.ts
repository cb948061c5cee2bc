import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { AGENT_CONFIGS } from '../../../functions/pages/docs/pages.ts';
import { PLANS } from '../../../lib/kit/plans.ts';
import { AGENT_DAYS } from '../../../lib/people/agents.ts';
import { toolsFor } from '../../../lib/tools/tools.ts';
import { DEFAULT_EVENTS } from '../../../schema/api/webhook-events.ts';
import { readmeBlock } from '../../support/checks/readme-blocks.ts';
import { accepted } from '../../support/people/batches.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { booked } from '../../support/people/meetings.ts';
import { hookOf, type LogRecord } from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { codeAt } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Events that an endpoint gets unless it names others. */
const EVENTS = [
  'user.calendar.connected',
  'user.calendar.disconnected',
  'user.calendar.refresh_failed',
  'meeting.scheduling.completed',
  'meeting.scheduling.failed',
  'meeting.scheduled',
  'meeting.updated',
  'meeting.cancelled',
  'platform.usage_warning',
  'platform.usage_limit_reached',
];

test('the events are the ten of the interface', () => {
  expect(DEFAULT_EVENTS.toSorted()).toEqual(EVENTS.toSorted());
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
      [`/v1/users/${ada.email}/meetings`, platform.secret_key],
      ['/v1/user/info', api_key],
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
