import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { assertPlain, readText } from '../http/body.ts';
import type { AppEnv } from '../http/env.ts';
import { valuesOf } from '../http/headers.ts';
import { isJson } from '../http/whole-schema.ts';
import { challengeFor } from '../oauth/agent.tsx';
import { createServer } from './server.ts';

/** Refuses requests from web pages of another host, even if DNS rebinding points that host's name at this server. */
export const ownHostOnly = () =>
  createMiddleware<AppEnv>(async function ownHostOnly(c, next) {
    const { BASE_URL, LOCAL_MODE } = c.var.env;
    const own = [new URL(BASE_URL).hostname, ...(LOCAL_MODE === 'on' ? localhostAllowedHostnames() : [])];
    const refusal = hostHeaderValidationResponse(c.req.raw, own) ?? originValidationResponse(c.req.raw, own);
    if (refusal === undefined) return next();
    c.set('refusal', 'other_host');
    return c.newResponse(refusal.body, refusal);
  });

export const challenge = () =>
  createMiddleware<AppEnv>(async function challenge(c, next) {
    await next();
    if (c.res.status !== 401) return;
    const hadToken = (c.req.header('Authorization') || c.req.header('X-API-Key')) !== undefined;
    c.header('WWW-Authenticate', challengeFor(c, { hadToken }));
  });

/** Paths of the MCP server. Clients that join addresses end its path with a slash. */
export const MCP_PATHS = ['/mcp', '/mcp/'];

export const mcp = new Hono<AppEnv>();

for (const path of MCP_PATHS) mcp.post(path, async (c) => whole(c, await serveMcp(c)));

/** The MCP library streams to clients of 2025. One without a stream gets JSON, with odd line ends escaped. */
async function whole(c: Context<AppEnv>, answer: Response): Promise<Response> {
  const text = (await answer.text()).replaceAll(/[\x85\u2028\u2029]/g, escaped);
  const isStream = answer.headers.get('Content-Type')?.startsWith(STREAM) === true;
  const asked = c.req.header('Accept') ?? '';
  const [, message] = isStream && !asked.includes(STREAM) ? (/(?:^|\n)data: ([^\r\n]*)/.exec(text) ?? []) : [];
  if (message === undefined) return new Response(text, answer);
  const headers = new Headers(answer.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(message, { status: answer.status, headers });
}

const STREAM = 'text/event-stream';
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Has no sessions. Serves revision 2026-07-28 and the 2025 protocol. Throws `payload_too_large` beyond 64 KiB. */
async function serveMcp(c: Context<AppEnv>): Promise<Response> {
  assertPlain(c);
  const body = await readText(c);
  if (body.trimStart().startsWith('[')) {
    c.set('refusal', 'mcp_protocol');
    return c.json(BATCH, 400);
  }
  const message = withObjects(body);
  const request = new Request(c.req.url, { method: 'POST', headers: headersFor(c), body: message });
  const wrong = wrongGreeting(message);
  if (wrong !== undefined && (await isLegacyRequest(request))) {
    c.set('refusal', 'mcp_protocol');
    return c.json(wrong, 400);
  }
  const handler = createMcpHandler((asked) => createServer(c, asked), {
    onerror: (error) => c.var.ctx.log('info', 'mcp request refused', { error }),
  });
  const answer = await handler.fetch(request);
  if (!answer.ok) c.set('refusal', 'mcp_protocol');
  return c.newResponse(answer.body, answer);
}

/** Fields of a message that are objects. Their own fields are not looked at in `arguments`, which the tools check. */
const OBJECTS = [
  'params',
  'arguments',
  '_meta',
  'capabilities',
  'io.modelcontextprotocol/clientCapabilities',
  'elicitation',
  'experimental',
  'extensions',
  'roots',
  'sampling',
  'tasks',
];
const NO_OBJECT = new RegExp(`"(?:${OBJECTS.join('|')})"\\s*:\\s*(?:"|null|\\[)`);

/** Clients send empty objects as null, text or lists. The MCP library refuses these, and no model could mend it. */
function withObjects(body: string): string {
  if (!NO_OBJECT.test(body)) return body;
  const message = parsed(body);
  return isJson(message) ? JSON.stringify(asObjects(message)) : body;
}

/** Reads as many levels as there are from a message to its client's capabilities. */
const asObjects = (fields: object, levels = 4): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      OBJECTS.includes(name) ? asObject(name, value, levels - 1) : value,
    ]),
  );

function asObject(name: string, value: unknown, levels: number): unknown {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return {};
  if (name !== 'arguments') return isJson(value) && levels > 0 ? asObjects(value, levels) : value;
  const read = typeof value === 'string' ? parsed(value) : value;
  return isJson(read) ? read : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The library insists on both media types in `Accept`, and would not take equal copies of a header for one value. */
function headersFor(c: Context<AppEnv>): Headers {
  const headers = new Headers(c.req.raw.headers);
  headers.set('Accept', `application/json, ${STREAM}`);
  for (const name of ['Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
    const [value, ...others] = valuesOf(c.req.header(name));
    if (value !== undefined && others.length === 0) headers.set(name, value);
  }
  return headers;
}

/** Each message must count as one request against the rate limit. */
const BATCH = {
  jsonrpc: '2.0',
  error: {
    code: -32600,
    message:
      'A request to /mcp has exactly one JSON-RPC message, not a batch. Send each message in a request of its own.',
  },
  id: null,
};

const text = z.string();
const Greeting = z.looseObject({
  params: z.looseObject({
    protocolVersion: text,
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: text, version: text }),
  }),
});

/** The MCP library would call a malformed `initialize` of 2025 an internal error, in its validator's words. */
function wrongGreeting(message: string): object | undefined {
  const asked = message.includes('"initialize"') ? parsed(message) : undefined;
  if (!isJson(asked) || !('method' in asked) || asked.method !== 'initialize') return undefined;
  const [issue] = Greeting.safeParse(asked).error?.issues ?? [];
  if (issue === undefined) return undefined;
  const field = issue.path.join('.');
  const error = { code: -32602, message: `\`${field}\` of \`initialize\` is missing or of the wrong type.` };
  return { jsonrpc: '2.0', error, id: 'id' in asked ? asked.id : null };
}
