import { InternalError } from '../errors.ts';
import type { SealedPlace, Sealer } from '../ports.ts';

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

const bytesOf = ({ column, row }: SealedPlace) => new TextEncoder().encode(`${column}:${row}`);

/**
 * AES-GCM under named keys (`k2:<base64 of 32 bytes>,k1:…`): the first seals, all of them open.
 * A sealed text is `<key id>.<iv>.<ciphertext>`, bound to its place by the cipher's additional data.
 */
export function createSealer(tokenKeys: string): Sealer {
  const keys = new Map(
    tokenKeys.split(',').map((entry) => {
      const [id = '', encoded = ''] = entry.trim().split(':');
      return [id, fromBase64(encoded)] as const;
    }),
  );
  const [first] = keys.keys();
  if (first === undefined) throw new InternalError('no token key');

  async function importKey(id: string) {
    const bytes = keys.get(id);
    if (bytes === undefined) throw new InternalError(`no token key named ${id}`);
    return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  }

  return {
    keyId: first,
    async seal(text, place) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bytesOf(place) },
        await importKey(first),
        new TextEncoder().encode(text),
      );
      return [first, toBase64(iv), toBase64(new Uint8Array(sealed))].join('.');
    },
    async open(sealed, place) {
      const [id = '', iv = '', text = ''] = sealed.split('.');
      const opened = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: fromBase64(iv), additionalData: bytesOf(place) },
        await importKey(id),
        fromBase64(text),
      );
      return new TextDecoder().decode(opened);
    },
  };
}
