type Bytes = Uint8Array<ArrayBuffer>;

const encoded = (text: string): Bytes => new TextEncoder().encode(text);

/** HMAC-SHA256 of a text under a secret, which is text too or the bytes of a key. */
export async function hmac(secret: string | Bytes, text: string): Promise<Bytes> {
  const bytes = typeof secret === 'string' ? encoded(secret) : secret;
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoded(text)));
}

/** Bytes in lower-case hex. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The same of a text, in lower-case hex. */
export const hmacSha256 = async (secret: string, text: string): Promise<string> => hex(await hmac(secret, text));
