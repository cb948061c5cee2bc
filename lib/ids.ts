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

/** Whether a text can be a meeting's id at all; others need no asking. */
export const isMeetingId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

/** What ids begin with (`interface.md`, Resources and their fields; Events). */
export const ID_PREFIX = {
  job: 'sched_',
  meeting: 'meet_',
  event: 'wh_',
  delivery: 'wh_del_',
  platform: 'plat_',
} as const;
