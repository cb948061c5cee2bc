import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Process with its command, which distinguishes it from a later process with the same number. */
interface Holder {
  pid: number;
  command: string;
}

export interface FolderLock {
  /**
   * Records a process that must not outlive this one. If this process is killed, the next one to claim the folder ends
   * it.
   */
  note(pid: number): void;
  release(): void;
}

/**
 * Claims a data folder for this process, because two processes must not write it at once. Ends processes that a killed
 * holder left running.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock.json');
  if (existsSync(path)) await takeOver(path, folder);
  const holder = holderOf(process.pid);
  const write = (flag: 'wx' | 'w', child?: Holder) => writeFileSync(path, JSON.stringify({ holder, child }), { flag });
  write('wx');
  return {
    note: (pid) => write('w', holderOf(pid)),
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
