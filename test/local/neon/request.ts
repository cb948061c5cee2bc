import * as z from 'zod';
import { RefusedRequest } from './errors.ts';

const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
const ISOLATION_LEVELS = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
} as const;

const Query = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) });
const SqlRequest = z.union([z.object({ queries: z.array(Query) }), Query]);
export type Query = z.infer<typeof Query>;

/** Reads a `POST /sql` body: one query or a batch. */
export async function readSqlRequest(
  request: Request,
  onText: (text: string) => void,
): Promise<z.infer<typeof SqlRequest>> {
  checkConnectionString(request.headers.get('neon-connection-string'));
  const text = await request.text();
  if (Buffer.byteLength(text) > MAX_REQUEST_BYTES) {
    throw new RefusedRequest('request is too large (max is 10485760 bytes)', 413);
  }
  const parsed = SqlRequest.safeParse(parseJson(text));
  if (!parsed.success) throw new RefusedRequest('could not parse the HTTP request body');
  onText(text);
  return parsed.data;
}

/** Returns the `BEGIN` that a batch's headers ask for. */
export function beginStatement(headers: Headers): string {
  const words = ['BEGIN'];
  const isolation = headers.get('neon-batch-isolation-level');
  if (isolation !== null) {
    const level = Object.entries(ISOLATION_LEVELS).find(([name]) => name === isolation)?.[1];
    if (level === undefined) throw new RefusedRequest('invalid isolation level');
    words.push('ISOLATION LEVEL', level);
  }
  if (headers.get('neon-batch-read-only') === 'true') words.push('READ ONLY');
  if (headers.get('neon-batch-deferrable') === 'true') words.push('DEFERRABLE');
  return words.join(' ');
}

function checkConnectionString(value: string | null) {
  if (value === null || !URL.canParse(value)) throw new RefusedRequest('invalid connection string');
  const { protocol, username, hostname, pathname } = new URL(value);
  const wellFormed = /^postgres(ql)?:$/.test(protocol) && username !== '' && hostname !== '' && pathname.length > 1;
  if (!wellFormed) throw new RefusedRequest('invalid connection string');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedRequest('could not parse the HTTP request body');
  }
}
