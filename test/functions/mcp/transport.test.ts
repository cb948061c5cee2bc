import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { INSTRUCTIONS, listingOf } from '../../../functions/mcp/server.ts';
import { TOOLS, toolsFor } from '../../../lib/tools/tools.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { connectAgent, GENERATIONS, message, REVISION } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { booked, freshPair } from '../../support/people/meetings.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const { platform } = await freshPair();
const client = createClient(world.baseUrl, platform.secret_key);
const ask = (method: string, params = {}, more = {}) => {
  const { headers, body } = message(method, params);
  return client.send('POST', '/mcp', body, { headers: { ...headers, ...more } });
};

test('server/discover says who it is and what it speaks, and may be kept', async () => {
  const { status, body } = await ask('server/discover');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    result: {
      resultType: 'complete',
      supportedVersions: [REVISION],
      capabilities: { tools: { listChanged: false } },
      ttlMs: 300_000,
      cacheScope: 'private',
    },
  });
  expect(JSON.stringify(body)).toContain(`"name":"tandem","title":"Tandem","version":"${packageJson.version}"`);
});

test('tools/list may be kept by the key that got it, and by nobody else', async () => {
  const { body } = await ask('tools/list');
  expect(body).toMatchObject({ result: { ttlMs: 300_000, cacheScope: 'private', resultType: 'complete' } });
});

test('a method nobody knows is 404, a tool nobody knows an error', async () => {
  const unknown = await ask('tools/guess');
  expect(unknown.status).toBe(404);
  expect(unknown.body).toMatchObject({ error: { code: -32601 } });
  const tool = await ask('tools/call', { name: 'no_tool', arguments: {} });
  expect(tool.body).toMatchObject({ error: { code: -32602, message: 'There is no tool named no_tool.' } });
});

test('clients of 2025 begin with a handshake, and need no session after it', async () => {
  const headers = { accept: 'application/json, text/event-stream' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  const hello = await client.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params }, { headers });
  expect(hello.text).toContain('"protocolVersion":"2025-06-18"');
  expect(hello.headers.get('mcp-session-id')).toBeNull();
  const list = await client.send('POST', '/mcp', { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { headers });
  expect(list.text).toContain('"check_availability"');
  const odd = { ...params, protocolVersion: {} };
  const refused = await client.send(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 3, method: 'initialize', params: odd },
    { headers },
  );
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({
    jsonrpc: '2.0',
    id: 3,
    error: { code: -32602, message: '`params.protocolVersion` of `initialize` is missing or of the wrong type.' },
  });
});

test.each(['GET', 'DELETE', 'PUT'])('%s is refused, because there is no stream and no session', async (method) => {
  const answer = await client.send(method, '/mcp');
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('POST');
});

test('a request with a batch of messages is refused', async () => {
  const { headers, body } = message('tools/list');
  const answer = await client.send('POST', '/mcp', [body, body], { headers });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: { code: -32600 }, id: null });
});

test.each([
  ['no JSON', '{', {}, 400],
  ['nothing', '', {}, 400],
  ['another type', '{}', { 'content-type': 'text/plain' }, 415],
])('%s is refused', async (_what, text, more, status) => {
  const { headers } = message('tools/list');
  const answer = await client.send('POST', '/mcp', text, { headers: { ...headers, ...more } });
  expect(answer.status).toBe(status);
});

test.each([
  ['another site', 'https://evil.example', 403],
  ['a sandbox, which has no origin', 'null', 403],
  ['our own origin', new URL(world.baseUrl).origin, 200],
])('a page of %s', async (_what, origin, status) => {
  expect((await ask('tools/list', {}, { origin })).status).toBe(status);
});

