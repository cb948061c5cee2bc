import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { KeptGoogle } from './google/index.ts';
import type { KeptInbox } from './inbox.ts';
import type { PlatformKeys } from './platforms.ts';
import type { KeptQueue } from './qstash/broker.ts';
import type { KeptKey } from './redis/backend.ts';
import type { Secrets } from './secrets.ts';

/** What a world knows besides its database, as plain data: with it the next start carries on where this one ended. */
export interface Kept {
  /** Where the Worker was. */
  baseUrl: string;
  clockOffset: number;
  platforms: Map<string, PlatformKeys>;
  redis: KeptKey[];
  queue: KeptQueue;
  inbox: KeptInbox;
  google: KeptGoogle | undefined;
}

/** The servers a world stands on; what is kept fits only these. */
export type Servers = Partial<Record<'postgres' | 'redis' | 'google', string>>;

/** What `stack.json` holds: where a running stack is, and its keys. */
export interface Stack {
  base_url: string;
  world_url: string;
  platform: PlatformKeys;
  users: { email: string; timezone: string; api_key: string }[];
}

/** What one start leaves to the next. */
export interface Saved {
  servers: Servers;
  /** With which the database's content was sealed and hashed. */
  secrets: Secrets;
  stack: Stack;
  world: Kept;
}

/** A higher number makes files written before unreadable. */
const FORMAT = 2;

/** Reads a file of `writeKept`; an error that ends with `advice` when it is no such file. */
export function readKept(path: string, advice: string): Saved {
  const bytes = readFileSync(path);
  try {
    const { format, ...saved } = deserialize(bytes);
    if (format === FORMAT) return saved;
  } catch {}
  throw new Error(`${path} was not written by this version; ${advice}.`);
}

/** Writes what is to be kept, as a whole or not at all. */
export function writeKept(path: string, saved: Saved): void {
  writeFileSync(`${path}.new`, serialize({ format: FORMAT, ...saved }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The same for a Worker at another address: the queue's messages go there. */
export function moveTo(baseUrl: string, kept: Kept): Kept {
  const moved = (url: string) => (url.startsWith(`${kept.baseUrl}/`) ? baseUrl + url.slice(kept.baseUrl.length) : url);
  const dead = [...kept.queue.dead.values()].map(({ message }) => message);
  for (const message of [...kept.queue.waiting.values(), ...dead])
    for (const goal of [message, message.callback, message.failureCallback]) if (goal) goal.url = moved(goal.url);
  return { ...kept, baseUrl };
}
