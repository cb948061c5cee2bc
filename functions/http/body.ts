import type { Context } from 'hono';
import { AppError } from '../../lib/kit/errors.ts';
import { kindOf, shortened } from './body-fields.ts';
import type { AppEnv } from './env.ts';
import { readSingle } from './headers.ts';

export const LARGEST_BYTES = 64 * 1024;
const DROPPED_BYTES = 1024 * 1024;

/** Counts bytes as they arrive. Throws `payload_too_large`, and `invalid_request` for bytes that are not UTF-8. */
export async function readText(c: Context<AppEnv>, largest = LARGEST_BYTES): Promise<string> {
  if (c.var.bodyText !== undefined) return c.var.bodyText;
  if (Number(c.req.header('Content-Length') ?? 0) > largest) throw tooLarge(largest);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  const isWhole = await take(c.req.raw, largest, (chunk) => {
    text += decoded(() => decoder.decode(chunk, { stream: true }));
  });
  if (!isWhole) throw tooLarge(largest);
  text += decoded(() => decoder.decode());
  c.set('bodyText', text);
  return text;
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = () =>
  new AppError('invalid_request', 'The request body is not valid UTF-8. Encode it as UTF-8, and send it again.');

export const readForm = async (c: Context<AppEnv>, largest = LARGEST_BYTES): Promise<URLSearchParams> =>
  new URLSearchParams(await readText(c, largest));

/** An absent optional body is an empty object, and so is the empty list that PHP sends for one. */
export async function readJson(
  c: Context<AppEnv>,
  { isBodyOptional = false, largestBody }: { isBodyOptional?: boolean; largestBody?: number | undefined } = {},
): Promise<object> {
  assertPlain(c);
  const text = (await readText(c, largestBody)).trim();
  if (isBodyOptional && /^(?:\[\s*\])?$/.test(text)) return {};
  if (text === '')
    throw new AppError('invalid_request', 'The request has no body. Send a JSON object, such as {"name": "value"}.');
  assertJson(c);
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new AppError(
      'invalid_request',
      `The request body must be a JSON object, such as {"name": "value"}, not ${kindOf(json)}.`,
    );
  return json;
}

/** An operation without fields. Clients send an empty body in many ways, curl without its media type. */
export async function readNone(c: Context<AppEnv>): Promise<object> {
  assertPlain(c);
  const isEmpty = /^(?:\{\s*\}|\[\s*\]|null)$/.test((await readText(c)).trim());
  return isEmpty ? {} : readJson(c, { isBodyOptional: true });
}

export function assertPlain(c: Context<AppEnv>): void {
  const encoding = readSingle(c, 'Content-Encoding')?.toLowerCase() ?? '';
  if (['', 'identity'].includes(encoding)) return;
  throw new AppError(
    'unsupported_media_type',
    `The request body must not be compressed, and the header Content-Encoding says ${shortened(encoding)}. Send the plain JSON without that header.`,
  );
}

function assertJson(c: Context<AppEnv>): void {
  const type = readSingle(c, 'Content-Type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type))
    throw new AppError(
      'unsupported_media_type',
      `The request body must be JSON, sent with the header Content-Type: application/json${type === '' ? '' : `, not ${shortened(type)}`}.`,
    );
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new AppError(
      'unsupported_media_type',
      `The request body must be in UTF-8, not in ${shortened(charset)}. Send it with the header Content-Type: application/json; charset=utf-8.`,
    );
}

export const NOT_JSON =
  'The request body is not valid JSON. Look for a missing quote, comma or brace, and send the body again.';

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Every second byte of ASCII in UTF-16 is NUL, which UTF-8 allows and JSON does not.
    throw body.includes('\0') ? notUtf8() : new AppError('invalid_request', NOT_JSON);
  }
}

/** Drops up to 1 MiB, because many clients read the answer only after they have sent the whole body. */
export async function dropBody(request: Request): Promise<void> {
  // Reading fails if the client has disconnected. Nobody then waits for the answer, so the failure does not matter.
  await take(request, DROPPED_BYTES, () => undefined).catch(() => false);
}

const tooLarge = (largest: number) =>
  new AppError(
    'payload_too_large',
    `The request body must not be larger than ${largest / 1024} KiB. Send a smaller body.`,
  );

/** Returns false as soon as the body exceeds `most` bytes, and leaves the rest unread. */
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
