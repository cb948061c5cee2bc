import type { IncomingMessage, ServerResponse } from 'node:http';

/** Header in which a Worker under `wrangler dev` names the host that it calls. */
export const NAMED_HOST = 'x-tandem-host';

const CONNECTION_HEADERS = new Set([
  NAMED_HOST,
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
]);

/**
 * Reads a whole request from the socket, as a web `Request` and as the text of its body. `gone` aborts when nobody
 * waits for the answer any more.
 */
export async function readRequest(
  incoming: IncomingMessage,
  gone?: AbortSignal,
): Promise<{ request: Request; bodyText: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    if (CONNECTION_HEADERS.has(name)) continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const host = incoming.headersDistinct[NAMED_HOST]?.[0] ?? incoming.headers.host ?? 'localhost';
  const url = `http://${host}${incoming.url ?? '/'}`;
  const request = new Request(url, { method, headers, body: hasBody ? body : null, signal: gone ?? null });
  return { request, bodyText: body.toString() };
}

export async function writeResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  outgoing.statusCode = response.status;
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    outgoing.end(body, () => resolve());
  });
}
