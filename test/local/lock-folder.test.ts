import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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

test('a folder in use is refused', async () => {
  const other = await idle();
  const command = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(other.pid)], { encoding: 'utf8' }).trim();
  writeFileSync(claim, JSON.stringify({ holder: { pid: other.pid, command } }));
  await expect(lockFolder(folder)).rejects.toThrow(
    `${folder} is in use by process ${other.pid}. Stop that process first.`,
  );
  expect(other.kill(0)).toBe(true);
});

test('a claim is written while it holds, and gone once it was given back', async () => {
  const lock = await lockFolder(folder);
  expect(JSON.parse(readFileSync(claim, 'utf8'))).toMatchObject({ holder: { pid: process.pid } });
  lock.release();
  expect(existsSync(claim)).toBe(false);
});

test('the claim of a process that is gone does not count', async () => {
  writeFileSync(claim, JSON.stringify({ holder: GONE }));
  (await lockFolder(folder)).release();
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

test('a process that a killed holder left running is ended', async () => {
  const orphan = await idle();
  const exited = once(orphan, 'exit');
  (await lockFolder(folder)).note(orphan.pid ?? 0);
  const { child } = JSON.parse(readFileSync(claim, 'utf8'));
  writeFileSync(claim, JSON.stringify({ holder: GONE, child }));
  const lock = await lockFolder(folder);
  expect(await exited).toEqual([null, 'SIGKILL']);
  lock.release();
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
