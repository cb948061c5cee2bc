import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findChanged, findUnreleased, hashOf, readReleased, VERSION } from '../../../lib/client/released.ts';

const folder = mkdtempSync(join(tmpdir(), 'tandem-released-'));
afterAll(() => rmSync(folder, { recursive: true }));
const pack = (version: string, content: string) =>
  writeFileSync(join(folder, `tandem-api-client-${version}.tgz`), content);

test('no package of a released client was changed or removed', () => {
  expect(findChanged(readReleased())).toEqual([]);
});

test('the client, the product and the address in the README have one version', () => {
  expect(JSON.parse(readFileSync('lib/client/package.json', 'utf8')).version).toBe(VERSION);
  expect(readFileSync('README.md', 'utf8')).toContain(`/client/tandem-api-client-${VERSION}.tgz`);
  expect(hashOf(VERSION)).toMatch(/^[0-9a-f]{64}$/);
});

test('production gets a client only once it is released, and never one that was changed or removed afterwards', () => {
  pack('1.0.0', 'first');
  expect(findUnreleased(new Map(), '1.0.0', folder)).toEqual([
    'The client 1.0.0 is not released yet. Run npm run release, and commit what it writes.',
  ]);
  const released = readReleased(`1.0.0 ${hashOf('1.0.0', folder)}\n`);
  expect(findUnreleased(released, '1.0.0', folder)).toEqual([]);
  expect(findUnreleased(released, '1.0.1', folder)).toEqual([expect.stringContaining('1.0.1 is not released yet')]);
  pack('1.0.0', 'second');
  expect(findUnreleased(released, '1.0.0', folder)).toEqual([expect.stringContaining('1.0.0 was changed')]);
  rmSync(join(folder, 'tandem-api-client-1.0.0.tgz'));
  expect(findUnreleased(released, '1.0.0', folder)).toEqual([expect.stringContaining('1.0.0 is gone')]);
});
