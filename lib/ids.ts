import type { Ids } from './ports.ts';

const random = (bytes: number) =>
  crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: 'base64url', omitPadding: true });

/** Ids of 120 and secrets of 256 random bits. */
export const randomIds: Ids = {
  id: (prefix) => prefix + random(15).replaceAll('-', 'A').replaceAll('_', 'B'),
  secret: (prefix) => prefix + random(32),
};
