import { join } from 'node:path';
import { filesAt } from '../support/earlier-engine.ts';
import type { Contestant } from './search-input.ts';

/**
 * The search of an earlier commit, with which today's is compared. Its answers may differ. `alone` is the script that
 * measures it in a process of its own. `remove` deletes its files.
 */
export async function engineAt(commit: string): Promise<{ search: Contestant; alone: string; remove: () => void }> {
  const { at, remove } = filesAt(commit);
  const { withEngine } = await import(join(at, 'test/bench/search-engine.ts'));
  return { search: withEngine, alone: join(at, 'test/bench/search-alone.ts'), remove };
}
