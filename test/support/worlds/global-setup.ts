import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { TestProject } from 'vitest/node';
import { buildAssets } from '../../../functions/cli/assets.ts';
import { bundleWorker } from '../../local/bundle.ts';
import { openPglite } from '../../local/neon/pglite.ts';
import { MIGRATIONS, WORKER_ENTRY } from '../../local/world.ts';

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const CACHE = join(PACKAGES, '.cache/tandem');

let folder: string;

/** Makes the files that every test worker needs once for all of them. */
export async function setup({ provide }: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'tandem-test-'));
  const script = join(folder, 'worker.mjs');
  // The script is minified, because workerd loads all of it at each restart.
  const bundled = bundleWorker(WORKER_ENTRY, { minify: true }).then((text) => writeFile(script, text));
  const assets = buildAssets();
  const kept = await keptDatabases();
  const emptyDatabase = await unpacked(kept.empty, 'empty.tar');
  const migratedDatabase = await unpacked(kept.migrated, 'migrated.tar');
  await Promise.all([bundled, assets]);
  provide('prepared', { script, emptyDatabase, migratedDatabase });
}

export async function teardown(): Promise<void> {
  await rm(folder, { recursive: true });
}

/**
 * Returns PGlite's data folders, which are kept for later runs. Making one takes seconds; loading one takes half a
 * second.
 */
async function keptDatabases(): Promise<{ empty: string; migrated: string }> {
  const version = await fingerprint();
  const kept = { empty: join(CACHE, `empty-${version}.tar.gz`), migrated: join(CACHE, `migrated-${version}.tar.gz`) };
  if (Object.values(kept).every(existsSync)) return kept;
  await mkdir(CACHE, { recursive: true });
  const backend = await openPglite();
  await keep(kept.empty, await backend.dump());
  await backend.migrate(MIGRATIONS);
  await keep(kept.migrated, await backend.dump());
  await backend.close();
  return kept;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(PACKAGES, '@electric-sql/pglite/package.json')));
  const entries = await readdir(MIGRATIONS, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) hash.update(file.slice(MIGRATIONS.length)).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** Writes a file completely or not at all, because another run may be reading it. */
async function keep(path: string, data: Blob): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, await promisify(gzip)(await data.arrayBuffer(), { level: 1 }));
  await rename(draft, path);
}

async function unpacked(path: string, name: string): Promise<string> {
  const to = join(folder, name);
  await writeFile(to, await promisify(gunzip)(await readFile(path)));
  return to;
}
