import type { Ids } from './ports.ts';

const random = (bytes: number) =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Ids of 120 and secrets of 256 random bits. */
export const randomIds: Ids = {
  id: (prefix) => prefix + random(15).replaceAll('-', 'A').replaceAll('_', 'B'),
  secret: (prefix) => prefix + random(32),
};
