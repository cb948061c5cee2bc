import type { Context } from 'hono';
import { AppError } from '../lib/errors.ts';
import type { AppEnv } from './env.ts';

const LARGEST_BYTES = 64 * 1024;
const DROPPED_BYTES = 1024 * 1024;

/** The request's body as text, counted while it comes in and read once; throws `payload_too_large` beyond 64 KiB. */
export async function readText(c: Context<AppEnv>): Promise<string> {
  if (c.var.bodyText !== undefined) return c.var.bodyText;
  if (Number(c.req.header('Content-Length') ?? 0) > LARGEST_BYTES) throw tooLarge();
  const decoder = new TextDecoder();
  let text = '';
  const isWhole = await take(c.req.raw, LARGEST_BYTES, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  if (!isWhole) throw tooLarge();
  text += decoder.decode();
  c.set('bodyText', text);
  return text;
}

/**
 * The body as a JSON object; without any, where that is allowed, an empty one. Throws `unsupported_media_type` and
 * `invalid_request`.
 */
export async function readJson(c: Context<AppEnv>, { isBodyOptional = false } = {}): Promise<object> {
  const text = await readText(c);
  if (isBodyOptional && text === '') return {};
  const type = c.req.header('Content-Type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new AppError('invalid_request', 'The body must be a JSON object.');
  return json;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('invalid_request', 'The body is not valid JSON.');
  }
}

/** Reads on and drops what was not read, up to 1 MiB: an answer reaches only a client that is done with sending. */
export async function dropBody(request: Request): Promise<void> {
  // A client that has gone by now waits for no answer.
  await take(request, DROPPED_BYTES, () => undefined).catch(() => false);
}

const tooLarge = () => new AppError('payload_too_large', 'The body may have at most 64 KiB.');

/** Hands over the body chunk by chunk; false when it has more bytes, of which those that come next are still to be read. */
async function take({ body }: Request, most: number, each: (chunk: Uint8Array<ArrayBuffer>) => void): Promise<boolean> {
  if (body === null) return true;
  const reader = body.getReader();
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return true;
      bytes += value.byteLength;
      if (bytes > most) return false;
      each(value);
    }
  } finally {
    reader.releaseLock();
  }
}
