import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from './package.json' with { type: 'json' };

/** Folder of the packed clients, one file for each version. */
export const PACKED = join(import.meta.dirname, '../../schema/assets/client');
/** File with a line for each released version of the client: the version and the SHA-256 of its package. */
export const RELEASED = join(import.meta.dirname, 'released.txt');

/** Version of the client that `npm run client:pack` packs. */
export const VERSION = packageJson.version;

/** Returns the released versions of the client, each with the SHA-256 of its package. */
export const readReleased = (text = readFileSync(RELEASED, 'utf8')): Map<string, string> =>
  new Map(text.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ') as [string, string]])));

/** Returns the SHA-256 of the package of a version, or undefined if the version is not packed. */
export function hashOf(version: string, folder = PACKED): string | undefined {
  const file = join(folder, `tandem-api-client-${version}.tgz`);
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined;
}

/** Returns a sentence for each released version whose package is gone or is no longer the released one. */
export const findChanged = (released: Map<string, string>, folder = PACKED): string[] =>
  [...released].flatMap(([version, hash]) => {
    const found = hashOf(version, folder);
    if (found === hash) return [];
    return found === undefined
      ? [`The package of the client ${version} is gone. Customers install it by its address, so put it back.`]
      : [`The package of the client ${version} was changed. Put it back, and raise the version instead.`];
  });

/**
 * Returns what stands between the packed client and production, as sentences: a released version that was changed, or
 * a version that is not released yet.
 */
export const findUnreleased = (released: Map<string, string>, version = VERSION, folder = PACKED): string[] => {
  const changed = findChanged(released, folder);
  if (changed.length > 0 || released.has(version)) return changed;
  return [`The client ${version} is not released yet. Run npm run release, and commit what it writes.`];
};
