import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { KeptGoogle } from './google/index.ts';
import type { KeptInbox } from './inbox.ts';
import type { PlatformKeys, Secrets } from './platforms.ts';
import type { KeptQueue } from './qstash/broker.ts';
import type { KeptKey } from './redis.ts';

/** State of a world besides its database, as plain data. The next start continues from it. */
export interface Kept {
  baseUrl: string;
  clockOffset: number;
  platforms: Map<string, PlatformKeys>;
  userKeys: Map<string, string>;
  redis: KeptKey[];
  queue: KeptQueue;
  inbox: KeptInbox;
  google: KeptGoogle;
}

/** Servers that a world runs on. Saved state fits only these servers. */
export type Servers = Partial<Record<'postgres' | 'redis', string>>;

/** Content of `stack.json`: the addresses and keys of a running stack. A key that was replaced since is null. */
export interface Stack {
  base_url: string;
  world_url: string;
  platform: { [name in Exclude<keyof PlatformKeys, 'id'>]: string | null } & { id: string };
  users: { email: string; timezone: string; api_key: string | null }[];
  /** People whose calendars do something on purpose. */
  cases: { email: string; timezone: string; what: string }[];
}

/** State that one start leaves for the next. */
export interface Saved {
  servers: Servers;
  /** Secrets with which the database's content was encrypted and hashed. */
  secrets: Secrets;
  stack: Stack;
  world: Kept;
}

/** Version of the file format. A higher number makes older files unreadable. */
const FORMAT = 3;

/** Reads a file written by `writeKept`. If it is no such file, throws an error that ends with `advice`. */
export function readKept(path: string, advice: string): Saved {
  const bytes = readFileSync(path);
  try {
    const { format, ...saved } = deserialize(bytes);
    if (format === FORMAT) return saved;
  } catch {}
  throw new Error(`${path} is damaged or was written by another version. ${advice}.`);
}

/** Writes the state completely or not at all. */
export function writeKept(path: string, saved: Saved): void {
  writeFileSync(`${path}.new`, serialize({ format: FORMAT, ...saved }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Returns the state for a Worker at another address, to which the queue's messages then go. */
export function moveTo(baseUrl: string, kept: Kept): Kept {
  const moved = (url: string) => (url.startsWith(`${kept.baseUrl}/`) ? baseUrl + url.slice(kept.baseUrl.length) : url);
  for (const message of kept.queue.waiting.values()) message.url = moved(message.url);
  return { ...kept, baseUrl };
}
