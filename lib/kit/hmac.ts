type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const encoded = (text: string): Bytes => encoder.encode(text);

export async function hmac(secret: string | Bytes, text: string): Promise<Bytes> {
  const bytes = typeof secret === 'string' ? encoded(secret) : secret;
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoded(text)));
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const hmacSha256 = async (secret: string, text: string): Promise<string> => hex(await hmac(secret, text));

/** Compares HMACs under a fresh random key, so the time taken reveals nothing about either text. */
export async function isSameText(one: string, other: string): Promise<boolean> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const [first, second] = await Promise.all([hmac(key, one), hmac(key, other)]);
  return hex(first) === hex(second);
}
