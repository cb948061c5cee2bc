import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { watchFolders } from './wrangler.ts';

test('a save is noticed at any depth, also after an editor saved by renaming', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tandem-watch-'));
  const deep = join(root, 'docs/deep');
  mkdirSync(deep, { recursive: true });
  const page = join(deep, 'page.txt');
  writeFileSync(page, 'one');
  const onSave = vi.fn<() => void>();
  const stop = watchFolders(root, ['docs'], onSave);
  const noticed = async (save: () => void) => {
    onSave.mockClear();
    save();
    await expect.poll(() => onSave.mock.calls.length).toBeGreaterThan(0);
  };
  await noticed(() => {
    writeFileSync(join(deep, 'page.new'), 'two');
    renameSync(join(deep, 'page.new'), page);
  });
  await noticed(() => writeFileSync(page, 'three'));
  await noticed(() => writeFileSync(join(root, 'docs/other.txt'), 'new'));
  stop();
  rmSync(root, { recursive: true });
});
