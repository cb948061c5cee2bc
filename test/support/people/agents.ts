import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { formatInTimeZone } from 'date-fns-tz';
import { expect } from 'vitest';
import { remember } from '../checks/words.ts';
import { freshAddress } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { iso } from './meetings.ts';

export const REVISION = '2026-07-28';
export const GENERATIONS = [REVISION, '2025'] as const;
export type Generation = (typeof GENERATIONS)[number];

export interface Told {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whole answers are compared, and parts of them read, by tests only.
  data: any;
  isError: boolean;
}

/** What a user says to a question: yes, no, or nothing, because they closed it. */
type Said = 'yes' | 'no' | 'cancel';
export type Agent = Awaited<ReturnType<typeof connectAgent>>;

/**
 * Connects the official client of either protocol generation with a key. `say` answers the server's questions to the
 * user.
 */
export async function connectAgent(
  key: string | undefined,
  {
    generation = REVISION,
    say,
    url = world.baseUrl,
  }: { generation?: Generation; say?: (question: string) => Said | Promise<Said>; url?: string } = {},
) {
  const asked: string[] = [];
  const capabilities: ClientCapabilities = say === undefined ? {} : { elicitation: { form: {} } };
  const mode = generation === REVISION ? { pin: REVISION } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (say !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      const answer = await say(params.message);
      if (answer === 'cancel') return { action: 'cancel' };
      return answer === 'yes' ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
    });
  const headers = {
    'cf-connecting-ip': freshAddress(),
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  async function call(name: string, args: Record<string, unknown> = {}): Promise<Told> {
    remember(args);
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
    return { text, data: structuredContent, isError: isError === true };
  }
  return {
    client,
    asked,
    call,
    /** Calls a tool that refuses. Returns the text of its refusal. */
    async refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
      const { text, isError } = await call(name, args);
      expect(isError, text).toBe(true);
      return text;
    },
    async names() {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
  };
}

/** Adds to what a test has made a client with its platform's key. */
export async function withAgent<Made extends { platform: { secret_key: string } }>(
  making: Promise<Made>,
  options: Parameters<typeof connectAgent>[1] = {},
): Promise<Made & { agent: Agent }> {
  const made = await making;
  return { ...made, agent: await connectAgent(made.platform.secret_key, options) };
}

const envelope = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Builds a message of the protocol's 2026 revision by hand, with its headers. */
export function message(method: string, params: Record<string, unknown> = {}, capabilities = {}) {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
  };
  return { headers, body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope(capabilities) } } };
}

const LOCAL_ISO = "yyyy-MM-dd'T'HH:mm:ssxxx";

/** Writes a time as every answer does: in UTC, and on each person's clock. */
export const onClocks = (start: number, end: number, people: { email: string; timezone: string }[]) => ({
  start_utc: iso(start),
  end_utc: iso(end),
  local: people.map(({ email, timezone }) => ({
    email,
    timezone,
    weekday: formatInTimeZone(start, timezone, 'EEEE'),
    start: formatInTimeZone(start, timezone, LOCAL_ISO),
    end: formatInTimeZone(end, timezone, LOCAL_ISO),
  })),
});
