import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process; its command tells it from another that got its number later. */
interface Holder {
  pid: number;
  command: string;
}

export interface FolderLock {
  /** Notes a process that must not outlive this one: after a kill, whoever takes the folder next ends it. */
  note(pid: number): void;
  release(): void;
  /** Whether a process was ended that a killed holder left; it may keep its port a moment longer. */
  hasEnded: boolean;
}

/** Claims a data folder for this process, as two must not write it at once; ends what a killed holder left running. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock.json');
  const hasEnded = existsSync(path) && (await takeOver(path, folder));
  const holder = holderOf(process.pid);
  const write = (flag: 'wx' | 'w', child?: Holder) => writeFileSync(path, JSON.stringify({ holder, child }), { flag });
  write('wx');
  return {
    note: (pid) => write('w', holderOf(pid)),
    release: () => rmSync(path, { force: true }),
    hasEnded,
  };
}

async function takeOver(path: string, folder: string): Promise<boolean> {
  const { holder, child } = readClaim(path);
  // A container's processes have the same few numbers each time.
  if (holder !== undefined && holder.pid !== process.pid && isRunning(holder))
    throw new Error(`${folder} is in use by process ${holder.pid}; stop it first`);
  const isLeft = child !== undefined && child.command !== '' && isRunning(child);
  if (isLeft) {
    process.kill(child.pid, 'SIGKILL');
    while (isRunning(child)) await sleep(20);
  }
  rmSync(path);
  return isLeft;
}

/** A claim that a crash cut short says nothing. */
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

/** The whole command line of a process; empty where nothing tells it. */
function commandOf(pid: number): string {
  const args = ['-ww', '-o', 'args=', '-p', String(pid)];
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
