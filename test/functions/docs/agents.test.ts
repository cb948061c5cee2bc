import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { AGENT_CONFIGS } from '../../../functions/pages/docs/directives.ts';
import { AGENT_DAYS } from '../../../lib/people/agents/tokens.ts';
import { toolsFor } from '../../../lib/tools/tools.ts';
import { readmeBlock } from '../../support/checks/readme-blocks.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { codeAt } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const { secret_key } = await freshPlatform();
const { text } = await createClient(world.baseUrl).send('GET', '/docs/agents.md');
const codes = (await codeAt('/docs/agents')).flatMap((block) => [...block.codes.values()]);
const address = `${world.baseUrl}/mcp`;
const agents = Object.keys(AGENT_CONFIGS);
const configOf = (agent: string) =>
  JSON.stringify(AGENT_CONFIGS[agent], null, 2).replaceAll('{{BASE_URL}}', world.baseUrl);

/** Puts the key where an agent would: for a variable of the environment, or for a key that the reader replaces. */
const withKey = (value: string) => value.replace(/\$\{(?:env:)?TANDEM_API_KEY\}|sk_\w+_…/, secret_key);

/** Returns the address and the header that an agent takes from its configuration. */
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
