import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { KeptGoogle } from './google/index.ts';
import type { KeptInbox } from './inbox.ts';
import type { PlatformKeys, Secrets } from './platforms.ts';
import type { KeptQueue } from './qstash.ts';
import type { KeptKey } from './redis.ts';

/** Process with its command, which distinguishes it from a later process with the same number. */
interface Holder {
  pid: number;
  command: string;
}

/**
 * Claims a data folder for this process, because two processes must not write it at once. Ends processes that a killed
 * holder left running.
 */
export async function lockFolder(folder: string) {
  const path = join(folder, 'lock.json');
  if (existsSync(path)) await takeOver(path, folder);
  const holder = holderOf(process.pid);
  const write = (flag: 'wx' | 'w', child?: Holder) => writeFileSync(path, JSON.stringify({ holder, child }), { flag });
  write('wx');
  return {
    /** Records a process that must not outlive this one. If this one is killed, the next to claim the folder ends it. */
    note: (pid: number) => write('w', holderOf(pid)),
    release: () => rmSync(path, { force: true }),
  };
}

async function takeOver(path: string, folder: string): Promise<void> {
  const { holder, child } = readClaim(path);
  // In a container, processes get the same few numbers each time.
  if (holder !== undefined && holder.pid !== process.pid && isRunning(holder))
    throw new Error(`${folder} is in use by process ${holder.pid}. Stop that process first.`);
  if (child !== undefined && child.command !== '' && isRunning(child)) {
    process.kill(child.pid, 'SIGKILL');
    while (isRunning(child)) await sleep(20);
  }
  rmSync(path);
}

/** Reads a claim. A claim that a crash left incomplete counts as none. */
function readClaim(path: string): { holder?: Holder; child?: Holder } {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function holderOf(pid: number): Holder {
  return { pid, command: commandOf(pid) };
}

function isRunning({ pid, command }: Holder): boolean {
  try {
    process.kill(pid, 0);
    return commandOf(pid) === command;
  } catch {
    return false;
  }
}

/** Returns the whole command line of a process, or an empty text if the system does not tell. */
function commandOf(pid: number): string {
  const args = ['-ww', '-o', 'args=', '-p', String(pid)];
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

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
