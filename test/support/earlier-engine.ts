import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from '../stories/figures.ts';

const REPO = new URL('../..', import.meta.url).pathname;
/** Folders that have held the ranking, newest first. */
const RANKING = ['lib/engine/rank', 'lib/scheduling'];
const WORDS = 'lib/words/found.ts';

/** Writes the files of an earlier commit to a directory of their own. `remove` deletes it. */
export function filesAt(commit: string, tests = 'test/bench'): { at: string; remove: () => void } {
  const at = mkdtempSync(join(tmpdir(), 'tandem-earlier-'));
  const paths = ['lib', 'schema', 'functions', tests, 'package.json'];
  const archive = execFileSync('git', ['archive', commit, ...paths], { cwd: REPO, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', at], { input: archive });
  symlinkSync(join(REPO, 'node_modules'), join(at, 'node_modules'));
  return { at, remove: () => rmSync(at, { recursive: true }) };
}

/** The engine of an earlier commit, with which today's is compared. */
export async function engineAt(commit: string): Promise<{ engine: Measured; remove: () => void }> {
  const { at, remove } = filesAt(commit);
  const folder = RANKING.find((one) => existsSync(join(at, one))) ?? '';
  const { findSlots } = await import(join(at, folder, 'find-slots.ts'));
  const { rankAuto } = await import(join(at, folder, 'rank-auto.ts'));
  // Before sentences had a module of their own, the search wrote them.
  const { withWords } = existsSync(join(at, WORDS))
    ? await import(join(at, WORDS))
    : { withWords: (found: unknown) => found };
  const reasonsOf: Measured['reasonsOf'] = (search) =>
    withWords(findSlots(search)).slots.map(({ reason }: { reason: string }) => reason);
  return { engine: { findSlots, rankAuto, reasonsOf }, remove };
}
