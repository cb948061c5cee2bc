import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './lock-folder.ts';

const GONE = { pid: 999_999_999, command: 'node start.ts' };

let folder: string;
let claim: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  claim = join(folder, 'lock.json');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('a claim is written while it holds, and gone once it was given back', async () => {
  const lock = await lockFolder(folder);
  expect(JSON.parse(readFileSync(claim, 'utf8'))).toMatchObject({ holder: { pid: process.pid } });
  lock.release();
  expect(existsSync(claim)).toBe(false);
});

test('a claim of an ended process does not hold if another process now has its number', async () => {
  const other = await idle();
  writeFileSync(claim, JSON.stringify({ holder: { ...GONE, pid: other.pid } }));
  (await lockFolder(folder)).release();
});

test('a claim that a crash left incomplete does not hold', async () => {
  writeFileSync(claim, '{"holder":');
  (await lockFolder(folder)).release();
});

test('a process that only has the number of what was left is not', async () => {
  const stranger = await idle();
  writeFileSync(claim, JSON.stringify({ holder: GONE, child: { ...GONE, pid: stranger.pid } }));
  (await lockFolder(folder)).release();
  expect(stranger.kill(0)).toBe(true);
});

/** Starts a process that waits for nothing. */
async function idle(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child;
}
