import { globSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `onSave` after a file in one of the folders changed, at any depth. Returns a function that stops. Each folder is
 * watched and no file: an editor that saves by renaming puts a new file in the place of the watched one, which
 * `recursive` then loses on Linux.
 */
export function watchFolders(root: string, names: readonly string[], onSave: () => void): () => void {
  const inside = globSync(
    names.map((name) => `${name}/**/`),
    { cwd: root, exclude: (path) => path.endsWith('node_modules') },
  );
  const watchers = [...new Set([...names, ...inside])].map((folder) => watch(join(root, folder), onSave));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
