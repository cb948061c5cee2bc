import { createHash } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { parsed } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';

/** A request as it is sent, with no corrections on the way. */
export interface Wire {
  method: string;
  /** Path and query, escaped or not. */
  target: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | undefined;
  /** True for a body sent in chunks, without a length. */
  isChunked?: boolean;
}

export interface WireAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

// Each request has its own connection. The server closes a connection whose body it left unread, even under the next
// request.
const agent = new Agent({ keepAlive: false });
const LONGEST_ANSWER_MS = 15_000;

/**
 * Sends a request unchanged; throws if no answer comes. Restores a key that the request replaced, because later
 * requests use it.
 */
export async function sendWire(wire: Wire): Promise<WireAnswer> {
  const answer = await exchange(wire);
  const { api_key: made } = { ...(answer.body as { api_key?: unknown } | undefined) };
  if (answer.status === 200 && typeof made === 'string') await putKeyBack(made);
  return answer;
}

async function putKeyBack(made: string): Promise<void> {
  const hash = createHash('sha256').update(made).digest('hex');
  const [owner] = await world.neon.query('delete from api_keys where hash = $1 returning kind, platform_id, user_id', [
    hash,
  ]);
  await world.neon.query(
    `update api_keys set revoked_at = null where kind = $1 and coalesce(platform_id, user_id) = $2 and revoked_at =
       (select max(revoked_at) from api_keys where kind = $1 and coalesce(platform_id, user_id) = $2)`,
    [owner?.kind, owner?.platform_id ?? owner?.user_id],
  );
}

async function exchange({ method, target, headers, body, isChunked = false }: Wire): Promise<WireAnswer> {
  const { port } = new URL(world.baseUrl);
  return new Promise((resolve, reject) => {
    const length = body === undefined || isChunked ? {} : { 'Content-Length': String(body.length) };
    const options = { agent, host: 'localhost', port, method, path: target, headers: { ...headers, ...length } };
    const call = httpRequest({ ...options, timeout: LONGEST_ANSWER_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), text, body: parsed(text) });
      });
    });
    call.on('timeout', () => call.destroy(new Error('no answer in time')));
    call.on('error', reject);
    call.end(body);
  });
}