describe('line ends of Unicode in what others wrote', async () => {
  const note = 'one\u2028two\u2029three\u0085four';
  const { platform: own, ada: one } = await booked({ metadata: { note } });
  const requester = createClient(world.baseUrl, own.secret_key);
  const params = { name: 'list_meetings', arguments: { email: one.email } };
  const LISTED = { result: { structuredContent: { meetings: [{ metadata: { note } }] } } };

  test.each(['application/json', '*/*', ''])('do not cut an answer to Accept: %s', async (accept) => {
    const { headers, body } = message('tools/call', params);
    for (const [more, sent] of [
      [headers, body],
      [{}, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }],
    ] as const) {
      const answer = await requester.send('POST', '/mcp', sent, { headers: { ...more, accept } });
      expect(answer.headers.get('content-type')).toMatch(/application\/json/);
      expect(answer.body).toMatchObject(LISTED);
    }
  });

  test('are escaped in a stream, where some clients split at them', async () => {
    const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { accept: 'application/json, text/event-stream' };
    const { text, headers: answered } = await requester.send('POST', '/mcp', sent, { headers });
    expect(answered.get('content-type')).toBe('text/event-stream');
    expect(text).not.toMatch(/[\u2028\u2029\u0085]/);
    expect(text).toContain(String.raw`one\u2028two\u2029three\u0085four`);
  });
});

const VERBS = ['Cancels', 'Changes', 'Holds', 'Invites', 'Moves', 'Returns', 'Starts'];
const MOST_TOOLS = 9;
const MOST_TOKENS = 3_000;

/** Counts the tokens of the tools' JSON as a client hands it to a model, with the tokenizer o200k_base. */
const tokensOf = (tools: object) => countTokens(JSON.stringify(tools));

test('a key sees at most nine tools, and the list of all tools has at most 3,000 tokens', () => {
  const byName = new Map(
    listingOf(TOOLS)
      .reverse()
      .map((tool) => [tool.name, tool]),
  );
  expect(tokensOf([...byName.values()])).toBeLessThanOrEqual(MOST_TOKENS);
  // A model chooses among the tools of its own key, so these are counted, and not the names of all tools together.
  for (const kind of ['platform', 'user'] as const) expect(toolsFor(kind).length).toBeLessThanOrEqual(MOST_TOOLS);
});

test('the listed tools are the counted ones, and each says what it does to whom', async () => {
  const { client } = await connectAgent((await freshPlatform()).secret_key);
  const { tools } = await client.listTools();
  expect(tools).toEqual(listingOf(toolsFor('platform')));
  for (const { annotations, title, description, inputSchema, outputSchema } of tools) {
    expect(title).toBeTruthy();
    expect(description).toBeTruthy();
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: 'object' });
    // Some clients understand only a single type for each value.
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('"type":[');
    expect(annotations?.readOnlyHint ?? annotations?.destructiveHint).toBeDefined();
  }
});

test('every object among the arguments of a listed tool names its fields, or the kind of its values', () => {
  const inputs = listingOf(TOOLS).map(({ inputSchema }) => JSON.stringify(inputSchema));
  for (const input of inputs) {
    expect(input).not.toMatch(/"(?:properties|additionalProperties)":\{\}|"type":"object"(?!,"(?:pro|add|req))/);
    if (input.includes('time_ranges')) expect(input).toMatch(/"time_ranges":\S+?"properties":\{"start":\S+?"end":/);
  }
});

test('each description begins with what the tool does', () => {
  const verbs = TOOLS.map(({ description }) => /^\S+/.exec(description)?.[0]);
  expect([...new Set(verbs)].sort()).toEqual(VERBS);
});

test.each(['platform', 'user'] as const)(
  'a client with the key of a %s gets three sentences of instructions',
  async (kind) => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform);
    const key = kind === 'platform' ? platform.secret_key : (await world.connect(platform, email)).api_key;
    for (const generation of GENERATIONS) {
      const { client } = await connectAgent(key, { generation });
      const said = client.getInstructions() ?? '';
      expect(said).toBe(INSTRUCTIONS[kind]);
      expect(said.match(/[.!?](?= |$)/g)).toHaveLength(3);
    }
  },
);

test('the tools that change something take a preview, and no other does', () => {
  const names = TOOLS.flatMap(({ name, preview }) => (preview ? [name] : []));
  expect(names.slice(0, 3)).toEqual(['schedule_meeting', 'schedule_auto', 'propose_times']);
  expect(names.slice(3)).toEqual(['reschedule_meeting', 'cancel_meeting', 'update_preferences']);
});
