import { InternalError } from '../kit/errors.ts';
import type { SealedPlace, Sealer } from '../kit/ports.ts';

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

const bytesOf = ({ column, row }: SealedPlace) => new TextEncoder().encode(`${column}:${row}`);

/**
 * Creates a sealer, which encrypts texts with AES-GCM under named keys (`k2:<base64 of 32 bytes>,k1:…`). The first key
 * encrypts, and every key can decrypt. An encrypted ("sealed") text is `<key id>.<iv>.<ciphertext>`. The cipher's
 * additional data binds the text to its table, column and owner.
 */
export function createSealer(tokenKeys: string): Sealer {
  const keys = new Map(
    tokenKeys.split(',').map((entry) => {
      const [id = '', encoded = ''] = entry.trim().split(':');
      return [id, fromBase64(encoded)] as const;
    }),
  );
  const [first] = keys.keys();
  if (first === undefined) throw new InternalError('TOKEN_KEYS is empty.');

  async function importKey(id: string) {
    const bytes = keys.get(id);
    if (bytes === undefined) throw new InternalError(`TOKEN_KEYS has no key named ${id}.`);
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
