import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('the page of schema names no file that is not there', () => {
  const named = [...readFileSync('schema/README.md', 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) =>
    name.startsWith('lib/') ? name : join('schema', name),
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

test('the page of lib says of every folder what it is for, and names no file that is not there', () => {
  const sections = readFileSync('lib/README.md', 'utf8').split('\n## `').slice(1);
  const folders = sections.map((section) => section.slice(0, section.indexOf('`')));
  expect([...folders, 'README.md'].toSorted()).toEqual(readdirSync('lib').toSorted());
  const named = sections.flatMap((section, at) =>
    [...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => join('lib', folders[at] ?? '', name)),
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

test('the page of functions names no file that is not there', () => {
  const named = namedIn('functions/README.md', 'functions');
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

const { overrides } = JSON.parse(readFileSync('biome.json', 'utf8'));
const [, order = ''] =
  /Each folder of `lib` imports only the folders that come after it in this list: ([^.]+)\./.exec(
    readFileSync('README.md', 'utf8'),
  ) ?? [];
const ordered = [...order.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** Returns the patterns that the linter forbids in imports of all files of a folder. */
const forbidden = (folder: string): { group: string[] }[] =>
  overrides.flatMap(({ includes, linter }: { includes: string[]; linter: { rules: Rules } }) =>
    includes[0] === folder ? (linter.rules.style?.noRestrictedImports?.options.patterns ?? []) : [],
  );
interface Rules {
  style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } };
}

test('every folder of lib has its place in the order, or stands beside it', () => {
  expect([...ordered, 'adapters', 'client', 'README.md'].toSorted()).toEqual(readdirSync('lib').toSorted());
});

test.each(ordered.slice(0, -3))('the linter lets %s import no folder before it', (folder) => {
  const [rule] = forbidden(`lib/${folder}/**`).filter(({ group }) => group.includes('**/adapters/**'));
  const before = ordered.slice(0, ordered.indexOf(folder));
  expect(rule?.group).toEqual(['adapters', 'client', ...before].map((name) => `**/${name}/**`).concat('!**/schema/**'));
});

test.each([
  ...['words', 'reader'].map((name) => `lib/${name}/**`),
  'lib/engine/*.ts',
  ...readdirSync('lib/engine')
    .filter((name) => !name.includes('.'))
    .map((name) => `lib/engine/${name}/**`),
])('the linter forbids every import of %s but those that it names', (folder) => {
  expect(forbidden(folder).some(({ group }) => group[0] === '**')).toBe(true);
});
