import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['functions', 'lib', 'schema', 'test'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)
  .concat('README.md')
  // A citation may continue on the next line of its comment.
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ') }));

const cited = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })));

const headings = [...readFileSync('schema/DECISIONS.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

test('every decision that is cited has its heading', () => {
  const decisions = cited(/DECISIONS\.md, "([^"]+)"/g);
  expect(decisions.length).toBeGreaterThan(20);
  expect(decisions.filter(({ name }) => !headings.includes(name))).toEqual([]);
});

test('no heading stands for two decisions', () => {
  expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([]);
});

test('every document that is cited is in the repository', () => {
  // An address such as /docs/search.md is a page of the product, not a file.
  const documents = cited(/(?<![\w./-])(?!\/)([\w./-]+\.md)\b/g);
  expect(documents.length).toBeGreaterThan(20);
  const missing = documents.filter(({ file, name }) => !existsSync(name) && !existsSync(join(dirname(file), name)));
  expect(missing).toEqual([]);
});

test('no document is cited by a short name', () => {
  expect(
    cited(/\(((?:agents|decisions|design|house|interface|protocols|reliability|style|voice)(?:, [A-Z][a-z]| §))/g),
  ).toEqual([]);
});
