import type { Ids } from './ports.ts';

const random = (bytes: number) =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Generates IDs with 120 random bits and secrets with 256 random bits. */
export const randomIds: Ids = {
  id: (prefix) => prefix + random(15).replaceAll('-', 'A').replaceAll('_', 'B'),
  secret: (prefix) => prefix + random(32),
};

/** A text of another form can be rejected without a query. */
export const isMeetingId = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

export const ID_PREFIX = {
  job: 'sched_',
  meeting: 'meet_',
  proposal: 'prop_',
  batch: 'batch_',
  time: 'time_',
  event: 'wh_',
  delivery: 'wh_del_',
  platform: 'plat_',
  session: 'sess_',
  audit: 'audit_',
} as const;
