import { join } from 'node:path';
import { filesAt } from '../support/earlier-engine.ts';
import type { Contestant } from './search-input.ts';

/** The search of an earlier commit, with which today's is compared. Its answers may differ. `remove` deletes its files. */
export async function engineAt(commit: string): Promise<{ search: Contestant; remove: () => void }> {
  const { at, remove } = filesAt(commit);
  const { withEngine } = await import(join(at, 'test/bench/search-engine.ts'));
  return { search: withEngine, remove };
}
