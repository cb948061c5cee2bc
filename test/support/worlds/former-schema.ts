import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNeon } from '../../local/neon.ts';
import { MIGRATIONS } from '../../local/world.ts';
import { emptyDatabase } from './prepared.ts';

/** Creates an embedded database with the schema before a migration, which the migration's name ends with. */
export async function databaseBefore(migration: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-former-'));
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8')) as { entries: { tag: string }[] };
  const at = entries.findIndex(({ tag }) => tag.endsWith(migration));
  if (at === -1) throw new Error(`no migration is called ${migration}`);
  const write = (count: number) => writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }));
  await write(at);
  const neon = await createNeon({ snapshot: await emptyDatabase() });
  await neon.migrate(folder);
  return {
    query: neon.query,
    /** Runs the migration, and none after it. */
    async migrate() {
      await write(at + 1);
      await neon.migrate(folder);
    },
    async close() {
      await neon.close();
      await rm(folder, { recursive: true });
    },
  };
}
