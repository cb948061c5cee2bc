import { InternalError } from '../kit/errors.ts';
import type { SealedPlace, Sealer } from '../kit/ports.ts';

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const withIv = (iv: Uint8Array<ArrayBuffer>, { column, row }: SealedPlace) => ({
  ...{ name: 'AES-GCM', iv },
  additionalData: encoder.encode(`${column}:${row}`),
});

/** Imported keys of this isolate by their base64 text, because each request creates a sealer of its own. */
const imported = new Map<string, Awaited<ReturnType<typeof crypto.subtle.importKey>>>();

/**
 * Encrypts with AES-GCM under named keys (`k2:<base64 of 32 bytes>,k1:…`): the first encrypts, every key decrypts. A
 * sealed text is `<key id>.<iv>.<ciphertext>`, bound by the additional data to its table, column and owner.
 */
export function createSealer(tokenKeys: string): Sealer {
  const keys = new Map(
    tokenKeys.split(',').map((entry) => {
      const [id = '', encoded = ''] = entry.trim().split(':');
      return [id, encoded] as const;
    }),
  );
  const [first] = keys.keys();
  if (first === undefined) throw new InternalError('TOKEN_KEYS is empty.');

  async function importKey(id: string) {
    const encoded = keys.get(id);
    if (encoded === undefined) throw new InternalError(`TOKEN_KEYS has no key named ${id}.`);
    const known = imported.get(encoded);
    if (known !== undefined) return known;
    const key = await crypto.subtle.importKey('raw', fromBase64(encoded), 'AES-GCM', false, ['encrypt', 'decrypt']);
    imported.set(encoded, key);
    return key;
  }

  return {
    keyId: first,
    async seal(text, place) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(withIv(iv, place), await importKey(first), encoder.encode(text));
      return [first, toBase64(iv), toBase64(new Uint8Array(sealed))].join('.');
    },
    async open(sealed, place) {
      const [id = '', iv = '', text = ''] = sealed.split('.');
      const cipher = withIv(fromBase64(iv), place);
      const opened = await crypto.subtle.decrypt(cipher, await importKey(id), fromBase64(text));
      return decoder.decode(opened);
    },
  };
}
