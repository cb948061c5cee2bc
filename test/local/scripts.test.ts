import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const SOURCES = ['*.md', '.ci/run', 'wrangler.toml', '{functions,lib,schema,test}/**/*.{md,ts,tsx}'];
const files = globSync(SOURCES, { exclude: ['**/node_modules/**', '**/made/**'] });

test('every script that a page or a comment names is in package.json', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/npm run ([a-z]+(?::[a-z]+)*)/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});

test('the scripts stay few', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(22);
});
