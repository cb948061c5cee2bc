import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Claims a data folder for this process, as two must not write it at once; answers how to give it back. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'pid');
  const holder = holderOf(path);
  if (holder !== undefined) throw new Error(`${folder} is in use by process ${holder}; stop it first`);
  writeFileSync(path, String(process.pid));
  return () => rmSync(path, { force: true });
}

function holderOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}
