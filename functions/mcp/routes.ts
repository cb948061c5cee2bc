import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpServerFactory,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readText } from '../body.ts';
import { asCaller } from '../caller.ts';
import type { AppEnv } from '../env.ts';
import { createServer } from './server.ts';

/** Refuses what a page of another host sends, also where its name was made to lead here (DNS rebinding). */
export const ownHostOnly = () =>
  createMiddleware<AppEnv>(async function ownHostOnly(c, next) {
    const { BASE_URL, LOCAL_MODE } = c.var.env;
    const own = [new URL(BASE_URL).hostname, ...(LOCAL_MODE === 'on' ? localhostAllowedHostnames() : [])];
    const refusal = hostHeaderValidationResponse(c.req.raw, own) ?? originValidationResponse(c.req.raw, own);
    return refusal === undefined ? next() : c.newResponse(refusal.body, refusal);
  });

export const mcp = new Hono<AppEnv>();

mcp.post('/mcp', (c) => asCaller(c, async () => whole(await serveMcp(c, () => createServer(c)))));

/** The answer once it has ended: clients of 2025 get theirs as a stream, which begins before the tool is called. */
const whole = async (answer: Response) => new Response(await answer.arrayBuffer(), answer);

/**
 * Answers one message by a server made for it, without sessions: of revision 2026-07-28, and of 2025's clients each request by
 * itself. Throws `payload_too_large`.
 */
export async function serveMcp(c: Context<AppEnv>, create: McpServerFactory): Promise<Response> {
  const body = await readText(c);
  if (isBatch(body)) return c.json(BATCH, 400);
  const handler = createMcpHandler(create, {
    onerror: (error) => c.var.ctx.log('info', 'mcp request refused', { error }),
  });
  const { headers } = c.req.raw;
  const answer = await handler.fetch(new Request(c.req.url, { method: 'POST', headers, body }));
  return c.newResponse(answer.body, answer);
}

/** One request is one request of the caller's budget. */
const BATCH = {
  jsonrpc: '2.0',
  error: { code: -32600, message: 'A request holds one message: batches are not taken.' },
  id: null,
};

const isBatch = (body: string) => body.trimStart().startsWith('[');
