import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Returns the paths that the lists of a page name before their colon. They are relative to the folder in the heading
 * above, or otherwise to the page's own folder.
 */
function namedIn(page: string, root: string): string[] {
  return readFileSync(page, 'utf8')
    .split('\n## ')
    .filter((section) => /^(?:`|Where )/.test(section))
    .flatMap((section) => {
      const [, folder = '.'] = /^`([\w-]+)`/.exec(section) ?? [];
      const heads = section.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.split('`: ')[0] ?? ''] : []));
      return heads.flatMap((head) =>
        [...head.matchAll(/`([\w./-]+)/g)].map(([, name = '']) => join(root, folder, name)),
      );
    });
}

const filesIn = (root: string) =>
  globSync(`${root}/**/*.{ts,tsx}`, { exclude: ['**/node_modules/**', '**/dist/**', '**/table.ts'] }).sort();

test.each([
  ['lib', 'lib/README.md'],
  ['schema', 'schema/README.md'],
])('the page of %s says of every file what is decided there', (root, page) => {
  expect(namedIn(page, root).toSorted()).toEqual(filesIn(root));
});

test('the page of functions names no file that is not there', () => {
  const named = namedIn('functions/README.md', 'functions');
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
